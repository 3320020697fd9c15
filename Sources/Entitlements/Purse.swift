/// A user's credits: what can be spent, what is held, what is owed.
///
/// Laws:
///  P1. Buckets and holds have amounts above 0; no two buckets have one source and one end.
///  P2. Buckets are sorted by their end, and of one end by arrival: the order of spending.
///  P3. While anything is owed there is nothing to spend: what comes in pays first.
///  P4. What is spent, held, returned or ended is named part by part in the event, so that new code
///      cannot change an old balance.
///  P5. A hold that ends by itself returns at its end, whenever a command meets it: what a reader
///      expects of a moment does not depend on who asked before.
///  P6. A charge that is put back after a refund leaves what it would have left if it had been put
///      back before: what the refund forgave is taken then, and what it took of other credits for a
///      period comes back, though without an end.
package struct Purse: Hashable, Sendable {
    /// What can be spent, soonest end first.
    package internal(set) var buckets: [Bucket] = []
    /// What is set aside, oldest first; ended ones stay until a command meets them.
    package internal(set) var holds: [Hold] = []
    /// Credits that were spent and then refunded (`refundedCredits: debt`).
    package internal(set) var debt: Int64 = 0
    /// Credits that were spent and then refunded, and are not owed, oldest refund first.
    package internal(set) var forgiven: [Forgiveness] = []
    /// What is remembered of paid periods, at most one: most purses have none, and every part of a
    /// purse is copied with it.
    private var periods: [PeriodNotes] = []

    /// An empty purse.
    package init() {}

    /// A purse with these parts, as they were stored.
    package init(
        buckets: [Bucket],
        holds: [Hold],
        debt: Int64,
        forgiven: [Forgiveness] = [],
        moved: [PeriodMove] = [],
        ended: [Bucket] = []
    ) {
        self.buckets = buckets
        self.holds = holds
        self.debt = debt
        self.forgiven = forgiven
        if !moved.isEmpty || !ended.isEmpty {
            periods = [PeriodNotes(moved: moved, ended: ended)]
        }
    }

    /// Ends of paid periods that were moved, oldest first: what comes back goes where they went.
    package internal(set) var moved: [PeriodMove] {
        get { periods.first?.moved ?? [] }
        set { note(PeriodNotes(moved: newValue, ended: ended)) }
    }

    /// What was left of paid periods when they ended: they may be prolonged, or refunded.
    package internal(set) var ended: [Bucket] {
        get { periods.first?.ended ?? [] }
        set { note(PeriodNotes(moved: moved, ended: newValue)) }
    }

    /// Whether anything is remembered of paid periods.
    var hasPeriodNotes: Bool { !periods.isEmpty }

    private mutating func note(_ notes: PeriodNotes) {
        periods = notes.moved.isEmpty && notes.ended.isEmpty ? [] : [notes]
    }
}

/// What a purse remembers of paid periods.
private struct PeriodNotes: Hashable, Sendable {
    let moved: [PeriodMove]
    let ended: [Bucket]
}

/// What a refund could not take back of the pack itself, because it was spent.
///
/// It is remembered for as long as a charge from before can be put back.
package struct Forgiveness: Hashable, Sendable {
    /// The pack that was refunded, or the paid period.
    package let pack: PackKey
    /// When.
    package let at: Moment
    /// Where the journal keeps the refund: which of two commands of one moment came first.
    package let seq: UInt64
    /// How many credits, above 0, were not taken at all (`refundedCredits: floor`).
    ///
    /// Below 0: so many of the user's other credits were taken, or are owed, for what was spent of
    /// a period. That comes back to a period that is over, and so those come back in its place.
    package internal(set) var amount: Int64

    /// How many of the user's other credits were taken.
    package var covered: Int64 { max(0, -amount) }

    /// So many credits of a pack.
    package init(pack: PackKey, at: Moment, seq: UInt64, amount: Int64) {
        self.pack = pack
        self.at = at
        self.seq = seq
        self.amount = amount
    }
}

extension [Bucket] {
    /// The sum.
    package var total: Int64 { reduce(0) { $0 + $1.amount } }

    /// The first `amount` credits of them.
    func first(_ amount: Int64) -> [Bucket] {
        var missing = amount
        var parts: [Bucket] = []
        for var part in self where missing > 0 {
            part.amount = Swift.min(missing, part.amount)
            missing -= part.amount
            parts.append(part)
        }
        return parts
    }

    /// What is left when `parts` are taken out.
    func less(_ parts: [Bucket]) -> [Bucket] {
        if parts.isEmpty { return self }
        return map { bucket in
            var rest = bucket
            rest.amount -= parts.filter { $0.isAlike(bucket) }.total
            return rest
        }
        .filter { $0.amount > 0 }
    }
}

