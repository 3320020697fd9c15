// Made by contrib/clients/generate.py from proto/openrpc.json.

/// What a charge, or putting one back, came to.
public struct CreditReceipt: Decodable, Equatable, Sendable {
    /// What became of the credits.
    ///
    /// unlimited: the user's plan renders without counting; nothing was charged or stored.
    public let outcome: CreditOutcome
    /// What can be spent now.
    public let creditsRemaining: Int64
    /// Whether this is the stored first answer to the same key.
    public let replayed: Bool
    /// Its place in the journal.
    ///
    /// Of consumeCredit alone.
    public let seq: Int64?
    /// The key that it went under.
    public let idempotencyKey: String
}
