/// A stretch of time in which one transaction is the current one.
///
/// What it is worth at a moment inside is its standing.
package struct Era: Hashable, Sendable {
    /// When the transaction becomes the current one; the first era holds before that too.
    package var from: Moment
    /// The current transaction's product, as accounts call it (`ProductName`).
    package var productID: String
    /// The end of what is paid, prolonged through announced renewals; nil where nothing was.
    package var paidUntil: Moment?
    /// The end of the store's grace period.
    package var graceUntil: Moment?
    /// What else the rule of access looks at.
    package var marks: EraMarks

    /// An era with these parts.
    package init(
        from: Moment,
        productID: String,
        paidUntil: Moment?,
        graceUntil: Moment?,
        marks: EraMarks
    ) {
        self.from = from
        self.productID = productID
        self.paidUntil = paidUntil
        self.graceUntil = graceUntil
        self.marks = marks
    }
}

/// What the rule of access looks at beside moments.
///
/// The raw value is stored.
@frozen
package struct EraMarks: OptionSet, Hashable, Sendable {
    /// The bits.
    package let rawValue: UInt16

    /// The marks with these bits.
    @inlinable
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The current transaction is refunded or withdrawn, or the store's newest word is "revoked".
    @inlinable package static var revoked: Self { Self(rawValue: 1) }
    /// Auto-renewal is off.
    @inlinable package static var renewalOff: Self { Self(rawValue: 2) }
    /// The current transaction is a free trial.
    @inlinable package static var trial: Self { Self(rawValue: 4) }
    /// The store is trying to charge the card.
    @inlinable package static var billingProblem: Self { Self(rawValue: 8) }
    /// The store announced a grace period without an end.
    @inlinable package static var openGrace: Self { Self(rawValue: 16) }
    /// A subscription that renews by itself, and nothing says that it will not.
    @inlinable package static var renews: Self { Self(rawValue: 32) }
    /// The store said that it has expired.
    @inlinable package static var saidExpired: Self { Self(rawValue: 64) }
    // Those below are of no purchase for a number of days, which counts with their bits.
    /// Nothing is paid yet.
    @inlinable package static var pending: Self { Self(rawValue: 256) }
    /// The customer has paused it, or it waits for a way to pay.
    @inlinable package static var paused: Self { Self(rawValue: 512) }
    /// All of the time up to `graceUntil` is grace.
    @inlinable package static var inGrace: Self { Self(rawValue: 1024) }
    /// Owned beside the era before it, and at the same time.
    @inlinable package static var beside: Self { Self(rawValue: 2048) }

    /// Whether something else than the moments decides, or more of them.
    @inlinable package var isSpecial: Bool { rawValue & 0x0f01 != 0 }
    /// Whether it is owned at the same time as the era before it.
    @inlinable package var isBeside: Bool { rawValue & 0x0880 == 0x0800 }
    /// Whether nothing is paid yet.
    @inlinable package var isPending: Bool { rawValue & 0x0180 == 0x0100 }
}

extension Subscription {
    /// The current transaction at `now`: the greatest by (purchase, signature, id) that has begun,
    /// otherwise the earliest to come.
    ///
    /// Those that never count are skipped (`counts`), other revoked ones are not.
    package func current(at now: Moment) -> TransactionFact? {
        if isOfSnapshots { return statedLives.first?.transaction }
        return current(at: now, among: counted).map { transactions[$0] }
    }

    /// The era at `now`: the full fold, from which a flat answer is made.
    ///
    /// Nil without transactions.
    package func era(at now: Moment) -> Era? {
        isOfSnapshots ? statedLives.first?.era : era(at: now, among: counted)
    }

