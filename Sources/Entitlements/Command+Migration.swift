// A purchase may get another original id: a subscription that was migrated, or that became part of
// a bundle. The transaction names the id before, and whoever had that one has this one.

extension Command {
    /// What `events` make of purchases that go on under another original id, in whatever order the
    /// store told of the two.
    ///
    /// The new one is linked to the owner of the one before where nobody has it, or whoever had
    /// both until now, or who has it by what is older than what made the one before its owner's: a
    /// later buyer or a later link of its own stays. In stores of whole states a link that
    /// was handed on goes wherever the one before goes, and so does what only a token of the one
    /// before decides.
    func migrationEvents(after events: [Event], on desk: Desk) -> [Event] {
        let touched = touched(by: events, on: desk)
        let isMigration = events.contains { $0.formerKey != nil }
        guard isMigration || touched.contains(where: { isFollowed($0, on: desk) }) else {
            return []
        }
        var later = desk
        for event in events { later.absorb(event, at: now, seq: seq) }
        var found: [Event] = []
        var open = touched
        for event in events {
            guard case .merged(let fact) = event, let former = event.formerKey else { continue }
            // The purchase of an erased person does not come back by its name.
            let isGone = later.subscriptions[former] == nil && later.isAway(.subscription(former))
            if isGone { continue }
            open.insert(former)
            let known = later.subscriptions[former]?.successors ?? []
            if known.contains(fact.key) || known.count == Limits.successorsMax { continue }
            found.append(.succeeded(former, by: fact.key))
            later.absorb(.succeeded(former, by: fact.key), at: now, seq: seq)
        }
        while let key = open.min() {
            open.remove(key)
            guard let former = later.subscriptions[key],
                let owner = former.owner.map({ later.holder(of: $0) })
            else { continue }
            let before = desk.subscriptions.isLaid(key) ? desk.subscriptions[key]?.owner : nil
            for next in former.successors where later.subscriptions.isLaid(next) {
                guard let heir = later.subscriptions[next], !heir.transactions.isEmpty else {
                    continue
                }
                // What only a token of the one before decides is handed on to the same owner, too.
                let decider = later.decider(of: heir)
                let isLent = decider?.isFormerToken ?? false
                let isHad = heir.isOfSnapshots ? heir.isHandedOn : heir.owner == before
                let isOpen = heir.owner == nil || isHad || isLent
                var handed: [Event] = []
                if heir.owner != owner || isLent,
                    isOpen || isDecidedLater(former, than: decider, on: later)
                {
                    handed.append(handing(next, to: owner, from: former, on: later))
                    // Whole states may name each other in a circle.
                    if heir.isOfSnapshots { handed.removeAll { found.contains($0) } }
                }
                for event in handed { later.absorb(event, at: now, seq: seq) }
                let shares = sharing(next, of: owner, like: former, on: later)
                for event in shares { later.absorb(event, at: now, seq: seq) }
                found += handed + shares
                if !(handed + shares).isEmpty { open.insert(next) }
            }
        }
        return found
    }

    /// Whoever shares the one before shares what it went on as, while both are of one owner.
    private func sharing(
        _ next: SubscriptionKey,
        of owner: UserID,
        like former: Subscription,
        on desk: Desk
    ) -> [Event] {
        guard let heir = desk.subscriptions[next], heir.owner == owner else { return [] }
        let missing = former.sharers.map { desk.holder(of: $0) }
            .filter { $0 != owner && !heir.sharers.contains($0) }
        return missing.prefix(max(Limits.sharersMax - heir.sharers.count, 0))
            .map { .shared(next, $0) }
    }

    /// As of when the one before became theirs: whoever has bought the new one with a token of
    /// their own has it, also where the token is registered later.
    ///
    /// In a store of whole states as of no moment: whatever else there is decides before it
    /// (`Subscription.isHandedOn`), in whatever order the two were told of.
    private func handing(
        _ next: SubscriptionKey,
        to owner: UserID,
        from former: Subscription,
        on desk: Desk
    ) -> Event {
        let decided = former.isOfSnapshots ? nil : former.decider { desk.tokens[$0] }?.moment
        return .linked(next, owner, at: decided ?? .distantPast)
    }

