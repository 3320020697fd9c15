/// What erasing a user came to.
public struct Erasure: Equatable, Sendable {
    /// Whether there was anything to erase.
    public let erased: Bool
    /// Its place in the journal.
    public let seq: Int64

    init(_ members: Members) throws(ClientError) {
        erased = try members.bool("erased")
        seq = try members.integer("seq")
    }
}