extension Purse {
    /// What can be spent at `now`.
    package func balance(at now: Moment) -> Int64 {
        if holds.contains(where: { $0.until <= now }) { return settled(at: now).sum(at: now) }
        // A period that has begun meanwhile has paid, also where it is over.
        if debt > 0, buckets.contains(where: \.isOfPeriod) {
            return settled(at: now).sum(at: now)
        }
        return sum(at: now)
    }

    private func sum(at now: Moment) -> Int64 {
        max(0, buckets.reduce(0) { $1.isOpen(at: now) ? $0 + $1.amount : $0 } - debt)
    }

    /// What is held at `now`.
    package func held(at now: Moment) -> Int64 {
        holds.filter { $0.until > now }.reduce(0) { $0 + $1.amount }
    }

    /// The purse at `now`, ended holds returned.
    package func settled(at now: Moment) -> Purse {
        var purse = self
        purse.endHolds(at: now)
        purse.prune(at: now)
        return purse
    }

    /// What became of holds that have ended by themselves.
    struct EndedHolds {
        /// What each of them returned.
        var returned: [(hold: Hold, parts: [Bucket])] = []
        /// What of them paid what was owed, and did not return.
        var paid: [Bucket] = []
        /// What periods that had begun before paid.
        var begun: [Bucket] = []
    }

    /// Ends the holds that have ended by themselves, each as of its end.
    ///
    /// Keeps P5.
    @discardableResult
    mutating func endHolds(at now: Moment) -> EndedHolds {
        var ended = EndedHolds()
        for hold in holdsEnded(at: now) {
            ended.begun += begin(at: hold.until)
            let paid = parts(of: hold.parts, payingAt: hold.until)
            debt -= paid.total
            ended.paid += paid
            let returned = hold.parts.less(paid)
            end(hold.id, returning: returned, at: now)
            ended.returned.append((hold, returned))
        }
        return ended
    }

    /// The holds that have ended by themselves, in the order of their ends; of one end, the oldest
    /// first.
    func holdsEnded(at now: Moment) -> [Hold] {
        guard !holds.isEmpty else { return [] }
        return holds.enumerated().filter { $0.element.until <= now }
            .sorted { ($0.element.until, $0.offset) < ($1.element.until, $1.offset) }
            .map(\.element)
    }

    /// How many buckets there are, and parts of such in holds.
    var partsCount: Int { holds.reduce(buckets.count) { $0 + $1.parts.count } }

    /// The parts that `amount` credits are paid with at `now`, soonest end first; nil where they
    /// are not there.
    ///
    /// Ended holds are settled before.
    package func parts(of amount: Int64, at now: Moment) -> [Bucket]? {
        guard balance(at: now) >= amount else { return nil }
        return partsUp(to: amount, at: now)
    }

    /// The parts that as many of `amount` credits as are there are paid with: of any source, or of
    /// one alone.
    func partsUp(to amount: Int64, of source: String? = nil, at now: Moment) -> [Bucket] {
        var missing = min(amount, balance(at: now))
        var parts: [Bucket] = []
        for bucket in buckets where bucket.isOpen(at: now) && missing > 0 {
            if let source, source != bucket.source { continue }
            var part = bucket
            part.amount = min(missing, bucket.amount)
            missing -= part.amount
            parts.append(part)
        }
        return parts
    }

    /// Puts credits in; what is owed is paid first.
    ///
    /// What has ended pays nothing.
    mutating func put(_ bucket: Bucket, at now: Moment) {
        var bucket = placed(bucket)
        guard bucket.until > now else { return keep(bucket) }
        if bucket.from <= now {
            let paid = min(debt, bucket.amount)
            debt -= paid
            bucket.amount -= paid
        }
        guard bucket.amount > 0 else { return }
        if let index = buckets.firstIndex(where: { $0.isAlike(bucket) }) {
            buckets[index].amount += bucket.amount
            return
        }
        let place = buckets.firstIndex { $0.until > bucket.until } ?? buckets.endIndex
        buckets.insert(bucket, at: place)
    }

    /// Takes parts out, as an event named them.
    ///
    /// Some of a period may have been put away already when it ended, and some not yet.
    mutating func take(_ parts: [Bucket]) {
        for var part in parts {
            if let index = buckets.firstIndex(where: { $0.isAlike(part) }) {
                let taken = min(part.amount, buckets[index].amount)
                buckets[index].amount -= taken
                part.amount -= taken
                if buckets[index].amount == 0 { buckets.remove(at: index) }
            }
            if part.amount > 0 { takeEnded(part) }
        }
    }

    /// Sets parts aside.
    mutating func hold(_ hold: Hold) {
        take(hold.parts)
        holds.append(hold)
    }

    /// Ends a hold; what comes back goes where it came from, unless that has ended.
    ///
    /// Keeps P5.
    mutating func end(_ id: UInt64, returning parts: [Bucket], at now: Moment) {
        let end = holds.first { $0.id == id }.map { min($0.until, now) } ?? now
        holds.removeAll { $0.id == id }
        begin(at: end)
        for part in parts { put(part, at: end) }
    }

