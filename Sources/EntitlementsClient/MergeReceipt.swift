/// An account that went into another.
public struct MergeReceipt: Equatable, Sendable {
    /// The account that has everything now.
    public let status: AccountStatus
    /// Whether it was done before.
    public let replayed: Bool
    /// Its place in the journal.
    public let seq: Int64

    init(_ members: Members) throws(ClientError) {
        status = try AccountStatus(members.members("status"))
        replayed = try members.bool("replayed")
        seq = try members.integer("seq")
    }
}
