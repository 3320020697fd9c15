/// Where a user reads the page to manage a subscription.
public enum ClientPlatform: String, Hashable, Sendable, CaseIterable {
    /// An iPhone or iPad.
    case ios
    /// An Android device.
    case android
    /// A browser.
    case web
}
