// Made by contrib/clients/generate.py from proto/openrpc.json.

/// A change of one user's status, as a watch is told of it.
public struct EntitlementChange: Decodable, Equatable, Sendable {
    /// Its position in the journal; to go on after it, watch from here.
    public let seq: Int64
    /// The user.
    public let userID: String
    /// Why a status changed.
    public let cause: ChangeCause
    /// The account after it.
    public let status: AccountStatus
    /// True where it stands for older changes of the same user too, because too many waited; absent
    /// elsewhere.
    public let coalesced: Bool?
}
