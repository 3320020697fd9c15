// An anonymous account goes into the one that logged in: mergeAccounts.
//
// One event says all of it: what the account has from then on, and what moved. Purchases that are
// listed, tokens, credits and holds move at once. Other rows keep the name of the one that went,
// packs and reservations above all; whoever reads them asks `Desk.holder` whose they are now.

/// A caller has one account go into another.
package struct MergeOrder: Hashable, Sendable {
    /// Which goes.
    package let from: UserID
    /// Which stays.
    package let into: UserID
    /// The token that `from` would have by default; where nobody has it, `into` gets it.
    package let token: Token?
    /// The caller's idempotency key, of `into`.
    package let key: IdempotencyKey
    /// Of the method and its parameters.
    package let fingerprint: Digest128

    /// The order to have `from` go into `into`.
    package init(
        from: UserID,
        into: UserID,
        token: Token?,
        key: IdempotencyKey,
        fingerprint: Digest256
    ) {
        self.from = from
        self.into = into
        self.token = token
        self.key = key
        self.fingerprint = Digest128(fingerprint)
    }
}

/// That an account went into another, and what that one has since.
package struct Merge: Hashable, Sendable {
    /// A grant that moved, and its plan.
    package struct NamedGrant: Hashable, Sendable {
        /// The plan's name.
        package let plan: String
        /// The grant; its plan's number is not kept.
        package let grant: Grant

        /// The grant of a plan.
        package init(plan: String, grant: Grant) {
            self.plan = plan
            self.grant = grant
        }
    }

    /// Which went.
    package let from: UserID
    /// Which stayed.
    package let into: UserID
    /// The accounts that went into `from` before.
    package let formers: [UserID]
    /// The flags that `into` has after it.
    package let flags: AccountFlags
    /// The purse that `into` has after it.
    package let purse: Purse
    /// The grants that moved.
    package let grants: [NamedGrant]
    /// The tokens that moved.
    package let tokens: [Token]
    /// The purchases that were listed with `from`.
    package let purchases: [SubscriptionKey]

    /// A merger with these parts.
    package init(
        from: UserID,
        into: UserID,
        formers: [UserID],
        flags: AccountFlags,
        purse: Purse,
        grants: [NamedGrant],
        tokens: [Token],
        purchases: [SubscriptionKey]
    ) {
        self.from = from
        self.into = into
        self.formers = formers
        self.flags = flags
        self.purse = purse
        self.grants = grants
        self.tokens = tokens
        self.purchases = purchases
    }
}

/// What is kept of an account that went into another.
package struct MergedAccount: Hashable, Sendable {
    /// The user who now has what was its.
    package internal(set) var into: UserID
    /// Where the journal keeps the merger; 0 where another journal does.
    package let seq: UInt64
    /// Where its history can be entered, of which the merger is the last entry; nil where there is
    /// none.
    package let chain: Chain?
    /// Whether its free credits did not go along, because the other account had its own: what was
    /// spent of them does not come back either.
    package internal(set) var leftFreeCredits: Bool

    /// An account that went into `into`.
    package init(
        into: UserID,
        seq: UInt64 = 0,
        chain: Chain? = nil,
        leftFreeCredits: Bool = false
    ) {
        self.into = into
        self.seq = seq
        self.chain = chain
        self.leftFreeCredits = leftFreeCredits
    }
}

extension Command {
    /// First match wins: the key with other arguments; a repetition; one of the two has gone
    /// before, into the other or elsewhere; too many tokens, grants, buckets or holds; merged.
    ///
    /// A user without an account goes too, so that none is opened later.
    func ruling(on desk: Desk, under policy: Policy, merging order: MergeOrder) -> Ruling {
        if let first = first(under: order.key, on: desk) {
            guard first.fingerprint == order.fingerprint else { return Ruling(.keyReused) }
            return Ruling(.merged(seq: first.seq, replayed: true))
        }
        if let gone = desk.merger(of: order.from), gone.into == order.into {
            return Ruling(.merged(seq: gone.seq, replayed: true))
        }
        guard order.from != order.into, desk.merger(of: order.into) == nil,
            desk.merger(of: order.from) == nil
        else { return Ruling(.conflict(.merged)) }
        var later = desk
        var events: [Event] = []
        func happen(_ next: [Event]) {
            for event in next { later.absorb(event, at: now, seq: seq) }
            events += next
        }
        happen(opening(order.into, on: desk, under: policy))
        if let token = order.token, later.tokens[token] == nil,
            !isForgotten(token, toAllBut: order.into, on: later)
        {
            happen(claiming(token, for: order.into, on: later))
        }
        for user in [order.from, order.into] where later.accounts[user] != nil {
            happen(Draft(user, self, on: later, under: policy).events)
        }
        let merge = merge(order, on: later)
        let tokens = (later.accounts[order.into]?.tokens.count ?? 0) + merge.tokens.count
        guard tokens <= Limits.accountTokensMax else { return Ruling(.tokensFull) }
        let running = later.accounts[order.into]?.answer.grants.filter { $0.until > now } ?? []
        guard merge.grants.isEmpty || running.count + merge.grants.count <= Limits.grantsMax
        else { return Ruling(.grantsFull) }
        let before = later.accounts[order.into]?.purse ?? Purse()
        guard merge.purse.holds.count <= Limits.holdsMax || merge.purse.holds == before.holds,
            merge.purse.partsCount <= max(Limits.bucketsMax, before.partsCount)
        else { return Ruling(.purseFull) }
        happen([.accountsMerged(merge)])
        events += migrationEvents(after: events, on: desk)
        events += packEvents(after: events, on: desk, under: policy)
        let settlement = Settlement(
            fingerprint: order.fingerprint,
            seq: seq,
            at: at,
            now: now,
            answer: .merged
        )
        events.append(.settled(order.key, settlement))
        return Ruling(.merged(seq: seq, replayed: false), events)
    }

