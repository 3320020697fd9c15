// Items of one subscription at Stripe: each has a period of its own, and credits of its own for it.
//
// The transaction of an item is called after the newest invoice, so one period has several names.
// Here an item is known by its price, which a subscription has once.

extension TransactionFact {
    /// What tells the items of a subscription apart, whatever their transactions are called.
    var itemName: String { terms.variant ?? productID }

    /// Whether `name`, as accounts call products, is that of this item; a lookup key may have moved
    /// to another price since.
    fileprivate func isCalled(_ name: some StringProtocol, in key: SubscriptionKey) -> Bool {
        var (mine, its) = (self, name.split(separator: ":", maxSplits: 3))
        mine.terms.lookupKey = nil
        if its.count == 4 { its.removeLast() }
        return mine.productName(in: key) == its.joined(separator: ":")
    }
}

extension Subscription {
    /// The newest word on one of the items that begin at one moment.
    private struct Line {
        let place: Int
        /// Whether it counts: see `counted`.
        let isLive: Bool
        /// Whether the newest state that names the moment names the item, too.
        let isPresent: Bool
    }

    /// The periods of the items that begin at one moment.
    ///
    /// The first item is remembered by the beginning alone, as the one item of most subscriptions
    /// is; the others by their price, too. What was given says which one was the first.
    ///
    /// - Parameters:
    ///   - alike: the places of the transactions that begin then.
    ///   - live: those that count.
    ///   - given: what a period gave.
    /// - Returns: the periods: of items that were removed only where they gave something.
    func itemPeriods(
        of alike: [Int],
        live: [Int],
        _ given: (PackKey) -> Pack?
    ) -> [PaidPeriod] {
        let lines = lines(of: alike, live)
        guard let some = lines.first else { return [] }
        let whole = PackKey.period(of: key, from: transactions[some.place].purchased)
        let pack = given(whole)
        func own(_ line: Line) -> PackKey { .period(of: key, item: transactions[line.place]) }
        let free = lines.filter { given(own($0)) == nil }
        let first = first(of: lines, free: free.filter(\.isPresent), alike, pack)
        let isNews = pack == nil && free.count == lines.count
        var found: [PaidPeriod] = []
        var before: [String] = []
        for line in lines {
            let isFirst = line.place == first?.place
            let one = transactions[line.place]
            let name = one.productName(in: key)
            if isFirst || line.isPresent || given(own(line)) != nil {
                var period = period(
                    isFirst ? whole : own(line),
                    of: one,
                    productIDs: [name],
                    counts: line.isLive
                )
                period.precedingProductIDs = before
                period.mayGive = isNews && line.isPresent
                found.append(period)
            }
            if line.isLive { before.append(name) }
        }
        guard first == nil, let pack, pack.refunded == 0 else { return found }
        // No transaction is left of the item that gave it: its invoice names another one now.
        let last = transactions[some.place]
        var gone = period(whole, of: last, productIDs: [], counts: true)
        gone = gone.ending(at: min(pack.until, last.version.signed), revokedShare: 0)
        return found + [gone]
    }

    /// The items, with what the newest state names first, and of that what ends last.
    private func lines(of alike: [Int], _ live: [Int]) -> [Line] {
        guard let newest = newest(of: live.isEmpty ? alike : live) else { return [] }
        let version = transactions[newest].version
        let items = Dictionary(grouping: alike) { transactions[$0].itemName }
        let lines = items.values.compactMap { places -> Line? in
            let counting = places.filter(live.contains)
            return self.newest(of: counting.isEmpty ? places : counting)
                .map { place in
                    Line(
                        place: place,
                        isLive: !counting.isEmpty,
                        isPresent: transactions[place].version == version
                    )
                }
        }
        return lines.sorted { left, right in
            if left.isPresent != right.isPresent { return left.isPresent }
            let (one, other) = (transactions[left.place], transactions[right.place])
            if one.expires != other.expires {
                return one.expires ?? .distantPast > other.expires ?? .distantPast
            }
            return other.isOlder(than: one)
        }
    }

    /// The item that is remembered by the beginning alone, where `pack` was given for that.
    ///
    /// First match wins: nothing was given yet; the item that it was given for, if the newest state
    /// names it; the item that took its place; the item itself, which was removed.
    ///
    /// - Parameters:
    ///   - lines: the items.
    ///   - free: those that are there, and have given nothing by themselves.
    ///   - alike: the places of the transactions that begin then.
    ///   - pack: what was given.
    /// - Returns: the item; nil where it is not known any more.
    private func first(of lines: [Line], free: [Line], _ alike: [Int], _ pack: Pack?) -> Line? {
        guard let pack else { return free.first }
        let name = pack.source.drop { $0 != ":" }.dropFirst()
        let giver = lines.first { transactions[$0.place].isCalled(name, in: key) }
        guard let giver else {
            return free.first { line in !hasMoved(line, alike) }
        }
        if giver.isPresent { return giver }
        // A state that names both is not one in which the one took the place of the other.
        let heir = free.first { line in
            let item = transactions[line.place].itemName
            return !alike.contains {
                transactions[$0].version == transactions[giver.place].version
                    && transactions[$0].itemName == item
            }
        }
        return heir ?? giver
    }

    /// Whether an invoice has two transactions of this item: another item was first in its states,
    /// and was removed.
    private func hasMoved(_ line: Line, _ alike: [Int]) -> Bool {
        let item = transactions[line.place].itemName
        let names = alike.map { transactions[$0] }.filter { $0.itemName == item }.map(\.id)
        return names.contains { name in names.contains { $0.hasPrefix(name + ":") } }
    }

    /// When an item that is paid until `end` ends.
    ///
    /// What the newest state names runs to its end, whatever was bought beside it. Anything else
    /// ends where something took its place; or, if it was removed, when it was last named. A state
    /// at the end of the period does not tell: the clocks of Stripe and of this host may differ.
    func endOfItem(_ one: TransactionFact, until end: Moment) -> Moment {
        guard let status, one.version != status.version else { return end }
        // Items of one state are owned side by side.
        let beside = Set(
            transactions.filter { $0.version == one.version }.map(\.purchased)
        )
        var next = end
        for place in transactions.indices where !beside.contains(transactions[place].purchased) {
            if takesPlace(place, of: one, until: next) { next = transactions[place].purchased }
        }
        guard next == end else { return next }
        let border = end.advanced(byMilliseconds: -Limits.replacedEarlyMilliseconds)
        let later = transactions.map(\.version) + [status.version]
        let isRemoved = later.contains { one.version < $0 && $0.signed < border }
        return isRemoved ? min(end, max(one.purchased, one.version.signed)) : end
    }
}
