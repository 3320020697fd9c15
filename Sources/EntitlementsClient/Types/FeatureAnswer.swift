// Made by contrib/clients/generate.py from proto/openrpc.json.

import FoundationEssentials

/// Whether a user may use a feature.
public struct FeatureAnswer: Decodable, Equatable, Sendable {
    /// Whether the user may use it.
    public let allowed: Bool
    /// What lets the user in; nil where nothing does.
    ///
    /// free: the plan free names the feature.
    public let path: AccessPath?
    /// What an account is, in one word, the first that matches: trial also when cancelled during
    /// the trial; subscribed is any other access by subscription, grace or grant.
    public let state: AccountState
    /// Why not, the first that matches; nil where allowed is true.
    ///
    /// not_in_plan: there is access, by a plan that does not name the feature. unknown_product:
    /// something is paid for that no plan names. sandbox_not_admitted: apple.sandboxAccess does not
    /// let this user in.
    public let reason: DenialReason?
    /// The first moment at which the answer changes if nothing more is heard.
    public let nextChangeAt: Date?
    /// The journal position that the answer reflects.
    public let seq: Int64

    private enum CodingKeys: String, CodingKey {
        case path = "via"
        case allowed, state, reason, nextChangeAt, seq
    }
}
