import FoundationEssentials

/// Something that changed for a user.
public struct HistoryEvent: Equatable, Sendable {
    /// Its place in the journal.
    public let seq: Int64
    /// When.
    public let at: Date
    /// Why.
    public let cause: ChangeCause
    /// The account before it.
    public let before: AccountStatus
    /// The account after it.
    public let after: AccountStatus

    init(_ members: Members) throws(ClientError) {
        seq = try members.integer("seq")
        at = try members.date("at")
        cause = ChangeCause(rawValue: try members.string("cause"))
        before = try AccountStatus(members.members("before"))
        after = try AccountStatus(members.members("after"))
    }
}