    /// All eras from `now` on: the one that holds now, and one for each transaction to come.
    package func eras(from now: Moment) -> [Era] {
        let dated = datedEras
        if !dated.isEmpty { return dated }
        if isOfSnapshots { return statedEras(from: now) }
        let counted = counted
        var starts = (counted.map { transactions[$0].purchased } + replacementMoments)
            .filter { $0 > now }.sorted()
        starts.insert(now, at: 0)
        var eras: [Era] = []
        var last: (place: Int?, isGone: Bool) = (nil, false)
        for start in starts {
            let current = current(at: start, among: counted)
            let isGone = isGone(current, at: start)
            // An announced renewal begins an era also where nothing but the transaction's id
            // changes: that it has begun is shown, and told.
            guard (current, isGone) != last, var era = era(at: start, among: counted) else {
                continue
            }
            last = (current, isGone)
            if isGone {
                // Nothing is left of it from then on: nothing to give, and nothing to show. Before
                // a later purchase that is known already, too.
                era = Era(
                    from: eras.isEmpty ? era.from : start,
                    productID: era.productID,
                    paidUntil: nil,
                    graceUntil: nil,
                    marks: []
                )
            }
            // The first one holds from the beginning of time as far as later moments can tell.
            if eras.isEmpty { era.from = min(era.from, now) }
            eras.append(era)
        }
        // A pack of credits is no subscription, and leaves nothing in the account to look at.
        return eras.contains { $0.paidUntil != nil } ? eras : []
    }

    /// What the store says of the transaction that is current at `now`, without what it said of a
    /// former life.
    package func words(at now: Moment) -> StoreWords? {
        if isOfSnapshots {
            guard !statedLives.isEmpty else { return nil }
            return StoreWords(wholly: self)
        }
        return current(at: now, among: counted).map { words(about: $0) }
    }

    /// The places of the transactions that count, in their order.
    ///
    /// Not those that were replaced by an upgrade; those that were refunded before they began, as
    /// an early renewal may be; and those that were superseded: announced, and then something else
    /// was bought before they began. A later refund does not revive a superseded one.
    var counted: [Int] {
        // Members are read in place, here and below: a copy of a transaction is one of all its
        // texts.
        transactions.indices.filter { place in
            !transactions[place].isUpgraded && !transactions[place].neverBegan
                && !isSuperseded(place)
        }
    }

    /// Whether something else was bought between the last unrevoked word on a transaction and its
    /// beginning, here or under the original id under which the subscription went on.
    func isSuperseded(_ place: Int) -> Bool {
        if isOverbought(place) { return true }
        guard !isOfSnapshots, let said = traces[place].unrevoked else { return false }
        return wasReplaced(after: said, before: transactions[place].purchased)
    }

    private func isOverbought(_ place: Int) -> Bool {
        let begins = transactions[place].purchased
        guard let said = traces[place].unrevoked, said < begins else { return false }
        return transactions.indices.contains { other in
            let purchased = transactions[other].purchased
            return said < purchased && purchased < begins
        }
    }

    /// Whether the store's history may know more of what holds at `now`: an announced period was
    /// superseded, and the store says only there that it was replaced.
    package func isPuzzling(at now: Moment) -> Bool {
        if isOfSnapshots { return false }
        return transactions.indices.contains { place in
            let one = transactions[place]
            guard !one.isUpgraded, one.revoked == nil, let expires = one.expires else {
                return false
            }
            return now < expires && isOverbought(place)
        }
    }

    /// Since when the store must know of a transaction that is not here; nil if nothing shows that.
    ///
    /// One was replaced by an upgrade, and nothing here took its place. Or the one that holds at
    /// `now` was refunded, and the store said then that the subscription is active: by something
    /// else. That is settled once the store has signed the refunded one again, in an answer.
    package func missingSince(at now: Moment) -> Moment? {
        guard !isOfSnapshots, replacements.isEmpty, successors.isEmpty else { return nil }
        if let place = transactions.lastIndex(where: { $0.isUpgraded }), !isFollowed(place) {
            return min(transactions[place].purchased, traces[place].first)
        }
        guard let status, status.code == StatusCode.active.rawValue,
            let refunded = current(at: now), let revoked = refunded.revoked,
            refunded.expires != nil, revoked <= status.version.signed,
            refunded.version.signed <= status.version.signed
        else { return nil }
        return status.version.signed
    }

