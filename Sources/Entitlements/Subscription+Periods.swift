/// A period of a subscription that was paid for, or is a free trial, and what the store says of it.
package struct PaidPeriod: Hashable, Sendable {
    /// What it is remembered by.
    package fileprivate(set) var key: PackKey
    /// What was bought, as accounts call it (`ProductName`); several items of a subscription at
    /// Google Play may begin together.
    package let productIDs: [String]
    /// When it begins.
    package let begins: Moment
    /// When it ends: also by an upgrade or a refund.
    package let ends: Moment
    /// Up to when it was paid, whatever ends it before.
    package let paidUntil: Moment
    /// How many were bought at once.
    package let units: Int64
    /// How much of it was refunded, in thousandths of a percent.
    package let revokedShare: Int64
    /// Whether it is of a plan that is paid before, without a renewal.
    package let isPrepaid: Bool
    /// Whether it is a free trial.
    package let isTrial: Bool
    /// False where it never was one: replaced by an upgrade, refunded or superseded before it
    /// began.
    package let counts: Bool
    /// What the items before it bought that begin with it: a plan of theirs gives no second time.
    package var precedingProductIDs: [String] = []
    /// False for an item beside others that gave their credits before it was known.
    package var mayGive = true

    /// Whether what was given for it may stand: it is a period, and of the kind that it was taken
    /// for.
    func stands(as given: Pack) -> Bool { counts && isTrial == given.isOfTrial }

    /// The same as the store has it under the name of `successor`: as it is there, or up to the
    /// first period that begins there before it ends.
    ///
    /// Where the store answers with whole states, what took its place has shortened it already;
    /// that is undone where the rest of it goes on there, or was topped up.
    ///
    /// - Parameters:
    ///   - successor: the purchase that took its place.
    ///   - periods: the paid periods of that one.
    ///   - given: what this period gave.
    /// - Returns: the period with the end, and the refund, that it has there.
    func going(
        on successor: Subscription,
        with periods: [PaidPeriod],
        given: Pack?
    ) -> PaidPeriod {
        let periods = periods.filter { $0.counts && $0.begins >= begins }
        if successor.isOfSnapshots {
            guard revokedShare == 0 else { return self }
            let rest = periods.first { isCarried(into: $0, of: successor, given: given) }
            if let rest { return ending(at: rest.ends) }
            // A top-up prolongs what is paid, and takes nothing of it.
            let isToppedUp = periods.contains {
                isPrepaid && $0.isPrepaid && $0.productIDs == productIDs && isRunning(at: $0.begins)
            }
            return isToppedUp ? ending(at: max(paidUntil, given?.until ?? paidUntil)) : self
        }
        guard let there = periods.min(by: { $0.begins < $1.begins }) else { return self }
        guard there.begins == begins else { return ending(at: min(ends, there.begins)) }
        return ending(at: there.ends, revokedShare: max(revokedShare, there.revokedShare))
    }

    /// Whether `there` is the rest of it, in the purchase that replaced its own.
    ///
    /// At Google a replacement that is deferred to the end of what is paid gets a token at once,
    /// and what was paid before goes on under that. What was replaced may then be shown with
    /// another end, but the credits that it gave (`given`) have the one of before.
    func isCarried(into there: PaidPeriod, of successor: Subscription, given: Pack?) -> Bool {
        guard productIDs == there.productIDs, isRunning(at: there.begins) else { return false }
        return paidUntil == there.paidUntil || given?.until == there.paidUntil
            || successor.renewal?.nextProductID != nil
    }

    /// Whether it had begun at `moment`, and had not ended long before.
    ///
    /// Google does not say when a period begins: each payment counts as a second after the one
    /// before (`PlaySubscription`), and what was replaced may be shown to end just then.
    private func isRunning(at moment: Moment) -> Bool {
        begins <= moment
            && moment <= paidUntil.advanced(byMilliseconds: Limits.replacedEarlyMilliseconds)
    }

    func ending(at moment: Moment, revokedShare share: Int64? = nil) -> PaidPeriod {
        PaidPeriod(
            key: key,
            productIDs: productIDs,
            begins: begins,
            ends: moment,
            paidUntil: paidUntil,
            units: units,
            revokedShare: share ?? revokedShare,
            isPrepaid: isPrepaid,
            isTrial: isTrial,
            counts: counts,
            precedingProductIDs: precedingProductIDs,
            mayGive: mayGive
        )
    }
}

