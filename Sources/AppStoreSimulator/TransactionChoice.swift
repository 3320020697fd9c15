/// Which of a customer's transactions is meant.
package enum TransactionChoice: Hashable, Sendable {
    /// The current period.
    case current
    /// The period before the current one.
    case previous
    /// The next period, announced and not begun.
    case announced
    /// What was bought once, the latest.
    case purchase
    /// The one with this number.
    case number(String)

    /// `current`, `previous`, `announced`, `purchase`, or a number.
    package init(_ text: String) {
        switch text {
        case "current": self = .current
        case "previous": self = .previous
        case "announced": self = .announced
        case "purchase": self = .purchase
        default: self = .number(text)
        }
    }
}

extension Subscriber {
    /// The transaction with this number.
    package func transaction(_ id: String) throws(StoreRefusal) -> SimulatedTransaction {
        guard let found = (transactions + purchases).first(where: { $0.id == id }) else {
            throw StoreRefusal("\(name) has no transaction \(id)")
        }
        return found
    }

    /// The transaction meant, at `now`.
    package func transaction(
        _ choice: TransactionChoice,
        at now: Int64
    ) throws(StoreRefusal) -> SimulatedTransaction {
        switch choice {
        case .current: return try line(at: now).current
        case .previous:
            let current = try line(at: now).current
            let older = transactions.filter { $0.purchaseDate < current.purchaseDate }
            guard let previous = older.max(by: { $0.purchaseDate < $1.purchaseDate }) else {
                throw StoreRefusal("\(name) has no earlier period")
            }
            return previous
        case .announced:
            let later = transactions.filter { $0.purchaseDate > now && !$0.isUpgraded }
            guard let next = later.min(by: { $0.purchaseDate < $1.purchaseDate }) else {
                throw StoreRefusal("no renewal of \(name)'s is announced")
            }
            return next
        case .purchase:
            guard let purchase = purchases.last else {
                throw StoreRefusal("\(name) has bought nothing once")
            }
            return purchase
        case .number(let id): return try transaction(id)
        }
    }
}
