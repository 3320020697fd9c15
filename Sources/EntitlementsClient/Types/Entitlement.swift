// Made by contrib/clients/generate.py from proto/openrpc.json.

import FoundationEssentials

/// Whether a user has access by a purchase or a grant.
public struct Entitlement: Decodable, Equatable, Sendable {
    /// Whether the user has access.
    public let isActive: Bool
    /// The product that gives it.
    public let productID: String?
    /// Its end.
    public let expiresAt: Date?
    /// The store's name for the subscription.
    public let originalTransactionID: String?
    /// Production or Sandbox.
    public let environment: String?
}
