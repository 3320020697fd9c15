// Credits of paid periods (`creditsPerPeriod`) and of free trials (`creditsInTrial`): given once
// for a period, whatever its transaction is called, when it begins, to whom the subscription is
// then; they end with the period, and are refunded with it.
//
// What a period gave stands beside what packs gave, and is held against what the facts say of it
// with every fact, in whatever order they come.

extension Command {
    /// What the facts about `keys`, which `desk` has, make of the credits of paid periods.
    ///
    /// Absorbs it into `desk`: what follows finds the purses as this leaves them. `former` had
    /// purchases of these for a number of days before.
    func periodEvents(
        of keys: [SubscriptionKey],
        from former: Set<UserID> = [],
        on desk: inout Desk,
        _ policy: Policy
    ) -> [Event] {
        // What was just bought may be of a product that had no number yet.
        let isNew = desk.numbering.names.count > policy.planOfNumber.count
        let policy = isNew ? Policy(policy.source, numbering: desk.numbering) : policy
        var found: [Event] = []
        func happen(_ events: [Event]) {
            for event in events { desk.absorb(event, at: now, seq: seq) }
            found += events
        }
        var settled: Set<PackKey> = []
        var dating = former
        for key in keys + formers(of: keys, on: desk) {
            guard let subscription = desk.subscriptions[key] else { continue }
            for period in periods(of: subscription, on: desk, policy) {
                // What is given is held against the facts at once: a part may be refunded already.
                for _ in 0..<2 {
                    let number = freshPeriod(behind: found.count)
                    let news = events(of: period, subscription, as: number, on: desk, policy)
                    if news.isEmpty { break }
                    happen(news)
                }
                settled.insert(period.key)
            }
            // Other purchases for a number of days begin earlier or later.
            if subscription.isDated { dating.formUnion(subscription.users) }
        }
        for user in dating.sorted() {
            happen(movedPeriods(of: user, but: settled, on: desk, policy))
        }
        return found
    }

    /// What goes on as one of `keys`, and is none of them.
    private func formers(of keys: [SubscriptionKey], on desk: Desk) -> [SubscriptionKey] {
        desk.reached(from: keys) { $0.formers }.subtracting(keys).sorted()
    }

    private func periods(
        of subscription: Subscription,
        on desk: Desk,
        _ policy: Policy
    ) -> [PaidPeriod] {
        guard subscription.isDated else {
            return going(subscription, on: desk, steps: Limits.replacementsFollowedMax)
        }
        guard let owner = subscription.owner, desk.accounts.isLaid(owner),
            let account = desk.accounts[owner]
        else { return [] }
        return subscription.datedPeriods(in: account, under: policy)
    }

    /// The paid periods as they go on in the purchases that took its place: what was given under
    /// the old name is refunded under the new one.
    private func going(_ subscription: Subscription, on desk: Desk, steps: Int) -> [PaidPeriod] {
        let successors = known(subscription.successors, on: desk)
        let periods = paidPeriods(of: subscription, on: desk)
        if successors.isEmpty { return periods }
        let next = successors.map {
            steps > 0 ? going($0, on: desk, steps: steps - 1) : paidPeriods(of: $0, on: desk)
        }
        return periods.map { period in
            let given = given(for: period.key, on: desk)
            return zip(successors, next)
                .reduce(period) { $0.going(on: $1.0, with: $1.1, given: given) }
        }
    }

    private func paidPeriods(of subscription: Subscription, on desk: Desk) -> [PaidPeriod] {
        subscription.paidPeriods { given(for: $0, on: desk) }
    }

    /// First match wins: it gave nothing yet, and may; it is long over; it goes to another user
    /// before it begins; its end has moved, or more or less of it is refunded.
    private func events(
        of period: PaidPeriod,
        _ subscription: Subscription,
        as number: UInt64,
        on desk: Desk,
        _ policy: Policy
    ) -> [Event] {
        guard desk.packs.isLaid(period.key) else { return [] }
        guard let kept = desk.pack(of: period.key) else {
            guard period.mayGive,
                let pack = newPeriod(period, subscription, number, on: desk, policy)
            else { return [] }
            return given(pack, as: period.key, on: desk, policy)
        }
        guard hasAccount(kept.user, on: desk), !(kept.isOver(at: now) && period.ends <= now) else {
            return []
        }
        var draft = Draft(kept.user, self, on: desk, under: policy)
        let left = draft.purse.left(of: kept.bucket)
        if let heir = heir(of: kept, period, subscription, number, left.total, on: desk, policy) {
            draft.happen(.packRefunded(period.key, kept.user, left, owed: 0))
            if heir.user != kept.user {
                return draft.events + given(heir, as: period.key, on: desk, policy)
            }
            draft.happen(.packCredited(period.key, heir))
            return draft.events
        }
        var pack = kept
        let stands = period.stands(as: kept)
        let refunded =
            stands
            ? kept.amount(ofShare: period.revokedShare, of: period.units) : kept.amount
        // What is taken back is taken before the end moves, and given again behind it: what was
        // left of a period is forgotten some time after its end.
        if refunded > kept.refunded, !kept.endedLong(before: now) {
            refund(kept, refunded, of: period, with: &draft, under: policy)
        }
        // What is held or was spent of what never was a period is gone when it comes back.
        let ends = stands ? period.ends : min(kept.until, kept.from)
        if ends != kept.until {
            let move = PeriodMove(period: kept.period, until: kept.until, to: ends)
            draft.happen(.periodMoved(period.key, kept.user, move))
            pack.until = ends
        }
        if refunded < kept.refunded {
            refund(pack, refunded, of: period, with: &draft, under: policy)
        }
        return draft.events
    }

