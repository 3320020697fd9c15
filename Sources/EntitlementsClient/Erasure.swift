/// What erasing a user came to.
public struct Erasure: Decodable, Equatable, Sendable {
    /// Whether there was anything to erase.
    public let erased: Bool
    /// Its place in the journal.
    public let seq: Int64
}
