extension Desk {
    /// Changes the records as `event`, which was judged at `moment` and stands at `seq`, says.
    ///
    /// Never decides: replaying a journal through here rebuilds every view.
    package mutating func absorb(_ event: Event, at moment: Moment, seq: UInt64) {
        judged = moment
        switch event {
        case .accountOpened(let user): change(user, seq) { _ in }
        case .registered(let user, let freeCredits):
            absorb(event, of: user, credited: freeCredits > 0, seq) { $0.insert(.registered) }
            welcomeBack(user)
        case .appTransactionAwaited(let user):
            change(user, seq) { $0.answer.flags.insert(.awaitsAppTransaction) }
        case .appTransactionUsed(let mark, let user, let freeCredits):
            absorb(event, of: user, credited: freeCredits > 0, seq) {
                $0.remove(.awaitsAppTransaction)
            }
            if appTransactions[mark] == nil { appTransactions[mark] = moment }
        case .tokenClaimed(let token, let user): claim(token, for: user, seq)
        case .merged(let fact): merge(fact, seq)
        case .linked(let key, let user, let since): link(key, to: user, since, seq)
        case .shared(let key, let user): share(key, with: user, seq)
        case .succeeded(let key, let successor): change(key, seq) { $0.go(on: successor) }
        case .dated(let key): change(key, seq) { $0.isDated = true }
        case .granted(let user, let plan, let grant): add(grant, to: user, of: plan, seq)
        case .grantRevoked(let user, let id):
            change(user, seq) { $0.answer.grants.removeAll { $0.id == id } }
        case .credited(let user, _): absorb(event, of: user, credited: true, seq)
        case .spent(let user, _), .debtPaid(let user, _), .refundForgiven(let user, _):
            absorb(event, of: user, seq)
        case .held(let user, let hold, let holder):
            absorb(event, of: user, seq)
            let isLease = holder != nil
            reservations[hold.id] = Reservation(user: user, until: hold.until, isLease: isLease)
            if let holder { leases[hold.id] = Lease(user: user, holder: holder) }
        case .holdEnded(let user, let id, let ending, _):
            absorb(event, of: user, seq)
            end(id, ending)
        case .reversed(let key, _):
            absorb(event, of: holder(of: key.user), seq)
            markReversed(key)
        case .packCredited(let key, let pack):
            absorb(event, of: pack.user, credited: true, seq)
            keep(pack, under: key)
        case .periodMoved(let key, let user, let move):
            absorb(event, of: user, seq)
            packs[key]?.until = move.to
        case .packRefunded(let key, let user, let parts, let owed):
            absorb(event, of: user, seq)
            takeBack(parts.total + owed, of: key)
        case .packPartRefunded(let key, let user, let parts, let owed, let amount):
            absorb(event, of: user, seq)
            takeBack(parts.total + owed, of: key, part: amount)
        case .settled(let key, let settlement): keep(settlement, under: key, at: moment, seq: seq)
        case .noticed(let id): notifications[id] = Sighting(seq: seq, at: moment)
        case .announced(let id, _):
            notifications[id] = Sighting(seq: seq, at: moment, isAwaiting: true)
        case .passed(let tick):
            ticksTold.append(tick)
            ticks[tick.passings[0].due] = seq
        case .catalogInstalled(let stamp): catalog = stamp
        case .loaded(let row): lay(row, seq)
        case .accountsMerged(let merge): self.merge(merge, at: moment, seq: seq)
        case .erased(let erasure): erase(erasure, at: moment, seq: seq)
        }
    }

    /// Changes an account, which is opened where there is none, and steps its chain.
    private mutating func change(
        _ user: UserID,
        _ seq: UInt64,
        _ body: (inout Account) -> Void
    ) {
        let moment = judged
        let previous = accounts.box(user)?.value?.lastSeq ?? 0
        if previous != seq { touch(user, from: previous) }
        let since = update(&accounts[user])
        if previous != seq, isRipe(since) { ripeAccounts.append(user) }

        func update(_ kept: inout Account?) -> UInt16 {
            var account = kept.take() ?? Account(user: user, opened: moment)
            if account.lastSeq != seq { account.chain.step(at: moment) }
            account.lastSeq = seq
            body(&account)
            let since = account.chain.since
            kept = account
            return since
        }
    }

    /// Changes a subscription, which is begun where there is none, and what follows from it.
    private mutating func change(
        _ key: SubscriptionKey,
        _ seq: UInt64,
        _ body: (inout Subscription) -> Void
    ) {
        var subscription = subscriptions[key] ?? Subscription(key: key)
        body(&subscription)
        put(subscription, seq)
        refresh(key, at: judged, seq: seq)
    }

    /// Lets the purse of a user absorb `event`; `credited` where it brings the user credits.
    private mutating func absorb(
        _ event: Event,
        of user: UserID,
        credited: Bool = false,
        _ seq: UInt64,
        _ mark: (inout AccountFlags) -> Void = { _ in }
    ) {
        let moment = judged
        change(user, seq) { account in
            mark(&account.answer.flags)
            if credited { account.answer.flags.insert(.everCredited) }
            account.absorb(event, at: moment)
        }
    }

