/// What a purchase came to.
public struct Verification: Equatable, Sendable {
    /// The access after it.
    public let entitlement: Entitlement
    /// The account after it.
    public let status: AccountStatus
    /// Whether it was news.
    public let applied: Bool

    init(_ members: Members) throws(ClientError) {
        entitlement = try Entitlement(members.members("entitlement"))
        status = try AccountStatus(members.members("status"))
        applied = try members.bool("applied")
    }
}
