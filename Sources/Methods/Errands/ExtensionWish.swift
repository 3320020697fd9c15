/// A renewal that is to be put off.
package struct ExtensionWish: Hashable, Sendable {
    /// Any transaction of the subscription's, or its original one.
    package let transactionID: String
    /// Of which app; nil for whichever knows it.
    package let bundleID: String?
    /// By how many days.
    package let days: Int64
    /// Why, as Apple's number.
    package let reason: Int64
    /// What this request is called.
    package let requestID: String
}
