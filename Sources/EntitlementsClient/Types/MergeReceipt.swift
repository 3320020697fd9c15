// Made by contrib/clients/generate.py from proto/openrpc.json.

/// An account that went into another.
public struct MergeReceipt: Decodable, Equatable, Sendable {
    /// The account that has everything now.
    public let status: AccountStatus
    /// Whether it was done before.
    public let replayed: Bool
    /// Its place in the journal.
    public let seq: Int64
}