    /// Forgets buckets that have ended, and what was forgiven so long ago that no charge from
    /// before can be put back; answers whether a bucket had ended.
    @discardableResult
    mutating func prune(at now: Moment) -> Bool {
        begin(at: now)
        // Most often there is nothing to take away: to look costs less than to remove nothing.
        let isOver = buckets.contains { $0.until <= now }
        if isOver {
            for bucket in buckets where bucket.until <= now { keep(bucket) }
            buckets.removeAll { $0.until <= now }
        }
        if hasPeriodNotes { forgetPeriods(at: now) }
        if !forgiven.isEmpty {
            forgiven.removeAll {
                let kept =
                    $0.amount > 0
                    ? Limits.settlementKeptMilliseconds : Limits.coveredKeptMilliseconds
                return $0.at.advanced(byMilliseconds: kept) <= now
            }
        }
        return isOver
    }

    /// Remembers what a refund forgave; the oldest makes room.
    ///
    /// What covers a refund now takes the place of what did before.
    mutating func remember(_ forgiveness: Forgiveness) {
        if forgiveness.amount <= 0 {
            forgiven.removeAll {
                $0.covered > 0 && $0.pack == forgiveness.pack && $0.seq == forgiveness.seq
            }
            if forgiveness.amount == 0 { return }
        }
        if forgiven.count == Limits.forgivenMax { forgiven.removeFirst() }
        forgiven.append(forgiveness)
    }

    /// So many credits of a refunded pack were taken: now, or of what was forgiven before.
    mutating func take(_ parts: [Bucket], of pack: PackKey) {
        take(parts)
        guard let place = forgiven.firstIndex(where: { $0.pack == pack && $0.amount > 0 })
        else { return }
        forgiven[place].amount -= parts.total
        if forgiven[place].amount <= 0 { forgiven.remove(at: place) }
    }

    /// What comes in by time alone, in its order: paid periods begin, holds return.
    ///
    /// What was cut off before it returns can do no more than pay.
    private var income: [(at: Moment, part: Bucket)] {
        var found: [(at: Moment, part: Bucket)] = []
        for bucket in buckets where bucket.isOfPeriod { found.append((bucket.from, bucket)) }
        for hold in holdsEnded(at: .distantFuture) {
            let cutOff = hold.parts.filter { isCutOff($0, at: hold.until) }
            for part in cutOff + hold.parts.filter({ placed($0).until > hold.until }) {
                found.append((hold.until, placed(part)))
            }
        }
        guard found.count > 1 else { return found }
        return found.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }

    /// What of `returned`, which has just been put back, a refund takes that forgave it: of the
    /// pack's own source first.
    ///
    /// Of a period that is over, to its own refund alone.
    func parts(of returned: [Bucket], forgivenAs debt: Forgiveness, of pack: Pack?) -> [Bucket] {
        var missing = debt.amount
        let own = returned.filter { $0.source == pack?.source }
        return (own + returned.filter { $0.source != pack?.source })
            .compactMap { part in
                let isItself = pack.map { $0.isPeriod && part.isAlike($0.bucket) } ?? false
                let there =
                    isItself
                    ? left(of: part).total : buckets.first { $0.isAlike(part) }?.amount ?? 0
                var taken = part
                taken.amount = min(part.amount, there, missing)
                missing -= taken.amount
                return taken.amount > 0 ? taken : nil
            }
    }

    /// The front that an answer holds: the balance now, and those to come as buckets end and holds
    /// return.
    package var front: (credits: Int64, balances: [Balance]) {
        var credits = -debt
        var changes: [(at: Moment, by: Int64)] = []
        for bucket in buckets where !bucket.isOfPeriod {
            credits += bucket.amount
            if bucket.until < .distantFuture { changes.append((bucket.until, -bucket.amount)) }
        }
        var owed = debt
        for (moment, part) in income {
            // What pays a debt has paid it for good, even if it would have ended.
            let paid = min(owed, part.amount)
            owed -= paid
            changes.append((moment, part.until > moment ? part.amount : paid))
            guard moment < part.until, part.until < .distantFuture, part.amount > paid else {
                continue
            }
            changes.append((part.until, paid - part.amount))
        }
        return (credits, Self.balances(after: credits, changes))
    }

    /// The balances that `changes` lead to, in the order of their moments.
    private static func balances(
        after credits: Int64,
        _ changes: [(at: Moment, by: Int64)]
    ) -> [Balance] {
        var balances: [Balance] = []
        var credits = credits
        for change in changes.sorted(by: { $0.at < $1.at }) {
            credits += change.by
            if balances.last?.from == change.at {
                balances[balances.count - 1].credits = credits
            } else {
                balances.append(Balance(from: change.at, credits: credits))
            }
        }
        return balances
    }
}
