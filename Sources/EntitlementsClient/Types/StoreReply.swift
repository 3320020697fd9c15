// Made by contrib/clients/generate.py from proto/openrpc.json.

import FoundationEssentials

/// What Apple says of a request that the daemon passed on.
public struct StoreReply: Decodable, Equatable, Sendable {
    /// Whether the store has taken it.
    public let success: Bool
    /// The store's name for the subscription.
    ///
    /// Of extendRenewal alone.
    public let originalTransactionID: String?
    /// What Apple calls the period that is prolonged.
    ///
    /// Of extendRenewal alone.
    public let webOrderLineItemID: String?
    /// Until when the subscription is prolonged.
    ///
    /// Of extendRenewal alone.
    public let effectiveDate: Date?
    /// What Apple calls this request.
    ///
    /// Of extendRenewal alone.
    public let requestIdentifier: String?
    /// Apple's number of the error, where it has not.
    public let errorCode: Int?
    /// Apple's words for it.
    public let errorMessage: String?
}
