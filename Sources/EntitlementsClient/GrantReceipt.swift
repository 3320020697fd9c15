/// A grant that was made.
public struct GrantReceipt: Decodable, Equatable, Sendable {
    /// Its name, for `revokeGrant`.
    public let grant: String
    /// The account after it.
    public let status: AccountStatus
    /// Whether this is the first answer to the same key, again.
    public let replayed: Bool
    /// Its place in the journal.
    public let seq: Int64
}
