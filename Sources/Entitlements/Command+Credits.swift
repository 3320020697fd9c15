// The rulings about credits. Each begins by returning what holds of the account have ended, so that
// what is spendable to a reader is spendable to a command.

extension Command {
    /// First match wins: the key with other arguments; a repetition; too many buckets; done.
    func ruling(
        on desk: borrowing Desk,
        under policy: Policy,
        crediting order: CreditOrder
    ) -> Ruling {
        if let first = first(under: order.key, for: order.fingerprint, on: desk) {
            guard first.fingerprint == order.fingerprint else { return Ruling(.keyReused) }
            return Ruling(.credited(remaining: first.answer.remaining, replay: first))
        }
        var draft = Draft(order.user, self, on: desk, under: policy)
        if order.amount > 0 {
            let until = order.until ?? .distantFuture
            let bucket = Bucket(source: order.source, until: until, amount: order.amount)
            let hasRoom = draft.purse.partsCount < Limits.bucketsMax
            // More of the same need none.
            guard hasRoom || draft.purse.buckets.contains(where: { $0.isAlike(bucket) }) else {
                return Ruling(.purseFull)
            }
            draft.happen(.credited(order.user, bucket))
        } else {
            // Those that the registration gave can be taken by themselves.
            let source = order.source == Bucket.freeSource ? order.source : nil
            let parts = draft.purse.partsUp(to: -order.amount, of: source, at: now)
            if !parts.isEmpty { draft.happen(.spent(order.user, parts)) }
        }
        let remaining = draft.purse.balance(at: now)
        draft.settle(order.key, order.fingerprint, .credited(remaining: remaining))
        return Ruling(.credited(remaining: remaining, replay: nil), draft.events)
    }

    /// First match wins: the key with other arguments; a repetition; `unlimited`, because
    /// nothing is charged to users with unlimited rendering; too few; spent.
    func ruling(on desk: borrowing Desk, under policy: Policy, charging charge: Charge) -> Ruling {
        if let first = first(under: charge.key, for: charge.fingerprint, on: desk) {
            guard first.fingerprint == charge.fingerprint else { return Ruling(.keyReused) }
            let remaining = first.answer.remaining
            if case .insufficient = first.answer {
                return Ruling(.charged(.insufficient, remaining: remaining, replay: first))
            }
            return Ruling(.charged(.consumed, remaining: remaining, replay: first))
        }
        if rendersFreely(charge.user, on: desk, under: policy) {
            let remaining = desk.accounts[charge.user]?.purse.balance(at: now) ?? 0
            return Ruling(
                .charged(.unlimited, remaining: remaining, replay: nil),
                openingUnknown(charge.user, on: desk, under: policy)
            )
        }
        var draft = Draft(charge.user, self, on: desk, under: policy)
        guard let parts = draft.purse.parts(of: charge.amount, at: now) else {
            let remaining = draft.purse.balance(at: now)
            draft.settle(charge.key, charge.fingerprint, .insufficient(remaining: remaining))
            return Ruling(
                .charged(.insufficient, remaining: remaining, replay: nil),
                draft.events
            )
        }
        draft.happen(.spent(charge.user, parts))
        let remaining = draft.purse.balance(at: now)
        draft.settle(
            charge.key,
            charge.fingerprint,
            .consumed(remaining: remaining, parts: parts, isReversed: false)
        )
        return Ruling(.charged(.consumed, remaining: remaining, replay: nil), draft.events)
    }

