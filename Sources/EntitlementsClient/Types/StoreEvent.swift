// Made by contrib/clients/generate.py from proto/openrpc.json.

import FoundationEssentials

/// What a store said of a user's purchase and what changed no status: a price that will rise, a
/// question about consumption, a refund that was declined.
///
/// It goes to watchers of the owner.
public struct StoreEvent: Decodable, Equatable, Sendable {
    /// Its position in the journal; to go on after it, watch from here.
    public let seq: Int64
    /// Whose purchase it is.
    public let userID: String
    /// The store, for example `app_store`.
    public let store: String
    /// The store's word for what happened, for example `CONSUMPTION_REQUEST`.
    public let type: String
    /// The store's word for how; absent for none.
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
    /// When it ends; absent for what does not end.
    public let expiresAt: Date?
    /// When it was refunded or withdrawn.
    public let revokedAt: Date?
    /// The price, in thousandths of the currency.
    public let price: Int64?
    /// The currency, in the letters of ISO 4217.
    public let currency: String?
    /// The offer that it was bought with.
    public let offerID: String?
    /// True where it stands for older ones of the same user too, because too many waited; absent
    /// elsewhere.
    public let coalesced: Bool?
}
