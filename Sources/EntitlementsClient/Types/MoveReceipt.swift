// Made by contrib/clients/generate.py from proto/openrpc.json.

/// A purchase that was moved to another user.
public struct MoveReceipt: Decodable, Equatable, Sendable {
    /// The account that has it now.
    public let status: AccountStatus
    /// Its place in the journal.
    public let seq: Int64
}
