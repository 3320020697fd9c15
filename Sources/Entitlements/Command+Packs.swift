// Credit packs: a transaction of a product that the catalog calls a pack credits its owner once.

extension Command {
    /// What `events` make of credit packs: each credited once, and taken back when refunded.
    ///
    /// Looks at the subscriptions as they will be once `events` are absorbed.
    func packEvents(after events: [Event], on desk: Desk, under policy: Policy) -> [Event] {
        let packs = policy.source.creditPacks
        guard !packs.isEmpty else { return [] }
        let keys = touched(by: events, on: desk)
            .filter { key in
                let kept = desk.subscriptions[key]?.transactions ?? []
                return kept.contains { packs[$0.productID] != nil }
                    || events.contains { $0.states(packIn: packs, of: key) }
            }
        guard !keys.isEmpty else { return [] }
        var later = desk
        for event in events { later.absorb(event, at: now, seq: seq) }
        var found: [Event] = []
        for key in keys.sorted() {
            guard let subscription = later.subscriptions[key] else { continue }
            for transaction in subscription.transactions {
                // The next pack finds the purse as this one leaves it.
                for event in packEvents(transaction, subscription, on: later, under: policy) {
                    later.absorb(event, at: now, seq: seq)
                    found.append(event)
                }
            }
        }
        return found
    }

    /// The subscriptions whose facts or owner `events` may change.
    private func touched(by events: [Event], on desk: Desk) -> Set<SubscriptionKey> {
        var keys: Set<SubscriptionKey> = []
        for event in events {
            switch event {
            case .merged(let fact): keys.insert(fact.key)
            case .linked(let key, _): keys.insert(key)
            case .tokenClaimed(let token, _):
                for waiting in desk.unclaimed.keys
                where waiting.token == token && desk.unclaimed[waiting] == true {
                    keys.insert(waiting.key)
                }
            default: break
            }
        }
        return keys
    }

    private func packEvents(
        _ transaction: TransactionFact,
        _ subscription: Subscription,
        on desk: Desk,
        under policy: Policy
    ) -> [Event] {
        guard let size = policy.source.creditPacks[transaction.productID],
            let key = PackKey.of(transaction, subscription.key).first
        else { return [] }
        let kept = desk.packs[key]
        if transaction.revoked != nil {
            guard let pack = kept, pack.takenBack == nil, hasAccount(pack.user, on: desk) else {
                return []
            }
            var draft = Draft(pack.user, self, on: desk, under: policy)
            // What is held is not spent: it would come back later, beside the money.
            for hold in policy.source.owesRefunds ? [] : draft.purse.holds
            where draft.purse.balance(at: now) < pack.amount {
                draft.end(hold, .released, returning: hold.parts)
            }
            let parts = draft.purse.refund(of: pack, at: now)
            let owed = policy.source.owesRefunds ? pack.amount - parts.total : 0
            draft.happen(.packRefunded(key, pack.user, parts, owed: owed))
            let forgiven = pack.amount - parts.total - owed
            if forgiven > 0 {
                let memory = Forgiveness(pack: key, at: at, seq: seq, amount: forgiven)
                draft.happen(.refundForgiven(pack.user, memory))
            }
            return draft.events
        }
        if let pack = kept {
            // A refund was reversed: what was taken back comes again.
            guard let takenBack = pack.takenBack, hasAccount(pack.user, on: desk) else {
                return []
            }
            let again = Pack(user: pack.user, source: pack.source, amount: takenBack)
            return crediting(again, key, on: desk, under: policy)
        }
        // The credits of an erased person are not given again.
        guard desk.tombstone(of: .pack(key)) == nil else { return [] }
        guard let owner = subscription.owner, desk.accounts.isLaid(owner),
            desk.accounts[owner] != nil,
            policy.admits(subscription.key.environment, owner)
        else { return [] }
        let quantity = min(max(transaction.quantity, 1), Limits.packQuantityMax)
        let source = "pack:" + transaction.productID
        let pack = Pack(user: owner, source: source, amount: size * quantity)
        return crediting(pack, key, on: desk, under: policy)
    }

    /// False for a row that was loaded without the account of its user.
    private func hasAccount(_ user: UserID, on desk: Desk) -> Bool {
        desk.accounts.box(user)?.value != nil
    }

    private func crediting(
        _ pack: Pack,
        _ key: PackKey,
        on desk: Desk,
        under policy: Policy
    ) -> [Event] {
        var draft = Draft(pack.user, self, on: desk, under: policy)
        draft.happen(.packCredited(key, pack))
        return draft.events
    }
}

extension Event {
    fileprivate func states(packIn packs: [String: Int64], of key: SubscriptionKey) -> Bool {
        guard case .merged(let fact) = self, fact.key == key, let transaction = fact.transaction
        else { return false }
        return packs[transaction.productID] != nil
    }
}

extension PackKey {
    /// The key of a transaction that may be a pack: none renews by itself.
    package static func of(_ transaction: TransactionFact, _ key: SubscriptionKey) -> [PackKey] {
        guard !transaction.isAutoRenewable else { return [] }
        return [
            PackKey(store: key.store, environment: key.environment, transactionID: transaction.id)
        ]
    }
}

extension Policy {
    /// Whether purchases of this environment count for this user.
    fileprivate func admits(_ environment: StoreEnvironment, _ user: UserID) -> Bool {
        switch environment {
        case .production: acceptsProduction
        case .sandbox: acceptsSandbox && admitsSandbox(user)
        }
    }
}

extension Purse {
    /// What a refund takes back: from the pack's own bucket first, then from the others.
    fileprivate func refund(of pack: Pack, at now: Moment) -> [Bucket] {
        var missing = min(pack.amount, balance(at: now))
        var parts: [Bucket] = []
        let own = buckets.filter { $0.source == pack.source }
        for bucket in own + buckets.filter({ $0.source != pack.source })
        where bucket.until > now && missing > 0 {
            var part = bucket
            part.amount = min(missing, bucket.amount)
            missing -= part.amount
            parts.append(part)
        }
        return parts
    }
}
