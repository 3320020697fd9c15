// Purchases for a number of days, as non-renewing subscriptions are: the store names when one was
// bought, the catalog for how long, and of one plan they follow one another.
//
// Accounts hold what was bought: the slot of such a purchase has its moment and how many were
// bought. When it begins and ends follows from all of them and the catalog, when it is judged, so
// that another catalog touches no account.

extension EraMarks {
    /// Bought for as many days as the catalog says; `units` tells how many were bought.
    @inlinable package static var dated: Self { Self(rawValue: 128) }

    /// Of a purchase for a number of days: how many of them were bought at once.
    @inlinable package var units: Int64 { Int64(rawValue >> 8) }

    /// Those of a purchase for a number of days.
    static func dated(units: Int64, isRevoked: Bool) -> Self {
        let count = UInt16(min(units, Limits.datedUnitsMax)) << 8
        return Self(rawValue: count).union(isRevoked ? [.dated, .revoked] : .dated)
    }
}

extension AccountFlags {
    /// Some slot is of a purchase for a number of days: what it is worth follows from the catalog.
    @inlinable package static var dated: Self { Self(rawValue: 16) }
}

extension TransactionFact {
    /// Bought once, for a time that the catalog names.
    package var isNonRenewing: Bool {
        (kind == "Non-Renewing Subscription" || kind == Self.oneTimeKind) && expires == nil
    }

    /// Whether it was bought for a time that the catalog names, or for good: in other stores than
    /// Apple's the store does not tell that from a pack of credits.
    package func isDated(in key: SubscriptionKey, under policy: Policy) -> Bool {
        guard isNonRenewing else { return false }
        return key.store.tellsPacks || policy.packSize(of: productName(in: key)) == nil
    }

    /// How many of the items bought were not refunded.
    ///
    /// A refund of some of several takes those. Any other takes all where Apple took access back
    /// with it; elsewhere a part of the money takes only items that are paid back wholly.
    package var unitsLeft: Int64 {
        guard revoked != nil else { return packQuantity }
        let items = Pack.items(ofShare: revokedShare, of: packQuantity)
        if kind == Self.oneTimeKind {
            return packQuantity - (items ?? revokedShare * packQuantity / Self.wholeShare)
        }
        return items.map { $0 > 0 ? packQuantity - $0 : 0 } ?? 0
    }
}

extension Subscription {
    /// Each purchase for a number of days in it, once whatever its transaction is called: restored
    /// ones have other ids.
    package var datedPurchases: [TransactionFact] {
        guard isDated, !isUnpaid else { return [] }
        var found: [TransactionFact] = []
        for one in transactions where one.isNonRenewing && isStillNamed(one) {
            guard let last = found.last, last.purchased == one.purchased else {
                found.append(one)
                continue
            }
            if last.isOlder(than: one) { found[found.count - 1] = one }
        }
        return found.map(withRevocation)
    }

    /// The eras of the purchases for a number of days: those that were not refunded, else the last
    /// one.
    var datedEras: [Era] {
        let purchases = datedPurchases
        let left = purchases.filter { $0.unitsLeft > 0 }
        return (left.isEmpty ? purchases.suffix(1) : left[...])
            .map { one in
                let units = one.unitsLeft
                return Era(
                    from: one.purchased,
                    productID: one.productName(in: key),
                    paidUntil: nil,
                    graceUntil: nil,
                    marks: .dated(
                        units: units > 0 ? units : one.packQuantity,
                        isRevoked: units == 0
                    )
                )
            }
    }
}

extension Desk {
    /// Remembers what was bought for a number of days: whoever keeps the catalog is told where it
    /// lacks them.
    mutating func noteProducts(ofDated subscription: Subscription) {
        for one in subscription.transactions where one.isNonRenewing {
            let name = one.productName(in: subscription.key)
            if datedProducts.contains(name) { continue }
            guard datedProducts.count < Limits.datedProductsMax else { return }
            datedProducts.append(name)
        }
    }
}

extension Answer {
    /// The same with the moments at which purchases for a number of days begin and end.
    package func dated(under policy: Policy) -> Answer {
        var answer = self
        answer.date(under: policy)
        return answer
    }

    /// Puts in the moments at which purchases for a number of days begin and end.
    ///
    /// First bought, first used: of one plan and environment each begins when it was bought, or
    /// when those before it end. What was refunded takes no part, so what is behind it moves up.
    package mutating func date(under policy: Policy) {
        guard flags.contains(.dated) else { return }
        dateEach(under: policy)
        // What follows on within one purchase prolongs it, as an announced renewal does.
        for index in slots.indices.dropLast().reversed() {
            let next = slots[index + 1]
            guard slots[index].marks.contains(.dated), next.ordinal == slots[index].ordinal,
                next.from == slots[index].paidUntil
            else { continue }
            slots[index].paidUntil = next.paidUntil
        }
    }

