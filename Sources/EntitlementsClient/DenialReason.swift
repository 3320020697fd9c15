/// Why a user may not render.
///
/// A newer daemon may use words that this version does not name.
public struct DenialReason: RawRepresentable, Hashable, Sendable {
    /// The word on the wire.
    public let rawValue: String

    /// The word `rawValue`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing was ever written about the user.
    public static let noAccount = DenialReason(rawValue: "no_account")
    /// The store took the subscription back.
    public static let revoked = DenialReason(rawValue: "revoked")
    /// The store still tries to collect the payment.
    public static let billingRetry = DenialReason(rawValue: "billing_retry")
    /// The subscription ended.
    public static let expired = DenialReason(rawValue: "expired")
    /// There were credits, and they do not cover the cost.
    public static let creditsExhausted = DenialReason(rawValue: "credits_exhausted")
    /// There was neither a subscription nor a credit.
    public static let neverSubscribed = DenialReason(rawValue: "never_subscribed")
}