    /// Takes back what was refunded since, or gives again what was before.
    private func refund(
        _ pack: Pack,
        _ refunded: Int64,
        of period: PaidPeriod,
        with draft: inout Draft,
        under policy: Policy
    ) {
        var refund = PackRefund(pack: pack, key: period.key, from: pack.refunded, to: refunded)
        if refunded < pack.refunded {
            let takenBack = pack.takenBack ?? 0
            // Other credits that were taken for it, or are owed, come back without an end.
            let others = min(takenBack, draft.purse.covered(of: period.key))
            let again = Pack(
                user: pack.user,
                source: pack.source,
                amount: takenBack - others,
                period: pack.period,
                from: pack.from,
                until: pack.until
            )
            if others > 0 {
                let bucket = Bucket(source: pack.source, amount: others)
                draft.happen(.credited(pack.user, bucket))
            }
            draft.happen(.packCredited(period.key, again))
            // Behind its end it pays nothing; but what was owed for it is not owed any more.
            var part = pack.bucket
            part.amount = min(draft.purse.debt, again.amount)
            if pack.until <= now, part.amount > 0 {
                draft.happen(.debtPaid(pack.user, [part]))
                draft.happen(.spent(pack.user, [part]))
            }
            refund = PackRefund(
                pack: pack,
                key: period.key,
                from: 0,
                to: refunded,
                atMost: takenBack
            )
        }
        guard refund.to > refund.from else { return }
        guard period.stands(as: pack) else {
            // It never was one: what was spent of it is nobody's fault.
            let parts = draft.purse.left(of: pack.bucket)
            draft.happen(.packRefunded(period.key, pack.user, parts, owed: 0))
            return
        }
        take(refund, with: &draft, under: policy)
    }

    private func given(
        _ pack: Pack,
        as key: PackKey,
        on desk: Desk,
        _ policy: Policy
    ) -> [Event] {
        var draft = Draft(pack.user, self, on: desk, under: policy)
        draft.happen(.packCredited(key, pack))
        return draft.events
    }

    /// What a period gives, and to whom; nil where it gives nothing, or nothing any more.
    private func newPeriod(
        _ period: PaidPeriod,
        _ subscription: Subscription,
        _ number: UInt64,
        on desk: Desk,
        _ policy: Policy
    ) -> Pack? {
        func credits(of products: [String]) -> Int64 {
            policy.credits(perPeriodOf: products, inTrial: period.isTrial)
        }
        let giving = period.productIDs.first { credits(of: [$0]) > 0 }
        // A plan that several items name gives once.
        let before = period.precedingProductIDs
        let amount = credits(of: before + period.productIDs) - credits(of: before)
        guard let giving, amount > 0, period.counts, period.begins < period.ends, now < period.ends,
            period.revokedShare < TransactionFact.wholeShare, !subscription.isWithheld
        else { return nil }
        // Credits of an erased person or of a migrated purchase are not given again.
        let names = [period.key, .period(of: subscription.key, from: period.begins)]
        guard names.allSatisfy({ desk.tombstone(of: .pack($0)) == nil }),
            !isGivenElsewhere(period, subscription, on: desk)
        else { return nil }
        let now = subscription.owner.map { desk.holder(of: $0) }
        let then =
            subscription.key.store.tellsBeginnings
            ? owner(of: subscription, at: period.begins, on: desk) : nil
        let user = [then, now].compactMap { $0 }.first { hasAccountLaid($0, on: desk) }
        guard let user, policy.admits(subscription.key, user) else { return nil }
        return Pack(
            user: user,
            source: (period.isTrial ? Pack.trialSource : Pack.periodSource) + giving,
            amount: amount * period.units,
            period: number,
            from: period.begins,
            until: period.ends
        )
    }