extension Subscription {
    /// The paid periods and free trials whose end the store names, each once for its beginning,
    /// whatever its transactions are called; at Stripe each item that begins then has its own.
    ///
    /// - Parameter given: what a period gave, which says whose it is of several items.
    /// - Returns: the periods, oldest first.
    package func paidPeriods(_ given: (PackKey) -> Pack?) -> [PaidPeriod] {
        let counted = Set(counted)
        var found: [PaidPeriod] = []
        var place = transactions.startIndex
        while place < transactions.endIndex {
            let begins = transactions[place].purchased
            let later = transactions[place...].firstIndex { $0.purchased != begins }
            let next = later ?? transactions.endIndex
            // Stripe takes back the period of a renewal that was announced and not paid.
            let alike = (place..<next)
                .filter { transactions[$0].namesPeriod || isTakenBack(transactions[$0]) }
            let live = alike.filter { counted.contains($0) && transactions[$0].namesPeriod }
            place = next
            if key.store.sellsItems {
                found += itemPeriods(of: alike, live: live, given)
                continue
            }
            guard let newest = newest(of: live.isEmpty ? alike : live) else { continue }
            let one = withRevocation(transactions[newest])
            let items = live.filter {
                isOfSnapshots && $0 != newest && transactions[$0].version == one.version
            }
            found.append(
                period(
                    .period(of: key, from: begins),
                    of: one,
                    productIDs: ([newest] + items).map { transactions[$0].productName(in: key) },
                    counts: !live.isEmpty
                )
            )
        }
        return isOfSnapshots && !key.store.sellsItems ? numbered(found, given) : found
    }

    /// The same, each item of one payment by what it is remembered by, whatever its number is now.
    ///
    /// At Google the items of a payment begin a millisecond apart, by their number in the answer:
    /// an item that is added or removed gives the others other numbers. What was given says for
    /// which item; and an item that is named twice, by a former number as well, gives only once.
    private func numbered(_ periods: [PaidPeriod], _ given: (PackKey) -> Pack?) -> [PaidPeriod] {
        var periods = periods
        var start = periods.startIndex
        while start < periods.endIndex {
            let near = periods[start].begins.advanced(byMilliseconds: Limits.itemsApartMilliseconds)
            let next = periods[start...].firstIndex { $0.begins >= near } ?? periods.endIndex
            if next - start > 1 { number(&periods, start..<next, given) }
            start = next
        }
        return periods
    }

    private func number(
        _ periods: inout [PaidPeriod],
        _ places: Range<Int>,
        _ given: (PackKey) -> Pack?
    ) {
        // The item that the newest state names first, and what it called by another number behind.
        let newest = Set(statedTransactions.map(\.purchased))
        let left = places.filter { newest.contains(periods[$0].begins) }
        var waiting = left + places.filter { !left.contains($0) }
        var seen: Set<[String]> = []
        for place in waiting where !seen.insert(periods[place].productIDs).inserted {
            periods[place].mayGive = false
        }
        var free: [PackKey] = []
        for key in places.map({ periods[$0].key }) {
            let name = given(key).map { $0.source.drop { $0 != ":" }.dropFirst() }
            let owner = waiting.first { place in
                name.map { name in periods[place].productIDs.contains { $0 == name } } ?? false
            }
            guard let owner else {
                free.append(key)
                continue
            }
            periods[owner].key = key
            waiting.removeAll { $0 == owner }
        }
        // What gave something for an item that is gone stays behind those that may give.
        free.sort { given($0) == nil && given($1) != nil }
        for (place, key) in zip(waiting, free) { periods[place].key = key }
    }

    /// The period of a transaction, remembered by `name`.
    func period(
        _ name: PackKey,
        of one: TransactionFact,
        productIDs: [String],
        counts: Bool
    ) -> PaidPeriod {
        PaidPeriod(
            key: name,
            productIDs: productIDs,
            begins: one.purchased,
            ends: end(ofPeriod: one),
            paidUntil: one.expires ?? one.purchased,
            units: 1,
            revokedShare: one.revokedShare,
            isPrepaid: one.kind == TransactionFact.prepaidKind,
            isTrial: one.isTrial,
            counts: counts
        )
    }

