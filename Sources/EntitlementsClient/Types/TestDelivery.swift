// Made by contrib/clients/generate.py from proto/openrpc.json.

/// What became of a test notification.
public struct TestDelivery: Decodable, Equatable, Sendable {
    /// Whether it arrived at the daemon.
    public let delivered: Bool
    /// What Apple says of the attempt; nil for Google.
    public let sendAttemptResult: String?
}
