// Made by contrib/clients/generate.py from proto/openrpc.json.

/// What registering an account came to.
public struct Registration: Decodable, Equatable, Sendable {
    /// The token to hand to the store with every purchase.
    public let appAccountToken: String
    /// Whether this call began the account.
    public let created: Bool
    /// The credits that can be spent now.
    public let creditsRemaining: Int64
    /// For `setObfuscatedAccountId` of Google Play: SHA-256 of the namespace, a colon and the user
    /// id.
    public let obfuscatedAccountID: String
}
