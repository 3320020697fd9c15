// Made by contrib/clients/generate.py from proto/openrpc.json.

/// Credits that were given or corrected.
public struct CreditGrantReceipt: Decodable, Equatable, Sendable {
    /// What can be spent now.
    public let creditsRemaining: Int64
    /// Whether this is the stored first answer to the same key.
    public let replayed: Bool
    /// Its place in the journal.
    public let seq: Int64
}
