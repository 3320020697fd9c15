/// What a charge, or putting one back, came to.
public struct CreditReceipt: Decodable, Equatable, Sendable {
    /// What became of it.
    public let outcome: CreditOutcome
    /// What can be spent now.
    public let creditsRemaining: Int64
    /// Whether this is the first answer to the same key, again.
    public let replayed: Bool
    /// Its place in the journal; nil for a reversal.
    public let seq: Int64?
    /// The key that it went under.
    public let idempotencyKey: String
}
