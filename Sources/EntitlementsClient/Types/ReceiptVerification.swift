// Made by contrib/clients/generate.py from proto/openrpc.json.

import FoundationEssentials

/// What an app receipt came to.
public struct ReceiptVerification: Decodable, Equatable, Sendable {
    /// Whether the purchase gives access now.
    public let isValid: Bool
    /// Its end.
    public let expiresAt: Date?
    /// The tier of the plan that the purchase gives; free where it gives none.
    ///
    /// That of the user is in `status`.
    public let tier: String
    /// One sentence for people.
    public let message: String
    /// The account after it.
    public let status: AccountStatus
}
