import FoundationEssentials

/// What an app receipt came to.
public struct ReceiptVerification: Equatable, Sendable {
    /// Whether its purchase gives access now.
    public let isValid: Bool
    /// Its end.
    public let expiresAt: Date?
    /// The tier of the user's plan.
    public let tier: String
    /// One sentence for people.
    public let message: String
    /// The account after it.
    public let status: AccountStatus

    init(_ members: Members) throws(ClientError) {
        isValid = try members.bool("isValid")
        expiresAt = try members.optionalDate("expiresAt")
        tier = try members.string("tier")
        message = try members.string("message")
        status = try AccountStatus(members.members("status"))
    }
}
