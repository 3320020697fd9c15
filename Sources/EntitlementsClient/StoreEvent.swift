import Foundation

/// What a store said of a user's purchase, as a watch is told of it where that changed no status: a
/// refund that was declined, a price that will rise, a question about consumption.
public struct StoreEvent: Decodable, Equatable, Sendable {
    /// Its position in the journal; to go on after it, watch from here.
    public let seq: Int64
    /// Whose purchase it is.
    public let userID: String
    /// The store, for example `app_store`.
    public let store: String
    /// The store's word for what happened, for example `CONSUMPTION_REQUEST`.
    public let type: String
    /// The store's word for how; nil for none.
    public let subtype: String?
    /// What was bought.
    public let productID: String
    /// The store's name for the transaction.
    public let transactionID: String
    /// The store's name for the purchase, over all its transactions.
    public let originalTransactionID: String
    /// Production or Sandbox.
    public let environment: String
    /// When the transaction's period began.
    public let purchasedAt: Date
    /// When it ends; nil for what does not end.
    public let expiresAt: Date?
    /// When it was refunded or withdrawn.
    public let revokedAt: Date?
    /// The price, in thousandths of the currency.
    public let price: Int64?
    /// The currency, in the letters of ISO 4217.
    public let currency: String?
    /// The offer that it was bought with.
    public let offerID: String?
    /// Whether it stands for older ones of the same user too, because too many waited.
    public var isCoalesced: Bool { coalesced ?? false }

    private let coalesced: Bool?
}
