/// A moment in a subscription's life that one can wait for.
package enum Milestone: String, CaseIterable, Sendable {
    /// The end of what is paid.
    case expiry
    /// The last day of what is paid, in which the store charges the card.
    case renewal
    /// The end of the grace period.
    case graceEnd = "grace-end"
}

extension Subscriber {
    /// When that is, in ms since 1970.
    package func moment(
        of milestone: Milestone,
        _ till: Till
    ) throws(StoreRefusal) -> Int64 {
        let (_, end, renewal) = try line(at: till.now)
        switch milestone {
        case .expiry: return end
        case .renewal: return end - till.settings.time.milliseconds(days: 1)
        case .graceEnd:
            guard let graceUntil = renewal.graceUntil else {
                throw StoreRefusal("\(name) is in no grace period that ends")
            }
            return graceUntil
        }
    }
}
