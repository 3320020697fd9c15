/// What setting credits aside came to.
public struct Reservation: Decodable, Equatable, Sendable {
    /// What became of it: reserved, insufficient, unlimited, or released when its connection ended.
    public let outcome: CreditOutcome
    /// Its name, for `commitReservation` and `releaseReservation`; nil where nothing is held.
    public let name: String?
    /// What can be spent now.
    public let creditsRemaining: Int64
    /// Whether this is the first answer to the same key, again.
    public let replayed: Bool
    /// The key that it went under.
    public let idempotencyKey: String

    private enum CodingKeys: String, CodingKey {
        case name = "reservation"
        case outcome, creditsRemaining, replayed, idempotencyKey
    }
}