    /// Whether what decides whose a purchase is came after what decides the same of the one that it
    /// went on as; a link also on a tie.
    ///
    /// The migrated purchase repeats transactions from before, with the tokens that they had.
    private func isDecidedLater(
        _ former: Subscription,
        than heir: OwnershipDecider?,
        on desk: Desk
    ) -> Bool {
        guard !former.isOfSnapshots, let first = desk.decider(of: former), let second = heir
        else { return false }
        if first.moment != second.moment { return first.moment > second.moment }
        return first.isLink && !second.isLink
    }

    private func isFollowed(_ key: SubscriptionKey, on desk: Desk) -> Bool {
        guard desk.subscriptions.isLaid(key) else { return false }
        return !(desk.subscriptions[key]?.successors.isEmpty ?? true)
    }
}

extension Event {
    /// The purchase that a fact names as the one before its own.
    fileprivate var formerKey: SubscriptionKey? {
        guard case .merged(let fact) = self else { return nil }
        return fact.formerKey
    }
}

extension Fact {
    /// What this says of the purchase before, whose place this one took; nil where it did not.
    ///
    /// At Google a paid purchase replaces the one that it is linked to (what is not paid is linked
    /// to none), from its beginning. At Apple a migrated one does, unless it was refunded before it
    /// began, for whatever was bought up to then under the old name.
    var endOfFormer: Fact? {
        guard let former = formerKey, let transaction else { return nil }
        switch key.store.succession {
        case .once:
            guard status != nil else { return nil }
            var ended = Fact(key: former)
            ended.replaced = transaction.purchased
            return ended
        case .backAndForth: return Fact(replacing: former, Replacement(transaction))
        case nil: return nil
        }
    }

    /// The purchase as it was called before it was migrated.
    package var formerKey: SubscriptionKey? { transaction?.formerKey(of: key) }
}

extension TransactionFact {
    /// The purchase `key` as it was called before it was migrated; nil where it was not.
    package func formerKey(of key: SubscriptionKey) -> SubscriptionKey? {
        guard let former = terms.previousOriginalID, former != key.originalID else { return nil }
        return SubscriptionKey(key, originalID: former)
    }
}

extension Desk {
    /// The purchases that are reached from `keys`, these among them, where each leads to `next`.
    func reached(
        from keys: [SubscriptionKey],
        by next: (Subscription) -> Set<SubscriptionKey>
    ) -> Set<SubscriptionKey> {
        var found = Set(keys)
        var open = keys
        while let key = open.popLast() {
            guard let purchase = subscriptions[key] else { continue }
            for other in next(purchase) where subscriptions.isLaid(other) {
                if found.insert(other).inserted { open.append(other) }
            }
        }
        return found
    }
}

extension SubscriptionKey {
    /// Another purchase in the same store and environment.
    package init(_ other: SubscriptionKey, originalID: String) {
        self.init(store: other.store, environment: other.environment, originalID: originalID)
    }
}

extension Subscription {
    /// The purchases that this one was before, and became.
    package var kin: Set<SubscriptionKey> { formers.union(successors) }

    /// The purchases that this one was before.
    var formers: Set<SubscriptionKey> {
        var formers: Set<SubscriptionKey> = []
        for place in transactions.indices {
            guard let former = transactions[place].formerKey(of: key) else { continue }
            formers.insert(former)
        }
        return formers
    }

    /// Takes in that it goes on under another original id.
    mutating func go(on successor: SubscriptionKey) {
        guard !successors.contains(successor) else { return }
        successors.append(successor)
        successors.sort()
    }

    /// Forgets purchases of somebody who was erased.
    mutating func forget(_ gone: Set<SubscriptionKey>) {
        successors.removeAll { gone.contains($0) }
        for place in transactions.indices {
            guard let former = transactions[place].formerKey(of: key), gone.contains(former) else {
                continue
            }
            transactions[place].terms.previousOriginalID = nil
            // Nothing says any more that the period came back: what had taken its place before
            // must not take it again.
            let (moment, first) = (transactions[place].purchased, traces[place].first)
            replacements.removeAll { $0.at == moment && $0.first <= first }
        }
    }
}
