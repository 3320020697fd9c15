// Made by contrib/clients/generate.py from proto/openrpc.json.

/// A grant that was taken back.
public struct RevocationReceipt: Decodable, Equatable, Sendable {
    /// The account after it.
    public let status: AccountStatus
    /// Its place in the journal.
    public let seq: Int64
}
