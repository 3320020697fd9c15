/// How a reservation ended.
public struct Settlement: Decodable, Equatable, Sendable {
    /// How: committed, released or expired, whichever came first.
    public let outcome: CreditOutcome
    /// What can be spent now.
    public let creditsRemaining: Int64
}