    /// First match wins: the key with other arguments; a repetition (`released` where the hold went
    /// with its connection); `unlimited`, because nothing is held of users with unlimited
    /// rendering; too few; too many holds; the id is another reservation's; held.
    func ruling(
        on desk: borrowing Desk,
        under policy: Policy,
        reserving order: ReservationOrder
    ) -> Ruling {
        let charge = order.charge
        if let first = first(under: charge.key, for: charge.fingerprint, on: desk) {
            guard first.fingerprint == charge.fingerprint else { return Ruling(.keyReused) }
            let remaining = first.answer.remaining
            if case .insufficient = first.answer {
                return Ruling(.reserved(.insufficient, nil, remaining: remaining, replay: first))
            }
            guard case .reserved = first.answer else { return Ruling(.keyReused) }
            let isGone = desk.reservations[first.seq]?.ending?.kind == .disconnected
            return Ruling(
                .reserved(
                    isGone ? .released : .reserved,
                    first.seq,
                    remaining: remaining,
                    replay: first
                )
            )
        }
        if rendersFreely(charge.user, on: desk, under: policy) {
            let remaining = desk.accounts[charge.user]?.purse.balance(at: now) ?? 0
            return Ruling(
                .reserved(.unlimited, nil, remaining: remaining, replay: nil),
                openingUnknown(charge.user, on: desk, under: policy)
            )
        }
        var draft = Draft(charge.user, self, on: desk, under: policy)
        guard let parts = draft.purse.parts(of: charge.amount, at: now) else {
            let remaining = draft.purse.balance(at: now)
            draft.settle(charge.key, charge.fingerprint, .insufficient(remaining: remaining))
            return Ruling(
                .reserved(.insufficient, nil, remaining: remaining, replay: nil),
                draft.events
            )
        }
        guard draft.purse.holds.count < Limits.holdsMax else { return Ruling(.purseFull) }
        let until = now.advanced(byMilliseconds: order.milliseconds)
        let id = order.id
        guard desk.reservations[id] == nil else { return Ruling(.idTaken) }
        let hold = Hold(id: id, until: until, parts: parts)
        draft.happen(.held(charge.user, hold, lease: order.lease))
        let remaining = draft.purse.balance(at: now)
        draft.settle(charge.key, charge.fingerprint, .reserved(remaining: remaining), id: id)
        return Ruling(.reserved(.reserved, id, remaining: remaining, replay: nil), draft.events)
    }

    /// First match wins: no such reservation; it has ended before (the first answer where it ended
    /// alike); more than is held; ended.
    func ruling(
        on desk: borrowing Desk,
        under policy: Policy,
        ending order: ReservationEnd
    ) -> Ruling {
        guard let reservation = desk.reservations[order.id] else { return Ruling(.holdUnknown) }
        let user = desk.holder(of: reservation.user)
        // A row that was loaded without its account.
        guard desk.accounts.box(user)?.value != nil else { return Ruling(.holdUnknown) }
        if let ending = reservation.ending, ending.kind == order.kind {
            return Ruling(.holdEnded(ending.kind, remaining: ending.remaining))
        }
        var draft = Draft(user, self, on: desk, under: policy)
        let hold = desk.accounts[user]?.purse.holds.first { $0.id == order.id }
        guard reservation.ending == nil, let hold, hold.until > now else {
            let kind = reservation.ending?.kind ?? .expired
            let events = reservation.ending == nil ? draft.events : []
            return Ruling(.holdEnded(kind, remaining: draft.purse.balance(at: now)), events)
        }
        let isCommit = order.kind == .committed
        let amount = order.amount ?? hold.amount
        guard !isCommit || amount <= hold.amount else {
            return Ruling(.holdSmaller(amount: hold.amount))
        }
        let returned = isCommit ? hold.rest(after: amount) : hold.parts
        let remaining = draft.end(hold, order.kind, returning: returned)
        return Ruling(.holdEnded(order.kind, remaining: remaining), draft.events)
    }

    /// First match wins: the key with other arguments; a repetition; no such charge; nothing to put
    /// back; put back.
    func ruling(on desk: borrowing Desk, under policy: Policy, reversing order: Reversal) -> Ruling
    {
        if let first = first(under: order.key, for: order.fingerprint, on: desk) {
            guard first.fingerprint == order.fingerprint else { return Ruling(.keyReused) }
            var isReversed = false
            if case .reversed = first.answer { isReversed = true }
            return Ruling(.reversed(isReversed, remaining: first.answer.remaining, replay: first))
        }
        guard let (key, charge) = charge(of: order, on: desk) else { return Ruling(.chargeUnknown) }
        var draft = Draft(order.user, self, on: desk, under: policy)
        guard case .consumed(_, let parts, isReversed: false) = charge.answer else {
            let remaining = draft.purse.balance(at: now)
            draft.settle(order.key, order.fingerprint, .nothingReversed(remaining: remaining))
            return Ruling(.reversed(false, remaining: remaining, replay: nil), draft.events)
        }
        let returnable = desk.returnable(parts, of: key.user)
        let paid = draft.payDebt(with: returnable, at: now)
        let put = returnable.less(paid)
        draft.happen(.reversed(key, put))
        let returned = put.map { draft.purse.placed($0) }
        takeRefunds(
            after: charge,
            of: returned,
            paid: paid,
            with: &draft,
            for: order.user,
            on: desk
        )
        let remaining = draft.purse.balance(at: now)
        draft.settle(order.key, order.fingerprint, .reversed(remaining: remaining))
        return Ruling(.reversed(true, remaining: remaining, replay: nil), draft.events)
    }

