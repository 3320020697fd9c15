import Entitlements

/// What a step of a scenario does to a user's credits.
package enum CreditDeed: Hashable, Sendable {
    /// `grantCredits`, `adjustCredits`.
    case give(amount: Int64, key: String, until: Moment, source: String?, isAdjustment: Bool)
    /// `consumeCredit`.
    case consume(amount: Int64, key: String)
    /// `reserveCredits`; a lease is one with `releaseOnDisconnect`.
    case reserve(amount: Int64, key: String, seconds: Int64, isLease: Bool)
    /// `commitReservation` of the reservation made under this key.
    case commit(key: String, amount: Int64?)
    /// `releaseReservation` of the reservation made under this key.
    case release(key: String)
    /// The connection ends on which the reservation was made under this key.
    case disconnect(key: String)
    /// `reverseCredits` of the charge under another key.
    case reverse(key: String, charge: String)

    /// What `step` does, which is about credits.
    init(_ step: ScenarioStep, names: ScenarioNames) throws(ScenarioFailure) {
        let amount = try step.number("amount")
        let key = step.words["key"] ?? step.verb.rawValue
        switch step.verb {
        case .grantCredits, .adjustCredits:
            self = .give(
                amount: amount ?? 1,
                key: key,
                until: names.moment(try step.moment("until") ?? .distantFuture),
                source: step.words["source"],
                isAdjustment: step.verb == .adjustCredits
            )
        case .consume: self = .consume(amount: amount ?? 1, key: key)
        case .reserve:
            self = .reserve(
                amount: amount ?? 1,
                key: key,
                seconds: try step.number("ttl") ?? 60,
                isLease: step.words["lease"] != nil
            )
        case .commit: self = .commit(key: Self.reservation(step), amount: amount)
        case .release: self = .release(key: Self.reservation(step))
        case .disconnect: self = .disconnect(key: Self.reservation(step))
        case .reverse:
            self = .reverse(
                key: key,
                charge: step.words["charge"] ?? ScenarioStep.Verb.consume.rawValue
            )
        case .register, .notify, .again, .verifyPurchase, .restore, .grant, .revokeGrant, .merge,
            .move, .pack, .canRender, .getStatus, .getCredits:
            throw ScenarioFailure(line: step.line, "not about credits")
        }
    }

    /// The key of the reservation that a step is about.
    private static func reservation(_ step: ScenarioStep) -> String {
        step.words["key"] ?? ScenarioStep.Verb.reserve.rawValue
    }
}
