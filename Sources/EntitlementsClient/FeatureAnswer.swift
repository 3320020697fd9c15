import FoundationEssentials

/// Whether a user may use a feature.
public struct FeatureAnswer: Decodable, Equatable, Sendable {
    /// Whether they may.
    public let allowed: Bool
    /// By what they may; nil if they may not.
    public let path: AccessPath?
    /// What the account is.
    public let state: AccountState
    /// Why they may not; nil if they may.
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