    /// Whether something here may have taken the place of the upgraded transaction at `place`: it
    /// begins later, or holds when that one begins.
    ///
    /// Not a renewal that was announced before the upgrade, which replaced it, too.
    private func isFollowed(_ place: Int) -> Bool {
        let (begins, said) = (transactions[place].purchased, transactions[place].version.signed)
        return transactions.contains { other in
            if other.isUpgraded || (other.version.signed < said && said < other.purchased) {
                return false
            }
            return other.purchased >= begins || (other.expires.map { $0 > begins } ?? false)
        }
    }

    private func current(at now: Moment, among counted: [Int]) -> Int? {
        var begun: Int?
        var coming: Int?
        for place in counted {
            if transactions[place].purchased <= now {
                if begun.map({ isOlder($0, than: place) }) ?? true { begun = place }
            } else if coming.map({ isOlder(place, than: $0) }) ?? true {
                coming = place
            }
        }
        return begun ?? coming
    }

    /// `TransactionFact.isOlder` of two that are here; most often the moments decide.
    private func isOlder(_ one: Int, than other: Int) -> Bool {
        let (mine, its) = (transactions[one].purchased, transactions[other].purchased)
        return mine != its ? mine < its : transactions[one].isOlder(than: transactions[other])
    }

    private func era(at now: Moment, among counted: [Int]) -> Era? {
        guard let place = current(at: now, among: counted) else { return nil }
        let current = transactions[place]
        let words = words(about: place)
        var era = Era(
            from: current.purchased,
            productID: current.productID,
            paidUntil: paidUntil(from: current, among: counted),
            graceUntil: nil,
            marks: []
        )
        if current.isTrial { era.marks.insert(.trial) }
        if isRevoked(current, words) { era.marks.insert(.revoked) }
        if words.renewal?.endsRenewing == true { era.marks.insert(.renewalOff) }
        if words.status?.code == 2 { era.marks.insert(.saidExpired) }
        markBilling(&era, words)
        let isReplaced =
            replacements.isEmpty ? !successors.isEmpty : isGone(place, at: .distantFuture)
        // Of a commitment the payments go on, whether another one follows or not.
        // What goes on under another original id is renewed there.
        let isOff =
            words.renewal?.autoRenew == false || words.renewal?.isLast(current) == true
            || isReplaced
        let isSilent = !isOff && era.marks.isDisjoint(with: [.billingProblem, .saidExpired])
        if current.isAutoRenewable, isSilent { era.marks.insert(.renews) }
        return era
    }

    /// What was signed before the transaction began is of a former life: before its purchase, or
    /// before its earliest version, where it was announced.
    private func words(about place: Int) -> StoreWords {
        let current = transactions[place]
        let begun = min(current.purchased, traces[place].first)
        var words = StoreWords()
        if let renewal, renewal.version.signed >= begun { words.renewal = renewal }
        if let status, status.version.signed >= begun { words.status = status }
        let bound = commitmentBegun(of: current) ?? begun
        if let disabled = renewalDisabled, disabled >= min(begun, bound) {
            words.renewalDisabled = disabled
        }
        // A card is refused at the end of a period. What is said of that in the first half of one
        // is about the one before: after a recovery in grace it begins where that one has ended.
        guard let expires = current.expires, expires > current.purchased else { return words }
        let half = expires.milliseconds(since: current.purchased) / 2
        words.billingFrom = current.purchased.advanced(byMilliseconds: half)
        return words
    }

