// Made by contrib/clients/generate.py from proto/openrpc.json.

/// Whether a system takes a test message.
public struct OutboxTest: Decodable, Equatable, Sendable {
    /// Whether it answered 2xx.
    public let delivered: Bool
    /// Why not.
    public let failure: String?
}