    /// Whether it names a period no more in which nothing is.
    private func isTakenBack(_ one: TransactionFact) -> Bool {
        isOfSnapshots && one.isAutoRenewable && one.expires.map { $0 <= one.purchased } ?? false
    }

    /// Whether its store says that what it names is not paid, or not given.
    var isWithheld: Bool {
        guard isOfSnapshots, let code = status.flatMap({ StatusCode(rawValue: $0.code) }) else {
            return false
        }
        return switch code {
        case .paused, .pending, .revoked, .expired: true
        case .active, .retry, .grace: false
        }
    }

    func newest(of places: [Int]) -> Int? {
        places.max { transactions[$0].isOlder(than: transactions[$1]) }
    }

    /// Where something else was bought before it is over, it ends there; where it was refunded,
    /// then.
    private func end(ofPeriod one: TransactionFact) -> Moment {
        var end = one.expires ?? one.purchased
        // What was migrated goes on under its new name: see `going(on:)`.
        if let replacedAt, isOfSnapshots { end = min(end, max(replacedAt, one.purchased)) }
        if key.store.sellsItems {
            end = endOfItem(one, until: end)
        } else {
            for place in transactions.indices where key.store.tellsBeginnings {
                if takesPlace(place, of: one, until: end) { end = transactions[place].purchased }
            }
        }
        if let revoked = one.revoked { end = min(end, max(revoked, one.purchased)) }
        return end
    }

    /// Whether something else was bought here while `one`, which is paid until `end`, was running.
    func takesPlace(_ place: Int, of one: TransactionFact, until end: Moment) -> Bool {
        let other = transactions[place]
        guard one.purchased < other.purchased, other.purchased < end, other.namesPeriod else {
            return false
        }
        return !other.neverBegan && !other.isReplacedRenewal && !isSuperseded(place)
    }

    /// The paid periods of what was bought for a number of days, as the account of its owner has
    /// them.
    func datedPeriods(in account: Account, under policy: Policy) -> [PaidPeriod] {
        let ends = account.datedEnds(of: key, under: policy)
        return datedPurchases.compactMap { one in
            let isRevoked = one.unitsLeft == 0
            guard let end = ends[one.purchased] ?? (isRevoked ? one.revoked : nil) else {
                return nil
            }
            return PaidPeriod(
                key: .period(of: key, from: one.purchased),
                productIDs: [one.productName(in: key)],
                begins: one.purchased,
                ends: isRevoked ? max(one.purchased, one.revoked ?? end) : end,
                paidUntil: end,
                units: one.packQuantity,
                revokedShare: isRevoked ? TransactionFact.wholeShare : one.revokedShare,
                isPrepaid: false,
                isTrial: false,
                counts: true
            )
        }
    }

    /// Whose it was at `moment`, as links, claims and tokens tell; nil where they do not.
    func owner(at moment: Moment, _ holder: (Token) -> UserID?) -> UserID? {
        let link = linkedAt <= moment ? ownLink : nil
        for claim in claims.reversed() where claim.purchased <= moment {
            if let link, linkedAt >= claim.purchased { return link }
            if let user = holder(claim.token) { return user }
        }
        let token = newestToken { $0.purchased <= moment }
        return link ?? named.first?.user ?? token.flatMap(holder) ?? (isHandedOn ? self.link : nil)
    }
}

extension Account {
    /// When each purchase for a number of days in `key` ends, by the moment at which it was made.
    ///
    /// Refunded ones, and those without their days, have no end.
    func datedEnds(of key: SubscriptionKey, under policy: Policy) -> [Moment: Moment] {
        guard let place = subscriptions.firstIndex(of: key) else { return [:] }
        var dated = answer
        dated.dateEach(under: policy)
        var ends: [Moment: Moment] = [:]
        for (slot, bought) in zip(dated.slots, answer.slots) where Int(slot.ordinal) == place {
            guard slot.marks.contains(.dated), !slot.marks.contains(.revoked),
                slot.paidUntil != .distantPast
            else { continue }
            ends[bought.from] = slot.paidUntil
        }
        return ends
    }
}