    /// The part of a period's credits that goes to another user; nil if nothing moves.
    ///
    /// It is all of them if the period has not begun; the rest of them if the period was another
    /// user's when it began, as is known now; or what takes the place of the credits of a trial
    /// that was none, less what was spent of those. `left` is what is left of it.
    private func heir(
        of kept: Pack,
        _ period: PaidPeriod,
        _ subscription: Subscription,
        _ number: UInt64,
        _ left: Int64,
        on desk: Desk,
        _ policy: Policy
    ) -> Pack? {
        guard kept.refunded == 0,
            let pack = newPeriod(period, subscription, number, on: desk, policy),
            pack.user != kept.user || !period.stands(as: kept)
        else { return nil }
        guard kept.from <= now else { return pack }
        func part(for user: UserID, _ amount: Int64) -> Pack {
            Pack(
                user: user,
                source: pack.source,
                amount: amount,
                period: number,
                from: pack.from,
                until: pack.until
            )
        }
        if !period.stands(as: kept) {
            let unspent = pack.amount - (kept.amount - left)
            return unspent > 0 ? part(for: kept.user, unspent) : nil
        }
        // Behind a link nobody can tell any more whose it was before.
        let isTold = subscription.ownLink == nil || subscription.linkedAt <= period.begins
        guard left > 0, isTold, subscription.key.store.tellsBeginnings,
            owner(of: subscription, at: period.begins, on: desk) == pack.user
        else { return nil }
        return part(for: pack.user, left)
    }

    /// Whose a subscription was at a moment, as links and claims tell.
    private func owner(
        of subscription: Subscription,
        at moment: Moment,
        on desk: Desk
    ) -> UserID? {
        subscription.owner(at: moment) { desk.tokens[$0] }.map { desk.holder(of: $0) }
    }

    private func hasAccountLaid(_ user: UserID, on desk: Desk) -> Bool {
        desk.accounts.isLaid(user) && desk.accounts[user] != nil
    }

    /// The number of a period that this command gives credits for, behind so many events of its
    /// own.
    private func freshPeriod(behind count: Int) -> UInt64 { seq << 10 | UInt64(count & 1_023) }

    /// Whether the same period gave its credits already under another name of the purchase, or as
    /// one of a purchase that this one replaced, or was replaced by.
    private func isGivenElsewhere(
        _ period: PaidPeriod,
        _ subscription: Subscription,
        on desk: Desk
    ) -> Bool {
        guard subscription.isOfSnapshots else {
            return desk.reached(from: [subscription.key]) { $0.kin }
                .subtracting([subscription.key])
                .contains { given(for: .period(of: $0, from: period.begins), on: desk) != nil }
        }
        let steps = Limits.replacementsFollowedMax
        if isRest(period, of: subscription, on: desk, steps: steps) { return true }
        return known(subscription.successors, on: desk)
            .contains { later in
                paidPeriods(of: later, on: desk)
                    .contains {
                        period.isCarried(into: $0, of: later, given: nil)
                            && given(for: $0.key, on: desk) != nil
                    }
            }
    }

    /// Whether a period is the rest of one that gave credits, or of such a rest.
    private func isRest(
        _ period: PaidPeriod,
        of subscription: Subscription,
        on desk: Desk,
        steps: Int
    ) -> Bool {
        guard steps > 0 else { return false }
        return known(subscription.formers, on: desk)
            .contains { former in
                paidPeriods(of: former, on: desk)
                    .contains {
                        let given = given(for: $0.key, on: desk)
                        return $0.isCarried(into: period, of: subscription, given: given)
                            && (given != nil || isRest($0, of: former, on: desk, steps: steps - 1))
                    }
            }
    }

    private func known(_ keys: some Sequence<SubscriptionKey>, on desk: Desk) -> [Subscription] {
        keys.compactMap { desk.subscriptions.isLaid($0) ? desk.subscriptions[$0] : nil }
    }

    /// What a period gave; nil where it gave nothing.
    private func given(for key: PackKey, on desk: Desk) -> Pack? {
        desk.packs.isLaid(key) ? desk.packs[key] : nil
    }

    /// The periods of a user that end at another moment because an earlier one is longer or shorter
    /// than before.
    private func movedPeriods(
        of user: UserID,
        but settled: Set<PackKey>,
        on desk: Desk,
        _ policy: Policy
    ) -> [Event] {
        guard desk.accounts.isLaid(user), let account = desk.accounts[user],
            account.answer.flags.contains(.dated)
        else { return [] }
        var draft = Draft(user, self, on: desk, under: policy)
        for key in account.subscriptions {
            for (begins, ends) in account.datedEnds(of: key, under: policy)
                .sorted(by: { $0.key < $1.key })
            {
                let period = PackKey.period(of: key, from: begins)
                guard !settled.contains(period), desk.packs.isLaid(period),
                    let kept = desk.pack(of: period), kept.user == user, kept.until != ends
                else { continue }
                let move = PeriodMove(period: kept.period, until: kept.until, to: ends)
                draft.happen(.periodMoved(period, user, move))
            }
        }
        return draft.events
    }
}

extension Command.Kind {
    /// The facts in it.
    package var facts: [Fact] {
        switch self {
        case .record(let notification): notification.facts
        case .link(let purchase): purchase.facts
        case .restore(let order): order.facts
        case .learn(let facts): facts
        case .register, .grant, .revokeGrant, .merge, .move, .credit, .charge, .reserve,
            .endReservation, .reverse, .tick, .install, .load, .erase:
            []
        }
    }
}
