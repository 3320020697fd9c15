/// That a transaction under another original id took the place of a purchase, or is to (the App
/// Store's migrations): what is known of that transaction, whatever was told first.
///
/// A subscription that became part of a bundle may leave it again, so one purchase may be replaced
/// several times, and each period of the other one says so once more. The transaction is known by
/// its moment, not by its id: the other purchase may be somebody else's, who is erased later.
package struct Replacement: Hashable, Sendable {
    /// When it was bought: from then on the purchase before gives nothing.
    package let at: Moment
    /// Its earliest signature.
    package private(set) var first: Moment
    /// The latest signature before `at`, or `at`, of a version that was not refunded; nil where
    /// none was seen.
    package private(set) var said: Moment?
    /// The signature of the newest version.
    package private(set) var signed: Moment
    /// Whether that was refunded before it began: then it takes no place.
    package private(set) var isVoid: Bool

    /// What one version of a transaction says.
    init(_ transaction: TransactionFact) {
        at = transaction.purchased
        first = transaction.version.signed
        said = transaction.revoked == nil ? min(first, at) : nil
        signed = first
        isVoid = transaction.neverBegan
    }

    /// The moment alone, as older journals say it: whatever else is told of it is newer.
    init(at moment: Moment) {
        self.init(
            at: moment,
            first: .distantFuture,
            said: nil,
            signed: .distantPast,
            isVoid: false
        )
    }

    /// A replacement with these parts, as they were stored.
    package init(at: Moment, first: Moment, said: Moment?, signed: Moment, isVoid: Bool) {
        self.at = at
        self.first = first
        self.said = said
        self.signed = signed
        self.isVoid = isVoid
    }

    /// What both say of one transaction together, in whichever order they came.
    func joined(with other: Replacement) -> Replacement {
        let isOlder = signed == other.signed ? other.isVoid : signed < other.signed
        var joined = isOlder ? other : self
        joined.first = min(first, other.first)
        joined.said = [said, other.said].compactMap(\.self).max()
        return joined
    }
}

extension Subscription {
    /// Takes in what is known of a transaction under another original id; answers whether that is
    /// news.
    mutating func take(_ stated: Replacement?) -> Bool {
        guard let stated else { return false }
        var kept = replacements
        var one = stated
        if let place = kept.firstIndex(where: { $0.at == one.at }) {
            one = kept.remove(at: place).joined(with: one)
        }
        kept.insert(one, at: kept.firstIndex { one.at < $0.at } ?? kept.endIndex)
        kept = kept.suffix(Limits.replacementsKeptMax)
        defer { replacements = kept }
        return kept != replacements
    }

    /// Whether the subscription went on under another original id by `moment`, and not under this
    /// one again: then the transaction at `place` gives nothing, and is not shown.
    func isGone(_ place: Int?, at moment: Moment) -> Bool {
        guard let place else { return false }
        let purchased = transactions[place].purchased
        return replacements.contains { one in
            guard one.at <= moment, takesPlace(one) else { return false }
            if purchased != one.at { return purchased < one.at }
            // A period that goes on keeps its moment. Where it came back with it, what was told
            // later counts.
            let back = transactions.indices.filter {
                transactions[$0].purchased == purchased
                    && transactions[$0].terms.previousOriginalID != nil
            }
            return back.map { traces[$0].first }.max().map { $0 < one.first } ?? true
        }
    }

    /// Whether the subscription went on under another original id between two moments.
    func wasReplaced(after start: Moment, before end: Moment) -> Bool {
        replacements.contains { start < $0.at && $0.at < end && takesPlace($0) }
    }

    /// When the subscription went on under another original id, or is to, as far as it does.
    var replacementMoments: [Moment] { replacements.filter(takesPlace).map(\.at) }

    /// Not what was refunded before it began, nor what was announced before something else was
    /// bought here that began earlier.
    private func takesPlace(_ one: Replacement) -> Bool {
        guard !one.isVoid else { return false }
        guard let said = one.said, said < one.at else { return true }
        return !transactions.contains { said < $0.purchased && $0.purchased < one.at }
    }
}
