extension Command {
    /// Decides what this command does, once.
    ///
    /// Changes nothing; the ledger absorbs the events.
    ///
    /// - Parameters:
    ///   - desk: holds every record of `needs(under:)`.
    ///   - policy: the catalog and configuration in force.
    /// - Returns: the outcome for the caller, and the events to absorb.
    package func ruling(on desk: Desk, under policy: Policy) -> Ruling {
        if let refusal = refusalOfMerged(on: desk) { return refusal }
        return switch kind {
        case .register(let registration): ruling(on: desk, under: policy, registering: registration)
        case .record(let notification): ruling(on: desk, under: policy, recording: notification)
        case .link(let purchase): ruling(on: desk, under: policy, linking: purchase)
        case .restore(let order): ruling(on: desk, under: policy, restoring: order)
        case .learn(let facts): ruling(on: desk, under: policy, learning: facts)
        case .grant(let order): ruling(on: desk, under: policy, granting: order)
        case .revokeGrant(let revocation): ruling(on: desk, revoking: revocation)
        case .merge(let order): ruling(on: desk, under: policy, merging: order)
        case .move(let order): ruling(on: desk, under: policy, moving: order)
        case .credit(let order): ruling(on: desk, under: policy, crediting: order)
        case .charge(let charge): ruling(on: desk, under: policy, charging: charge)
        case .reserve(let order): ruling(on: desk, under: policy, reserving: order)
        case .endReservation(let order): ruling(on: desk, under: policy, ending: order)
        case .reverse(let order): ruling(on: desk, under: policy, reversing: order)
        case .tick(let tick): Ruling(.ticked, [.passed(tick)])
        case .load(let rows): ruling(on: desk, loading: rows)
        case .erase(let order): ruling(on: desk, erasing: order)
        case .install(let stamp):
            desk.catalog?.digest == stamp.digest
                ? Ruling(.installed) : Ruling(.installed, [.catalogInstalled(stamp)])
        }
    }

    /// First match wins: the token is another user's; it is one too many; nothing is new;
    /// registered.
    private func ruling(
        on desk: Desk,
        under policy: Policy,
        registering registration: Registration
    ) -> Ruling {
        let (user, token) = (registration.user, registration.token)
        if let holder = desk.tokens[token], holder != user { return Ruling(.tokenTaken) }
        if desk.tokens[token] == nil, !registration.hasOwnToken,
            isForgotten(token, toAllBut: user, on: desk)
        {
            return Ruling(.tokenTaken)
        }
        let account = desk.accounts[user]
        if desk.tokens[token] == nil, hasAllTokens(user, on: desk) { return Ruling(.tokensFull) }
        var events = opening(user, on: desk, under: policy)
        let gifts = freeCredits(of: registration, on: desk, under: policy)
        if !gifts.isEmpty {
            var draft = Draft(user, self, on: desk, under: policy)
            for gift in gifts { draft.happen(gift) }
            events += draft.events.filter { !events.contains($0) }
        }
        let claimed = claimed(by: registration, on: desk)
        if !claimed.isEmpty {
            for token in claimed {
                events += claiming(token, for: user, on: desk).filter { !events.contains($0) }
            }
            events += migrationEvents(after: events, on: desk)
            events += packEvents(after: events, on: desk, under: policy)
        }
        var purse = account?.purse ?? Purse()
        for event in events where event.purseOwner == user { purse.absorb(event, at: now) }
        let credits = purse.balance(at: now)
        let created = account == nil
        return Ruling(.registered(token: token, created: created, credits: credits), events)
    }

    /// The tokens that become the user's: the one that is named and, where it is nobody's and there
    /// is room, the one that stands for the account id, which follows from the user id.
    private func claimed(by registration: Registration, on desk: Desk) -> [Token] {
        let first = [registration.token].filter { desk.tokens[$0] == nil }
        guard let other = registration.accountID, desk.tokens[other] == nil,
            !hasAllTokens(registration.user, on: desk, with: first.count)
        else { return first }
        return first + [other]
    }

    /// First match wins: it was here before, and the store was asked or cannot be asked yet; the
    /// store has to be asked first, of a purchase that may be named or not; it states nothing, or
    /// nothing but of a person who was erased; nothing in it is newer; applied.
    private func ruling(
        on desk: Desk,
        under policy: Policy,
        recording notification: Notification
    ) -> Ruling {
        if let first = desk.notifications[notification.id], first.isKept(at: now) {
            // The answer to one that waits for it is news, and is kept under its id.
            guard first.isAwaiting, notification.announcement == nil else {
                return Ruling(.recorded(.duplicate))
            }
        }
        if let announcement = notification.announcement {
            if announcement.purchases.contains(where: { isForgotten($0, on: desk) }) {
                return Ruling(.unkept)
            }
            return Ruling(.recorded(.accepted), [.announced(notification.id, announcement)])
        }
        var events = [Event.noticed(notification.id)]
        let facts = welcome(notification.facts, on: desk)
        guard !facts.isEmpty else { return Ruling(.recorded(.ignored), events) }
        events += openingNamed(by: facts, on: desk, policy)
        if policy.source.userIDIsToken {
            events += openingOwners(of: facts, on: desk, policy).filter { !events.contains($0) }
        }
        let (merges, isNewer) = merging(facts, on: desk)
        events += merges.isEmpty ? restating(facts, on: desk) : merges
        events += migrationEvents(after: events, on: desk)
        events += packEvents(after: events, showing: facts, on: desk, under: policy)
        return Ruling(.recorded(isNewer ? .applied : .stale), events)
    }

