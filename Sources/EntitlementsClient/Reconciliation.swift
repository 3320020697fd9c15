/// What asking the stores about a user came to.
public struct Reconciliation: Decodable, Equatable, Sendable {
    /// Whether something was newer than what was kept.
    public let applied: Bool
    /// The account after it.
    public let status: AccountStatus
}
