// Made by contrib/clients/generate.py from proto/openrpc.json.

/// Why a user may not use a feature: the first that matches.
///
/// A newer daemon may use words that this version does not name.
public struct DenialReason: RawRepresentable, Decodable, Hashable, Sendable {
    /// The word on the wire.
    public let rawValue: String

    /// The word `rawValue`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing was ever written about the user.
    public static let noAccount = DenialReason(rawValue: "no_account")
    /// There is access, by a plan that does not name what was asked for.
    public static let notInPlan = DenialReason(rawValue: "not_in_plan")
    /// The user pays for a product that no plan of the catalog names.
    public static let unknownProduct = DenialReason(rawValue: "unknown_product")
    /// The purchase is of the sandbox, which does not let this user in.
    public static let sandboxNotAdmitted = DenialReason(rawValue: "sandbox_not_admitted")
    /// The store took the subscription back.
    public static let revoked = DenialReason(rawValue: "revoked")
    /// Nothing is paid yet.
    public static let pending = DenialReason(rawValue: "pending")
    /// The subscription is paused.
    public static let paused = DenialReason(rawValue: "paused")
    /// The store still tries to collect the payment.
    public static let billingRetry = DenialReason(rawValue: "billing_retry")
    /// The subscription ended.
    public static let expired = DenialReason(rawValue: "expired")
    /// There were credits, and they do not cover the cost.
    public static let creditsExhausted = DenialReason(rawValue: "credits_exhausted")
    /// There was neither a subscription nor a credit.
    public static let neverSubscribed = DenialReason(rawValue: "never_subscribed")
}