    private func merge(_ order: MergeOrder, on desk: Desk) -> Merge {
        let from = desk.accounts[order.from]
        let into = desk.accounts[order.into]
        let old = from?.answer.flags ?? []
        var flags = (into?.answer.flags ?? [])
            .union(old.intersection([.hadSubscription, .everCredited, .registered]))
        // Free credits stay once.
        let hadFree = [old, into?.answer.flags ?? []].map(\.hadFreeCredits)
        flags.remove(.awaitsAppTransaction)
        if flags.contains(.registered), hadFree == [false, false] {
            flags.insert(.awaitsAppTransaction)
        }
        var purse = (into?.purse ?? Purse()).settled(at: now)
        if let other = from?.purse.settled(at: now) {
            purse.take(hadFree == [true, true] ? other.withoutFree(at: now) : other, at: now)
        }
        let grants = (from?.answer.grants ?? []).filter { $0.until > now }
        return Merge(
            from: order.from,
            into: order.into,
            formers: from?.formers ?? [],
            flags: flags,
            purse: purse,
            grants: grants.map { grant in
                let name = desk.numbering.names[Int(grant.plan)]
                var bare = grant
                bare.plan = 0
                return Merge.NamedGrant(plan: String(name.dropFirst()), grant: bare)
            },
            tokens: from?.tokens ?? [],
            purchases: from?.subscriptions ?? []
        )
    }

    /// The refusal of a command that names somebody whose account went into another; nil where
    /// there is none.
    ///
    /// A key that was used before is answered as it was.
    func refusalOfMerged(on desk: Desk) -> Ruling? {
        guard !desk.merges.isUnused, let user = kind.commander, desk.merger(of: user) != nil
        else { return nil }
        if let key = kind.idempotencyKey, first(under: key, on: desk) != nil { return nil }
        return Ruling(.conflict(.merged))
    }
}

extension Command.Kind {
    /// Who is to have what the command gives or takes; nil for those that answer it themselves, and
    /// those that name nobody.
    fileprivate var commander: UserID? {
        switch self {
        case .register(let registration): registration.user
        case .link(let purchase): purchase.user
        case .restore(let order): order.user
        case .grant(let order): order.user
        case .revokeGrant(let revocation): revocation.user
        case .move(let order): order.user
        case .credit(let order): order.user
        case .charge(let charge): charge.user
        case .reserve(let order): order.charge.user
        case .reverse(let order): order.user
        case .erase(let order): order.user
        case .merge, .record, .learn, .endReservation, .tick, .install, .load: nil
        }
    }

    fileprivate var idempotencyKey: IdempotencyKey? {
        switch self {
        case .grant(let order): order.key
        case .credit(let order): order.key
        case .charge(let charge): charge.key
        case .reserve(let order): order.charge.key
        case .reverse(let order): order.key
        case .merge(let order): order.key
        case .register, .record, .link, .restore, .learn, .revokeGrant, .move, .endReservation,
            .tick, .install, .load, .erase:
            nil
        }
    }
}

extension AccountFlags {
    /// Whether free credits were given, or would have been.
    fileprivate var hadFreeCredits: Bool {
        contains(.registered) && !contains(.awaitsAppTransaction)
    }
}

extension Bucket {
    /// Whether they are those that a new account gets.
    fileprivate var isFree: Bool { source == Bucket.freeSource && !isOfPeriod }
}

extension Purse {
    /// Takes in all of another purse, whose ended holds are settled, as this one's are.
    ///
    /// What is owed is paid from what is there. Keeps P1 to P3.
    fileprivate mutating func take(_ other: Purse, at now: Moment) {
        moved += other.moved
        forgiven = (forgiven + other.forgiven).sorted { ($0.at, $0.seq) < ($1.at, $1.seq) }
            .suffix(Limits.forgivenMax)
        for rest in other.ended { keep(rest) }
        let parts = partsUp(to: other.debt, at: now)
        take(parts)
        debt += other.debt - parts.total
        for bucket in other.buckets { put(bucket, at: now) }
        holds += other.holds
        begin(at: now)
    }

