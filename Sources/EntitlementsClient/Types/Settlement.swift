// Made by contrib/clients/generate.py from proto/openrpc.json.

/// How a reservation ended.
public struct Settlement: Decodable, Equatable, Sendable {
    /// How the reservation ended, whichever came first.
    ///
    /// A second commit gets the first answer.
    public let outcome: CreditOutcome
    /// What can be spent now.
    public let creditsRemaining: Int64
}
