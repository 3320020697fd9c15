/// A grant that was taken back.
public struct RevocationReceipt: Equatable, Sendable {
    /// The account after it.
    public let status: AccountStatus
    /// Its place in the journal.
    public let seq: Int64

    init(_ members: Members) throws(ClientError) {
        status = try AccountStatus(members.members("status"))
        seq = try members.integer("seq")
    }
}
