// Made by contrib/clients/generate.py from proto/openrpc.json.

/// What setting credits aside came to.
public struct Reservation: Decodable, Equatable, Sendable {
    /// What became of the credits.
    ///
    /// released: it was reserved under this key, and returned when its connection ended.
    public let outcome: CreditOutcome
    /// The reservation's name, for commitReservation and releaseReservation; nil where nothing is
    /// held.
    public let name: String?
    /// What can be spent now.
    public let creditsRemaining: Int64
    /// Whether this is the stored first answer to the same key.
    public let replayed: Bool
    /// The key that it went under.
    public let idempotencyKey: String

    private enum CodingKeys: String, CodingKey {
        case name = "reservation"
        case outcome, creditsRemaining, replayed, idempotencyKey
    }
}