    /// The purse without free credits: what is held of them may be spent, and does not come back.
    fileprivate func withoutFree(at now: Moment) -> Purse {
        var rest = self
        rest.buckets.removeAll(where: \.isFree)
        rest.holds = holds.map { hold in
            Hold(
                id: hold.id,
                until: hold.until,
                parts: hold.parts.map { part in
                    guard part.isFree else { return part }
                    return Bucket(source: part.source, until: now, amount: part.amount)
                }
            )
        }
        return rest
    }
}

extension Desk {
    /// What is kept of `user`, whose account went into another; nil where it did not, or where
    /// nobody looked.
    package func merger(of user: UserID) -> MergedAccount? {
        merges.isLaid(user) ? merges[user] : nil
    }

    /// What of a charge by `user` comes back when it is reversed.
    func returnable(_ parts: [Bucket], of user: UserID) -> [Bucket] {
        guard merger(of: user)?.leftFreeCredits == true else { return parts }
        return parts.filter { !$0.isFree }
    }

    /// The user who now has what `user` had: the one whose account theirs went into.
    package func holder(of user: UserID) -> UserID { merger(of: user)?.into ?? user }

    /// What decides whose a subscription is, under the names of those who have the accounts now.
    func decider(
        of subscription: Subscription,
        _ holder: ((Token) -> UserID?)? = nil
    ) -> OwnershipDecider? {
        switch subscription.decider(holder ?? { tokens[$0] }) {
        case .link(let user, let moment): .link(self.holder(of: user), moment)
        case .purchase(let user, let moment): .purchase(user, moment)
        case .stated(let user): .stated(self.holder(of: user))
        case .token(let user): .token(user)
        case .formerToken(let user): .formerToken(user)
        case nil: nil
        }
    }

    /// What a pack has done, under the name of whoever has the account now.
    func pack(of key: PackKey) -> Pack? {
        guard var pack = packs[key] else { return nil }
        pack.user = holder(of: pack.user)
        return pack
    }

    /// Absorbs that an account went into another.
    mutating func merge(_ merge: Merge, at moment: Moment, seq: UInt64) {
        let (from, into) = (merge.from, merge.into)
        let gone = accounts.isLaid(from) ? accounts[from] : nil
        let other = accounts.isLaid(into) ? accounts[into] : nil
        let leftFree = [gone, other].allSatisfy { $0?.answer.flags.hadFreeCredits == true }
        // A row under the key may be newer than an answer that is not kept any more.
        for first in gone?.firstAnswers ?? [] where first.settlement.isKept(at: moment) {
            settlements[IdempotencyKey(user: from, digest: first.key)] = first.settlement
        }
        var chain = gone?.chain
        if let gone {
            if gone.lastSeq != seq { chain?.step(at: moment) }
            remove(from, seq)
        }
        merges[from] = MergedAccount(
            into: into,
            seq: seq,
            chain: chain,
            leftFreeCredits: leftFree
        )
        for former in merge.formers where merger(of: former) != nil {
            merges[former]?.into = into
            if leftFree { merges[former]?.leftFreeCredits = true }
        }
        for token in merge.tokens { tokens[token] = into }
        if accounts.isLaid(into), var account = accounts[into] {
            account.take(merge, numbering: &numbering, at: moment)
            put(account, seq)
        }
        for key in merge.purchases where subscriptions.isLaid(key) {
            guard var subscription = subscriptions[key] else { continue }
            subscription.rename(from, as: into)
            put(subscription, seq)
            refresh(key, at: moment, seq: seq)
        }
    }
}

extension Account {
    fileprivate mutating func take(
        _ merge: Merge,
        numbering: inout Numbering,
        at moment: Moment
    ) {
        // Whether it has purchases for days follows from those.
        let dated = answer.flags.intersection(.dated)
        answer.flags = merge.flags.subtracting(.dated).union(dated)
        purse = merge.purse
        (answer.credits, answer.balances) = purse.front
        answer.grants.removeAll { $0.until <= moment }
        for named in merge.grants {
            var grant = named.grant
            grant.plan = numbering.number(of: Numbering.planName(named.plan))
            answer.grants.append(grant)
        }
        tokens = Set(tokens).union(merge.tokens).sorted()
        formers += (merge.formers + [merge.from]).filter { !formers.contains($0) }
    }
}

extension Subscription {
    /// What one user had of it another has.
    fileprivate mutating func rename(_ old: UserID, as new: UserID) {
        if link == old { link = new }
        guard sharers.contains(old) else { return }
        let place = sharers.firstIndex { $0 == old || $0 == new }
        sharers.removeAll { $0 == old || $0 == new }
        if let place { sharers.insert(new, at: min(place, sharers.count)) }
    }
}
