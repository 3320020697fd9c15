// Made by contrib/clients/generate.py from proto/openrpc.json.

/// What asking the stores came to.
public struct Reconciliation: Decodable, Equatable, Sendable {
    /// With a user: whether something was newer than what was kept.
    public let applied: Bool
    /// With a user: the account after it.
    public let status: AccountStatus
}