    private mutating func claim(_ token: Token, for user: UserID, _ seq: UInt64) {
        tokens[token] = user
        change(user, seq) { account in
            guard !account.tokens.contains(token) else { return }
            account.tokens.append(token)
            account.tokens.sort()
        }
        for waiting in waiting(for: token) {
            unclaimed[waiting] = nil
            refresh(waiting.key, at: judged, seq: seq)
        }
    }

    private mutating func merge(_ fact: Fact, _ seq: UInt64) {
        var subscription = subscriptions[fact.key] ?? Subscription(key: fact.key)
        _ = subscription.merge(fact)
        put(subscription, seq)
        for token in fact.transactions.compactMap(\.token) where tokens[token] == nil {
            unclaimed[Unclaimed(token: token, key: fact.key)] = true
        }
        refresh(fact.key, at: judged, seq: seq)
    }

    private mutating func link(
        _ key: SubscriptionKey,
        to user: UserID,
        _ since: Moment?,
        _ seq: UInt64
    ) {
        var subscription = subscriptions[key] ?? Subscription(key: key)
        let before = subscription.owner
        subscription.connect(to: user, at: since ?? subscription.linkMomentOfOld)
        // A new owner ends what others shared; a link that does not decide ends nothing.
        let isNewOwner = before != user && decider(of: subscription)?.owner == user
        let sharers = isNewOwner ? subscription.sharers : []
        subscription.sharers.removeAll { sharers.contains($0) }
        put(subscription, seq)
        for sharer in sharers where sharer != user { withdraw(key, from: sharer, seq) }
        refresh(key, at: judged, seq: seq)
    }

    private mutating func share(_ key: SubscriptionKey, with user: UserID, _ seq: UInt64) {
        guard subscriptions[key]?.sharers.contains(user) != true else { return }
        change(key, seq) { $0.sharers.append(user) }
    }

    private mutating func add(
        _ grant: Grant,
        to user: UserID,
        of plan: String,
        _ seq: UInt64
    ) {
        let moment = judged
        var grant = grant
        grant.plan = numbering.number(of: Numbering.planName(plan))
        change(user, seq) { account in
            account.answer.grants.removeAll { $0.until <= moment }
            account.answer.grants.append(grant)
        }
    }

    private mutating func end(_ reservation: UInt64, _ ending: Reservation.Ending) {
        guard var ended = reservations[reservation] else { return }
        ended.ending = ending
        reservations[reservation] = ended
        if ended.isLease { leases[reservation] = nil }
    }

    private mutating func keep(_ pack: Pack, under key: PackKey) {
        // A period that had not begun may go to another user; it is theirs alone then. And what was
        // taken for a trial may be a paid period.
        let same = self.pack(of: key)
            .flatMap { $0.user == pack.user && $0.isOfTrial == pack.isOfTrial ? $0 : nil }
        var kept = same ?? pack
        kept.until = pack.until
        kept.takenBack = nil
        kept.refundedPart = nil
        packs[key] = kept
    }

    /// Notes that `amount` more credits were taken back; `part` where the refund was of so many.
    private mutating func takeBack(_ amount: Int64, of key: PackKey, part: Int64? = nil) {
        guard var kept = packs[key] else { return }
        kept.takenBack = (kept.takenBack ?? 0) + amount
        if let part { kept.refundedPart = kept.amount == part ? nil : part }
        packs[key] = kept
    }

    /// The purchases that wait for a token, in an order in which names have no part as far as it
    /// shows: products get their numbers in it, and a name may be a pseudonym one day.
    private func waiting(for token: Token) -> [Unclaimed] {
        func place(_ waiting: Unclaimed) -> (UInt64, [String]) {
            let subscription = subscriptions[waiting.key]
            return (
                subscription?.lastSeq ?? 0, subscription?.transactions.map(\.productID) ?? []
            )
        }
        return unclaimed.keys.filter { $0.token == token && unclaimed[$0] == true }
            .sorted { left, right in
                let (one, other) = (place(left), place(right))
                if one.0 != other.0 { return one.0 < other.0 }
                if one.1 != other.1 { return one.1.lexicographicallyPrecedes(other.1) }
                return left < right
            }
    }

    /// Lays a row as it was in another ledger; products and plans get the numbers they have here.
    private mutating func lay(_ row: LoadedRow, _ seq: UInt64) {
        idFloor = max(idFloor, row.idMax)
        switch row.inOrder {
        case .account(let account, let names):
            let numbers = names.map { numbering.number(of: $0) }
            put(account.numbered(by: numbers), seq)
        case .subscription(let subscription): put(subscription, seq)
        case .token(let token, let user): tokens[token] = user
        case .unclaimed(let waiting): unclaimed[waiting] = true
        case .notification(let id, let first): notifications[id] = first
        case .settlement(let key, let first): settlements[key] = first
        case .reservation(let id, let reservation): reservations[id] = reservation
        case .lease(let id, let lease): leases[id] = lease
        case .pack(let key, let pack): packs[key] = pack
        case .appTransaction(let mark, let shown): appTransactions[mark] = shown
        case .merger(let user, let merger): merges[user] = merger
        }
    }

