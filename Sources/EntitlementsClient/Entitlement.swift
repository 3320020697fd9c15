import FoundationEssentials

/// Whether a user has access by a purchase or a grant.
public struct Entitlement: Equatable, Sendable {
    /// Whether they have.
    public let isActive: Bool
    /// The product that gives it.
    public let productID: String?
    /// Its end.
    public let expiresAt: Date?
    /// The store's name for the subscription.
    public let originalTransactionID: String?
    /// Production or Sandbox.
    public let environment: String?

    init(_ members: Members) throws(ClientError) {
        isActive = try members.bool("isActive")
        productID = try members.optionalString("productId")
        expiresAt = try members.optionalDate("expiresAt")
        originalTransactionID = try members.optionalString("originalTransactionId")
        environment = try members.optionalString("environment")
    }
}