    /// When the commitment began of which `transaction` pays a period; it is turned off once for
    /// all of them.
    private func commitmentBegun(of transaction: TransactionFact) -> Moment? {
        guard let end = transaction.terms.commitment?.expires else { return nil }
        return transactions.filter { $0.terms.commitment?.expires == end }.map(\.purchased).min()
    }

    /// The end of `current`, prolonged through every later unrevoked transaction that begins before
    /// the end reached so far.
    private func paidUntil(from current: TransactionFact, among counted: [Int]) -> Moment? {
        guard var end = current.expires else {
            // Bought for good. Other purchases without an end give nothing by themselves.
            return current.isBoughtForGood ? .distantFuture : nil
        }
        for place in counted {
            let begins = transactions[place].purchased
            guard begins > current.purchased, begins <= end else { continue }
            guard revoked(transactions[place]) == nil, let expires = transactions[place].expires
            else { continue }
            end = max(end, expires)
        }
        return end
    }

    /// Refunded, or withdrawn by the store's newest word; which is about an early renewal where
    /// one was refunded before it began.
    private func isRevoked(_ current: TransactionFact, _ words: StoreWords) -> Bool {
        if revoked(current) != nil { return true }
        guard let status = words.status, status.code == 5 else { return false }
        guard status.version.signed >= current.version.signed else { return false }
        return !transactions.indices.contains { place in
            transactions[place].neverBegan && current.isOlder(than: transactions[place])
        }
    }

    /// Grace and billing retry.
    ///
    /// A word of the store that the period is over (2, 3, 5) ends a grace announced before it or
    /// with it.
    private func markBilling(_ era: inout Era, _ words: StoreWords) {
        let (renewal, status) = (words.renewal, words.billingStatus)
        let code = status?.code
        let isRetrying = words.isRetrying
        var statusIsNewer = status != nil
        if let status, let renewal {
            statusIsNewer = status.version.signed >= renewal.version.signed
        }
        let isOver = statusIsNewer && code == 2
        if isRetrying, !isOver { era.marks.insert(.billingProblem) }
        if statusIsNewer, code == 3 || code == 4 { era.marks.insert(.billingProblem) }
        let endsGrace = statusIsNewer && (code == 2 || code == 3 || code == 5)
        // The flag is false in some announcements of a grace period; the status says it.
        if let until = words.graceUntil, isRetrying || code == 4, !endsGrace {
            era.graceUntil = until
            era.marks.insert(.billingProblem)
        } else if statusIsNewer || isRetrying || renewal?.autoRenew != false, code == 4,
            words.graceUntil == nil
        {
            era.marks.insert(.openGrace)
        }
    }
}

/// What the store says of one transaction.
package struct StoreWords: Hashable, Sendable {
    /// The newest renewal information.
    package fileprivate(set) var renewal: RenewalFact?
    /// The newest word on the state.
    package fileprivate(set) var status: StatusFact?
    /// When it was last signed that auto-renewal was turned off.
    package fileprivate(set) var renewalDisabled: Moment?
    /// From when on what is said of a refused card is about this one.
    fileprivate var billingFrom: Moment = .distantPast

    /// What is said of one that is known from a state: all of it.
    fileprivate init(wholly subscription: Subscription) {
        renewal = subscription.renewal
        status = subscription.status
        renewalDisabled = subscription.renewalDisabled
    }

    fileprivate init() {}

    /// Whether the store is charging the card again.
    fileprivate var isRetrying: Bool {
        guard let renewal, renewal.version.signed >= billingFrom else { return false }
        return renewal.isInBillingRetry
    }

    /// The end of the grace period.
    fileprivate var graceUntil: Moment? {
        guard let renewal, renewal.version.signed >= billingFrom else { return nil }
        return renewal.graceUntil
    }

    /// The word on the state, where it is not of an earlier refusal.
    fileprivate var billingStatus: StatusFact? {
        guard let status, status.code == 3 || status.code == 4 else { return status }
        return status.version.signed >= billingFrom ? status : nil
    }
}
