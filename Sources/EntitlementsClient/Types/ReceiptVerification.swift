// Made by contrib/clients/generate.py from proto/openrpc.json.

import FoundationEssentials

/// What an app receipt came to.
public struct ReceiptVerification: Decodable, Equatable, Sendable {
    /// Whether the purchase gives access now.
    public let isValid: Bool
    /// Its end.
    public let expiresAt: Date?
    /// The tier of the user's plan.
    public let tier: String
    /// One sentence for people.
    public let message: String
    /// The account after it.
    public let status: AccountStatus
}
