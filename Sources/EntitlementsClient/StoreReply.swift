import FoundationEssentials

/// What Apple says of a request that the daemon passed on.
public struct StoreReply: Decodable, Equatable, Sendable {
    /// Whether Apple has taken it.
    public let success: Bool
    /// Apple's number of the error, where it has not.
    public let errorCode: Int?
    /// Apple's words for it.
    public let errorMessage: String?
    /// The store's name for the subscription; of extendRenewal alone.
    public let originalTransactionID: String?
    /// What Apple calls the period that is prolonged; of extendRenewal alone.
    public let webOrderLineItemID: String?
    /// Until when a subscription is prolonged; of extendRenewal alone.
    public let effectiveDate: Date?
    /// What Apple calls the request; of extendRenewal alone.
    public let requestIdentifier: String?
}
