// Made by contrib/clients/generate.py from proto/openrpc.json.

/// A grant that was made.
public struct GrantReceipt: Decodable, Equatable, Sendable {
    /// The grant's name, for revokeGrant.
    public let grant: String
    /// The account after it.
    public let status: AccountStatus
    /// Whether this is the stored first answer to the same key.
    public let replayed: Bool
    /// Its place in the journal.
    public let seq: Int64
}
