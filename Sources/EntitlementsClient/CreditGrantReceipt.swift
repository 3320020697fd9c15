/// Credits that were given or corrected.
public struct CreditGrantReceipt: Decodable, Equatable, Sendable {
    /// What can be spent now.
    public let creditsRemaining: Int64
    /// Whether this is the first answer to the same key, again.
    public let replayed: Bool
    /// Its place in the journal.
    public let seq: Int64
}