    /// What refunds since `charge`, which was put back, make of what it `returned` and what of it
    /// `paid` debts: they take what they forgave, and give other credits back that they took for a
    /// period.
    ///
    /// Keeps P6.
    private func takeRefunds(
        after charge: Settlement,
        of returned: [Bucket],
        paid: [Bucket],
        with draft: inout Draft,
        for user: UserID,
        on desk: borrowing Desk
    ) {
        func refunds() -> [(refund: Forgiveness, pack: Pack?)] {
            draft.purse.forgiven.filter { (charge.at, charge.seq) < ($0.at, $0.seq) }
                .map { ($0, desk.packs[$0.pack]) }
        }
        /// Answers what is left of `returned`.
        func takeForgiven(of returned: [Bucket]) -> [Bucket] {
            var returned = returned
            for (refund, pack) in refunds() where refund.amount > 0 {
                let taken = draft.purse.parts(of: returned, forgivenAs: refund, of: pack)
                guard !taken.isEmpty else { continue }
                draft.happen(.packRefunded(refund.pack, user, taken, owed: 0))
                returned = returned.less(taken)
                guard let pack, pack.isPeriod else { continue }
                draft.cover(refund, with: taken.filter { !$0.isAlike(pack.bucket) }.total)
            }
            return returned
        }
        var (left, paid) = (takeForgiven(of: returned), paid)
        var others: [Bucket] = []
        for (refund, pack) in refunds() where refund.covered > 0 {
            guard let pack else { continue }
            var some = refund
            some.amount = refund.covered
            // What was owed for it is paid: by itself, or by other credits.
            let own = paid.filter(pack.bucket.isAlike).first(refund.covered)
            draft.cover(refund, with: -own.total)
            paid = paid.less(own)
            some.amount -= own.total
            let back = draft.purse.parts(
                of: left.filter(pack.bucket.isAlike),
                forgivenAs: some,
                of: pack
            )
            guard !back.isEmpty else { continue }
            left = left.less(back)
            draft.happen(.spent(user, back))
            let bucket = Bucket(source: pack.source, amount: back.total)
            draft.happen(.credited(user, bucket))
            draft.cover(refund, with: -back.total)
            others.append(bucket)
        }
        _ = takeForgiven(of: others)
    }

    /// The charge that is to be put back, of the user or of an account that went into theirs.
    private func charge(
        of order: Reversal,
        on desk: borrowing Desk
    ) -> (key: IdempotencyKey, first: Settlement)? {
        for key in [order.charge] + desk.formerKeys(order.charge) {
            if let first = first(under: key, on: desk), first.answer.isOfCharge {
                return (key, first)
            }
        }
        return nil
    }

    /// What begins the account of a user who has none, as every write that names one does: also
    /// one that charges nothing, because the plan `free` has unlimited rendering.
    private func openingUnknown(
        _ user: UserID,
        on desk: borrowing Desk,
        under policy: Policy
    ) -> [Event] {
        desk.accounts[user] == nil ? opening(user, on: desk, under: policy) : []
    }

    private func rendersFreely(
        _ user: UserID,
        on desk: borrowing Desk,
        under policy: Policy
    ) -> Bool {
        guard let answer = desk.accounts.box(user)?.value?.answer else {
            return policy.rendersFreely[0]
        }
        let admits = policy.sandboxes(of: user)
        let via = answer.judgement(1, now, policy, admits).via
        return via != nil && via != .credits
    }
}

extension Settlement.Answer {
    /// The credits that remained then.
    var remaining: Int64 {
        switch self {
        case .granted, .merged: 0
        case .credited(let remaining), .consumed(let remaining, _, _), .insufficient(let remaining),
            .reserved(let remaining), .reversed(let remaining), .nothingReversed(let remaining):
            remaining
        }
    }

    fileprivate var isOfCharge: Bool {
        switch self {
        case .consumed, .insufficient: true
        case .granted, .merged, .credited, .reserved, .reversed, .nothingReversed: false
        }
    }
}
