/// What registering an account came to.
public struct Registration: Decodable, Equatable, Sendable {
    /// The token to hand to the store with every purchase.
    public let appAccountToken: String
    /// What to give Google Play with every purchase (`setObfuscatedAccountId`).
    public let obfuscatedAccountID: String
    /// Whether the account is new.
    public let created: Bool
    /// The credits that can be spent now.
    public let creditsRemaining: Int64
}
