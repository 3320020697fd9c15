/// A purchase that was moved to another user.
public struct MoveReceipt: Equatable, Sendable {
    /// The account that has it now.
    public let status: AccountStatus
    /// Its place in the journal.
    public let seq: Int64

    init(_ members: Members) throws(ClientError) {
        status = try AccountStatus(members.members("status"))
        seq = try members.integer("seq")
    }
}
