// Made by contrib/clients/generate.py from proto/openrpc.json.

/// What erasing a user came to.
public struct Erasure: Decodable, Equatable, Sendable {
    /// Whether there was somebody to forget.
    public let erased: Bool
    /// Its place in the journal.
    public let seq: Int64
}