    /// The same, where each ends by itself.
    mutating func dateEach(under policy: Policy) {
        flags.remove(.dated)
        for index in slots.indices where slots[index].marks.contains(.dated) {
            slots[index].graceUntil = .distantPast
        }
        var last: Int?
        // No list is made: this is done for every question about such an account.
        while let index = nextDated(after: last) {
            let slot = slots[index]
            let one = policy.length(ofNumber: slot.product)
            let length = one == Policy.goodLength ? one : one * slot.marks.units
            var begin = slot.from
            if length > 0, !slot.marks.contains(.revoked) {
                for other in slots where other.precedes(slot, under: policy) {
                    begin = max(begin, other.paidUntil)
                }
            }
            // Until all have one, the beginning stands where no purchase of this kind has anything,
            // and the order in which they were bought stays.
            slots[index].graceUntil = begin
            slots[index].paidUntil =
                length > 0 ? begin.advanced(byMilliseconds: length) : .distantPast
            last = index
        }
        for index in slots.indices where slots[index].marks.contains(.dated) {
            slots[index].from = slots[index].graceUntil
            slots[index].graceUntil = .distantPast
        }
    }

    /// The next slot of a purchase for a number of days, in the order in which they were bought.
    private func nextDated(after last: Int?) -> Int? {
        var next: Int?
        for index in slots.indices where slots[index].marks.contains(.dated) {
            if let last, (slots[index].from, index) <= (slots[last].from, last) { continue }
            if let next, slots[next].from <= slots[index].from { continue }
            next = index
        }
        return next
    }
}

extension Slot {
    /// Whether it holds beside `other`, a slot of the same purchase, and does not end it: an item
    /// of a subscription, or another product that was bought once with it.
    @inlinable
    func isBeside(_ other: Slot) -> Bool {
        marks.isBeside
            || marks.contains(.dated) && other.marks.contains(.dated) && product != other.product
    }

    /// Whether this one, which has its moments, is used before `later`.
    fileprivate func precedes(_ later: Slot, under policy: Policy) -> Bool {
        guard marks.contains(.dated), graceUntil != .distantPast, !marks.contains(.revoked) else {
            return false
        }
        // What is bought for good moves nothing.
        return environment == later.environment
            && paidUntil != .distantPast && paidUntil != .distantFuture
            && policy.plan(ofNumber: product) == policy.plan(ofNumber: later.product)
    }
}

extension Account {
    /// Whether the purchases for a number of days in `eras` may be listed; makes room where there
    /// is none, by putting away the oldest.
    ///
    /// A user who buys a pass every day must not lose today's.
    mutating func makesRoom(forDated eras: [Slot], of key: SubscriptionKey) -> Bool {
        guard let first = eras.first, first.marks.contains(.dated) else { return true }
        let own = subscriptions.firstIndex(of: key).map { UInt16($0) }
        while true {
            let others = answer.slots.filter { $0.marks.contains(.dated) && $0.ordinal != own }
            guard others.count + eras.count > Limits.datedSlotsMax else { return true }
            guard let oldest = others.min(by: { ($0.from, $0.ordinal) < ($1.from, $1.ordinal) }),
                oldest.from < first.from
            else {
                remove(key)
                return false
            }
            remove(subscriptions[Int(oldest.ordinal)])
        }
    }

    /// Brings the flag that says whether there are purchases for a number of days up to the slots.
    mutating func noteDated() {
        let isDated = answer.slots.contains { $0.marks.contains(.dated) }
        if isDated { answer.flags.insert(.dated) } else { answer.flags.remove(.dated) }
    }
}

extension Command {
    /// Marks purchases for a number of days as such, for those that `events` bring or `facts` show.
    ///
    /// An event of its own says it, because older journals have such purchases without any worth:
    /// what they make stays what it was.
    func datingEvents(
        after events: [Event],
        showing facts: [Fact],
        on desk: Desk,
        under policy: Policy
    ) -> [Event] {
        var keys: Set<SubscriptionKey> = []
        for event in events {
            guard case .merged(let fact) = event,
                fact.transactions.contains(where: { $0.isDated(in: fact.key, under: policy) })
            else { continue }
            keys.insert(fact.key)
        }
        for key in facts.map(\.key) {
            let kept = desk.subscriptions[key]?.transactions ?? []
            if kept.contains(where: { $0.isDated(in: key, under: policy) }) { keys.insert(key) }
        }
        return keys.filter { !(desk.subscriptions[$0]?.isDated ?? false) }.sorted()
            .map { .dated($0) }
    }
}