    /// First match wins: the key with other arguments; a repetition; no such plan; too many; given.
    private func ruling(
        on desk: Desk,
        under policy: Policy,
        granting order: GrantOrder
    ) -> Ruling {
        if let first = first(under: order.key, for: order.fingerprint, on: desk) {
            guard first.fingerprint == order.fingerprint else { return Ruling(.keyReused) }
            return Ruling(.granted(id: first.seq, replayed: true))
        }
        // `free` is what holds without access: nothing that can be given.
        let isGiven = policy.plans.dropFirst().contains { $0.name == order.plan }
        guard isGiven else { return Ruling(.planUnknown) }
        let running = desk.accounts[order.user]?.answer.grants.filter { $0.until > now } ?? []
        guard running.count < Limits.grantsMax else { return Ruling(.grantsFull) }
        let id = freshID(on: desk)
        let grant = Grant(
            id: id,
            plan: 0,
            from: order.from ?? now,
            until: order.until ?? .distantFuture,
            storeCode: order.store?.rawValue ?? 0
        )
        let settlement = Settlement(fingerprint: order.fingerprint, seq: id, at: at, now: now)
        let events =
            opening(order.user, on: desk, under: policy)
            + [.granted(order.user, plan: order.plan, grant), .settled(order.key, settlement)]
        return Ruling(.granted(id: id, replayed: false), events)
    }

    private func ruling(on desk: Desk, revoking revocation: GrantRevocation) -> Ruling {
        let grants = desk.accounts[revocation.user]?.answer.grants ?? []
        guard grants.contains(where: { $0.id == revocation.grant }) else {
            return Ruling(.grantUnknown)
        }
        return Ruling(.grantRevoked, [.grantRevoked(revocation.user, revocation.grant)])
    }

    /// The events that begin an account, where there is none; its own token with it where user ids
    /// are tokens.
    func opening(_ user: UserID, on desk: Desk, under policy: Policy) -> [Event] {
        var events: [Event] = []
        if desk.accounts[user] == nil { events.append(.accountOpened(user)) }
        if policy.source.userIDIsToken, let token = Token(user.description),
            desk.tokens[token] == nil
        {
            events += claiming(token, for: user, on: desk)
        }
        return events
    }

    /// The merges that change anything, and whether some document was newer than what is kept.
    func merging(_ facts: [Fact], on desk: Desk) -> (events: [Event], isNewer: Bool) {
        var seen: [SubscriptionKey: Subscription] = [:]
        var events: [Event] = []
        var isNewer = false
        for fact in facts {
            let before =
                seen[fact.key] ?? desk.subscriptions[fact.key] ?? Subscription(key: fact.key)
            var after = before
            if after.merge(fact) { isNewer = true }
            seen[fact.key] = after
            if after != before { events.append(.merged(fact.asKept)) }
            guard let ended = fact.endOfFormer, isKnown(ended.key, on: desk) else { continue }
            var former =
                seen[ended.key] ?? desk.subscriptions[ended.key] ?? Subscription(key: ended.key)
            if former.merge(ended) { events.append(.merged(ended)) }
            seen[ended.key] = former
        }
        for key in seen.keys.sorted() {
            if let after = seen[key] { events = taking(after, on: desk) + events }
        }
        return (events, isNewer)
    }

    /// What a notification states of somebody's purchase though it is known: that the store asks
    /// about consumption, or declines a refund, may be said after what was said later.
    private func restating(_ facts: [Fact], on desk: Desk) -> [Event] {
        let told = facts.first {
            $0.transaction != nil && desk.subscriptions[$0.key]?.owner != nil
        }
        return told.map { [.merged($0.asKept)] } ?? []
    }

    /// Whether a purchase may be named: not that of an erased person who is away.
    private func isKnown(_ key: SubscriptionKey, on desk: Desk) -> Bool {
        desk.subscriptions[key] != nil || !desk.isAway(.subscription(key))
    }

    /// The first answer under `key`, while it is kept; else that of a command of the same method
    /// and parameters under the name of an account that went into the user's: whoever repeats it
    /// may know the new name only.
    ///
    /// Where both names have used the key, each has its own answer.
    func first(
        under key: IdempotencyKey,
        for fingerprint: Digest128,
        on desk: borrowing Desk
    ) -> Settlement? {
        if let own = first(under: key, on: desk) { return own }
        for key in desk.formerKeys(key) {
            if let first = first(under: key, on: desk), first.fingerprint == fingerprint {
                return first
            }
        }
        return nil
    }

    /// The first answer under `key`, while it is kept.
    func first(under key: IdempotencyKey, on desk: borrowing Desk) -> Settlement? {
        desk.firstAnswer(under: key).flatMap { $0.isKept(at: now) ? $0 : nil }
    }
}
