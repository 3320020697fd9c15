// What a user's device knows of their purchases, and what a store answers when it is asked.

extension Command {
    /// For each subscription, first match wins: already the user's; nobody's, or seen for the first
    /// time with the user's token; another's, and the policy of transfers decides.
    func ruling(on desk: Desk, under policy: Policy, restoring order: Restoration) -> Ruling {
        var events = opening(order.user, on: desk, under: policy)
        events += merging(order.facts, on: desk).events
        var results: [RestoredSubscription] = []
        for fact in order.facts where !results.contains(where: { $0.key == fact.key }) {
            let outcome = restoring(fact, order, on: desk, under: policy)
            results.append(RestoredSubscription(key: fact.key, outcome: outcome))
            switch outcome {
            case .linked, .moved: events.append(.linked(fact.key, order.user))
            case .shared: events.append(.shared(fact.key, order.user))
            case .alreadyOwned:
                // By a token alone it would go with the next token.
                let subscription = desk.subscriptions[fact.key]
                let isSharer = subscription?.sharers.contains(order.user) ?? false
                if !isSharer, subscription?.link != order.user {
                    events.append(.linked(fact.key, order.user))
                }
            case .refused: break
            }
        }
        events += packEvents(after: events, on: desk, under: policy)
        return Ruling(.restored(results), events)
    }

    private func restoring(
        _ fact: Fact,
        _ order: Restoration,
        on desk: Desk,
        under policy: Policy
    ) -> RestoredSubscription.Outcome {
        let subscription = desk.subscriptions[fact.key]
        let tokens = order.facts.filter { $0.key == fact.key }.compactMap(\.transaction?.token)
        let owner = subscription?.owner ?? tokens.lazy.compactMap { desk.tokens[$0] }.first
        if subscription?.owner == order.user { return .alreadyOwned }
        guard let owner, owner != order.user else { return .linked }
        if subscription?.sharers.contains(order.user) ?? false { return .alreadyOwned }
        switch policy.source.transferPolicy {
        case .move: return .moved
        case .share:
            let sharers = subscription?.sharers.count ?? 0
            return sharers < Limits.sharersMax ? .shared : .refused
        case .refuse: return .refused
        }
    }

    /// What the store answered is merged; whose it is follows from the tokens alone.
    func ruling(on desk: Desk, under policy: Policy, learning facts: [Fact]) -> Ruling {
        let facts = welcome(facts, on: desk)
        var events: [Event] = []
        if policy.source.userIDIsToken { events += openingOwners(of: facts, on: desk, policy) }
        let (merges, isNewer) = merging(facts, on: desk)
        events += merges
        events += packEvents(after: events, on: desk, under: policy)
        return Ruling(.learned(applied: isNewer), events)
    }

    /// Where user ids are tokens, the first fact that carries a token begins its account.
    func openingOwners(of facts: [Fact], on desk: Desk, _ policy: Policy) -> [Event] {
        var events: [Event] = []
        for token in facts.compactMap(\.transaction?.token) where desk.tokens[token] == nil {
            guard let user = UserID(token.description) else { continue }
            events += opening(user, on: desk, under: policy).filter { !events.contains($0) }
        }
        return events
    }
}

/// Purchases that a user's device knows, shown by an app server.
package struct Restoration: Hashable, Sendable {
    /// For whom.
    package let user: UserID
    /// What the documents state.
    package let facts: [Fact]

    /// The restoration of what `facts` state for `user`.
    package init(user: UserID, facts: [Fact]) {
        self.user = user
        self.facts = facts
    }
}

/// What a restoration did with one subscription.
package struct RestoredSubscription: Hashable, Sendable {
    /// Which one.
    package let key: SubscriptionKey
    /// What became of it.
    package let outcome: Outcome

    /// What became of a subscription; the raw value is the contract's.
    package enum Outcome: String, Sendable {
        case linked
        case alreadyOwned = "already_owned"
        case moved
        case shared
        case refused
    }

    /// What became of the subscription `key`.
    package init(key: SubscriptionKey, outcome: Outcome) {
        self.key = key
        self.outcome = outcome
    }
}
