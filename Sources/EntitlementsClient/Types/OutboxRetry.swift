// Made by contrib/clients/generate.py from proto/openrpc.json.

/// What retryOutbox answers.
public struct OutboxRetry: Decodable, Equatable, Sendable {
    /// How many parked changes are told again.
    public let retried: Int64
    /// How many of those asked for stay parked: they cannot be told again, or not be read now.
    public let stillParked: Int64
}
