/// What the app's server may change through the store's API, and what the API tells.
extension Subscriber {
    /// Another user for this line, or for this single purchase; nothing is told about it, but the
    /// documents signed from now on say so, renewals included.
    package mutating func setToken(
        _ token: String,
        ofLine id: String,
        _ till: Till
    ) {
        let before = transactions + purchases
        for place in transactions.indices where transactions[place].originalID == id {
            transactions[place].token = token
            self.token = token
        }
        for place in purchases.indices where purchases[place].originalID == id {
            purchases[place].token = token
        }
        stampChanges(since: before, at: stamp(till))
    }

    /// Writes the moment into each transaction that is not as it was.
    mutating func stampChanges(since before: [SimulatedTransaction], at moment: Int64) {
        func isChanged(_ transaction: SimulatedTransaction) -> Bool {
            !before.contains { $0.id == transaction.id && $0 == transaction }
        }
        for place in transactions.indices where isChanged(transactions[place]) {
            transactions[place].modified = moment
        }
        for place in purchases.indices where isChanged(purchases[place]) {
            purchases[place].modified = moment
        }
    }

    /// The last transaction of the line, which may be announced and not have begun; the current
    /// one where that is taken back.
    package func last(at now: Int64) -> SimulatedTransaction? {
        let current = current(at: now)
        if let current, current.revocation != nil { return current }
        let valid = transactions.filter { !$0.isUpgraded }
        return valid.max { ($0.purchaseDate, $0.id) < ($1.purchaseDate, $1.id) } ?? current
    }

    /// The moment that a document gets which says how things stood at `now`: not before the last
    /// document, and before the next one, whenever that is signed.
    func moment(ofAnswerAt now: Int64) -> Int64 { max(lastSigned, now - 1) }
}
