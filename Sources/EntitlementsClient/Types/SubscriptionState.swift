// Made by contrib/clients/generate.py from proto/openrpc.json.

/// What a subscription is, in one word.
///
/// A newer daemon may use words that this version does not name.
public struct SubscriptionState: RawRepresentable, Decodable, Hashable, Sendable {
    /// The word on the wire.
    public let rawValue: String

    /// The word `rawValue`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The store took it back.
    public static let revoked = SubscriptionState(rawValue: "revoked")
    /// Nothing is paid yet.
    public static let pending = SubscriptionState(rawValue: "pending")
    /// Paid, but it does not renew.
    public static let cancelled = SubscriptionState(rawValue: "cancelled")
    /// In its free trial.
    public static let trial = SubscriptionState(rawValue: "trial")
    /// Paid, and it renews.
    public static let subscribed = SubscriptionState(rawValue: "subscribed")
    /// The payment failed and the store grants time.
    public static let gracePeriod = SubscriptionState(rawValue: "grace_period")
    /// The customer has paused it, or it waits for a way to pay.
    public static let paused = SubscriptionState(rawValue: "paused")
    /// The payment failed and the store tries again.
    public static let billingRetry = SubscriptionState(rawValue: "billing_retry")
    /// It ended.
    public static let expired = SubscriptionState(rawValue: "expired")
}
