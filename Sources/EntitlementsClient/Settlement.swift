/// How a reservation ended.
public struct Settlement: Equatable, Sendable {
    /// How: committed, released or expired, whichever came first.
    public let outcome: CreditOutcome
    /// What can be spent now.
    public let creditsRemaining: Int64

    init(_ members: Members) throws(ClientError) {
        outcome = CreditOutcome(rawValue: try members.string("outcome"))
        creditsRemaining = try members.integer("creditsRemaining")
    }
}
