/// What a purchase came to.
public struct Verification: Decodable, Equatable, Sendable {
    /// The access after it.
    public let entitlement: Entitlement
    /// The account after it.
    public let status: AccountStatus
    /// Whether it was news.
    public let applied: Bool
}
