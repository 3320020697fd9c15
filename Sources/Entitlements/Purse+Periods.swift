// Credits of paid periods in a purse: they begin and end with their period, whose end may move.

/// That the end of a paid period has moved.
package struct PeriodMove: Hashable, Sendable {
    /// Its number.
    package let period: UInt64
    /// The latest end that it had, or has.
    package let until: Moment
    /// When it ends.
    package let to: Moment

    /// The period with this number ends at `to`, and had ends up to `until`.
    package init(period: UInt64, until: Moment, to: Moment) {
        self.period = period
        self.until = until
        self.to = to
    }
}

extension Purse {
    /// The bucket with the end that its period has now.
    func placed(_ bucket: Bucket) -> Bucket {
        guard bucket.isOfPeriod, hasPeriodNotes else { return bucket }
        guard let move = moved.first(where: { $0.period == bucket.period }) else { return bucket }
        return Bucket(
            source: bucket.source,
            period: bucket.period,
            from: bucket.from,
            until: move.to,
            amount: bucket.amount
        )
    }

    /// Whether the end of the bucket's period was moved to the past, from one that is to come.
    func isCutOff(_ bucket: Bucket, at now: Moment) -> Bool {
        bucket.isOfPeriod && placed(bucket).until <= now && now < bucket.until
    }

    /// What of `returned`, which comes back at `moment`, pays what is owed then: what was cut off,
    /// and then what there would be to spend of the rest.
    func parts(of returned: [Bucket], payingAt moment: Moment) -> [Bucket] {
        guard debt > 0 else { return [] }
        let cutOff = returned.filter { isCutOff($0, at: moment) }
        let open = returned.filter { placed($0).isOpen(at: moment) }
        return (cutOff + open).first(debt)
    }

    /// What can be spent at `now`, by bucket: the answer of `getCredits`.
    package func open(at now: Moment) -> [Bucket] {
        settled(at: now).buckets.filter { $0.isOpen(at: now) }
    }

    /// What is left of a paid period, whether it is to come, runs or has ended.
    func left(of period: Bucket) -> [Bucket] {
        (buckets + ended).filter { $0.isAlike(period) }
    }

    /// Moves the end of a period, and with it what is left of it.
    mutating func move(_ move: PeriodMove, at now: Moment) {
        let left = (buckets + ended).filter { $0.period == move.period }
        buckets.removeAll { $0.period == move.period }
        ended.removeAll { $0.period == move.period }
        let before = moved.first { $0.period == move.period }?.until ?? .distantPast
        moved.removeAll { $0.period == move.period }
        let latest = max(before, move.until, move.to)
        moved.append(PeriodMove(period: move.period, until: latest, to: move.to))
        for part in left { put(part, at: now) }
    }

    /// Periods that have begun by `now` pay what is owed, in the order in which they began.
    ///
    /// Keeps P3.
    ///
    /// - Returns: what paid.
    @discardableResult
    mutating func begin(at now: Moment) -> [Bucket] {
        var parts: [Bucket] = []
        while debt > 0 {
            let begun = buckets.indices.filter { buckets[$0].isOfPeriod && buckets[$0].from <= now }
            guard let first = begun.min(by: { (buckets[$0].from, $0) < (buckets[$1].from, $1) })
            else { break }
            var part = buckets[first]
            part.amount = min(debt, part.amount)
            parts.append(part)
            debt -= part.amount
            buckets[first].amount -= part.amount
            if buckets[first].amount == 0 { buckets.remove(at: first) }
        }
        return parts
    }

    /// Remembers what was left of a period when it ended; nothing else has a use then.
    mutating func keep(_ bucket: Bucket) {
        guard bucket.isOfPeriod, bucket.amount > 0 else { return }
        if let index = ended.firstIndex(where: { $0.isAlike(bucket) }) {
            ended[index].amount += bucket.amount
        } else {
            ended.append(bucket)
        }
    }

    /// Takes a part out of what was left of a period that has ended.
    mutating func takeEnded(_ part: Bucket) {
        guard let index = ended.firstIndex(where: { $0.isAlike(part) }) else { return }
        ended[index].amount -= part.amount
        if ended[index].amount <= 0 { ended.remove(at: index) }
    }

    /// Forgets periods that ended so long ago that nothing is said of them any more.
    mutating func forgetPeriods(at now: Moment) {
        func isOver(_ end: Moment) -> Bool {
            end.advanced(byMilliseconds: Limits.periodKeptMilliseconds) <= now
        }
        ended.removeAll { isOver($0.until) }
        moved.removeAll { isOver($0.until) }
    }

    /// How many of the user's other credits the refunds of `pack` took for what was spent of it.
    func covered(of pack: PackKey) -> Int64 {
        forgiven.reduce(0) { $1.pack == pack ? $0 + $1.covered : $0 }
    }

    /// How many of them one refund took.
    func covered(by refund: Forgiveness) -> Int64 {
        forgiven.reduce(0) {
            $1.pack == refund.pack && $1.seq == refund.seq ? $0 + $1.covered : $0
        }
    }

    /// What a refund of so many credits of `pack` takes back: from its own first, then from the
    /// others.
    ///
    /// What is left of a paid period is its own also before it begins and behind its end.
    func refund(of amount: Int64, of pack: Pack, at now: Moment) -> [Bucket] {
        let open = buckets.filter { $0.isOpen(at: now) }
        let own = pack.isPeriod ? left(of: pack.bucket) : open.filter { $0.source == pack.source }
        let others = open.filter {
            pack.isPeriod ? !$0.isAlike(pack.bucket) : $0.source != pack.source
        }
        // While anything is owed there is nothing to take but the period's own.
        let most = pack.isPeriod ? amount : min(amount, balance(at: now))
        let free = debt > 0 && pack.isPeriod ? [] : others
        return (own + free).first(most)
    }
}