    /// Brings the owner of a subscription, and what the accounts say of it, up to its facts.
    mutating func refresh(_ key: SubscriptionKey, at moment: Moment, seq: UInt64) {
        guard var subscription = subscriptions[key] else { return }
        let before = subscription.owner
        let decider = decider(of: subscription)
        let owner = decider?.owner
        var isChanged = before != owner
        subscription.owner = owner
        if subscription.isHandedOn, decider?.isLink == false {
            subscription.dropHandedOn()
            isChanged = true
        }
        if isChanged { put(subscription, seq) }
        let users = subscription.users
        if let before, !users.contains(before) { withdraw(key, from: before, seq) }
        for user in users {
            guard var account = accounts[user] else { continue }
            account.put(slots(of: subscription, from: moment), of: key)
            put(account, seq)
        }
        guard subscription.everEntitled else { return }
        // Whoever's token was ever on it had it, in whatever order the facts arrived.
        let named = subscription.named.map { holder(of: $0.user) }
        for user in subscription.sharers + [owner].compactMap({ $0 }) + named
            + subscription.tokens.compactMap({ tokens[$0] })
        {
            guard var account = accounts[user] else { continue }
            guard !account.answer.flags.contains(.hadSubscription) else { continue }
            account.answer.flags.insert(.hadSubscription)
            put(account, seq)
        }
    }

    private mutating func withdraw(_ key: SubscriptionKey, from user: UserID, _ seq: UInt64) {
        guard var account = accounts[user] else { return }
        account.remove(key)
        put(account, seq)
    }

    /// Takes a person's names and tokens off a purchase of others.
    mutating func loosen(
        _ key: SubscriptionKey,
        from names: Set<UserID>,
        _ gone: Set<Token>,
        _ purchases: Set<SubscriptionKey>,
        at moment: Moment,
        seq: UInt64
    ) {
        guard var subscription = subscriptions[key] else { return }
        subscription.forget(names, gone)
        subscription.forget(purchases)
        put(subscription, seq)
        refresh(key, at: moment, seq: seq)
    }

    /// Takes an account away, and remembers what it was.
    mutating func remove(_ user: UserID, _ seq: UInt64) {
        if accounts.isLaid(user), let previous = accounts[user]?.lastSeq, previous != seq {
            touch(user, from: previous)
        }
        accounts[user] = nil
    }

    /// Puts an account back that the entry at `seq` changed.
    mutating func put(_ account: consuming Account, _ seq: UInt64) {
        let user = account.user
        if account.lastSeq != seq {
            touch(user, from: account.lastSeq)
            account.chain.step(at: judged)
            if isRipe(account.chain.since) { ripeAccounts.append(user) }
        }
        account.lastSeq = seq
        accounts[user] = account
    }

    /// Keeps the link from an account that is about to change to its last entry, and what it was.
    private mutating func touch(_ user: UserID, from previous: UInt64) {
        links.append(ChainLink(subject: ChainLink.subject(of: user), previous: previous))
        if isFollowed { touched.append((user, accounts[user])) }
    }

    mutating func put(_ subscription: Subscription, _ seq: UInt64) {
        var subscription = subscription
        if subscription.isDated { noteProducts(ofDated: subscription) }
        if subscription.lastSeq != seq {
            let subject = ChainLink.subject(of: subscription.key)
            links.append(ChainLink(subject: subject, previous: subscription.lastSeq))
            if isFollowed {
                touchedSubscriptions.append((subscription.key, before(subscription.key)))
            }
            subscription.lastSeq = seq
            if subscription.since < .max { subscription.since += 1 }
            if isRipe(subscription.since) { ripeSubscriptions.append(subscription.key) }
        }
        subscriptions[subscription.key] = subscription
    }

    /// Whether a chain has come so far that somebody may want to keep its record.
    private func isRipe(_ since: UInt16) -> Bool {
        milestoneEntries > 0 && since % milestoneEntries == 0
    }

    private func before(_ key: SubscriptionKey) -> Subscription? {
        subscriptions.isLaid(key) ? subscriptions[key] : nil
    }

    /// None where nothing in it lasts: a pack of credits costs no question any time.
    private mutating func slots(of subscription: Subscription, from moment: Moment) -> [Slot] {
        let eras = subscription.eras(from: moment)
        let isAnything = eras.contains {
            $0.paidUntil != nil || $0.marks.contains(.dated) || $0.marks.isPending
        }
        guard isAnything else { return [] }
        // All of them, in an order in which the store's ids have no part: which of two transactions
        // of one moment is current depends on those, and they may be pseudonyms one day.
        let key = subscription.key
        for product in Set(subscription.transactions.map { $0.productName(in: key) }).sorted() {
            _ = numbering.number(of: product)
        }
        return
            eras
            .map { era in
                Slot(
                    ordinal: 0,
                    store: subscription.key.store,
                    environment: subscription.key.environment,
                    product: numbering.number(of: era.productID),
                    marks: era.marks,
                    from: era.from,
                    paidUntil: era.paidUntil ?? .distantPast,
                    graceUntil: era.graceUntil ?? .distantPast
                )
            }
    }
}
