import FoundationEssentials

/// Whether a user may render.
public struct RenderAnswer: Equatable, Sendable {
    /// Whether they may.
    public let canRender: Bool
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

    init(_ members: Members) throws(ClientError) {
        canRender = try members.bool("canRender")
        path = try members.optionalString("via").map { AccessPath(rawValue: $0) }
        state = AccountState(rawValue: try members.string("state"))
        reason = try members.optionalString("reason").map { DenialReason(rawValue: $0) }
        nextChangeAt = try members.optionalDate("nextChangeAt")
        seq = try members.integer("seq")
    }
}
