// Made by contrib/clients/generate.py from proto/openrpc.json.

import FoundationEssentials

/// One subscription.
public struct SubscriptionStatus: Decodable, Equatable, Sendable {
    /// What a subscription is, in one word.
    public let status: SubscriptionState
    /// The product of the current transaction.
    public let productID: String
    /// The product from the next renewal on, if it changes.
    public let pendingProductID: String?
    /// The store that sold it.
    public let store: String
    /// Production or Sandbox.
    public let environment: String
    /// The store's name for the subscription.
    public let originalTransactionID: String
    /// The store's name for the current transaction.
    public let transactionID: String?
    /// When the current transaction was made.
    public let purchasedAt: Date?
    /// The end of what is paid.
    public let expiresAt: Date?
    /// The end of the grace period, if there is one.
    public let gracePeriodExpiresAt: Date?
    /// Whether it renews; nil if the store has not said.
    public let autoRenew: Bool?
    /// Whether the current period is a free trial.
    public let isTrial: Bool
    /// When the renewal was turned off.
    public let cancelledAt: Date?
    /// When the store took it back.
    public let revokedAt: Date?
    /// Whether a renewal is due and the store has not been heard.
    public let stale: Bool
}
