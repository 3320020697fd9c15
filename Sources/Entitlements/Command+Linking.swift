// Purchases that an app server shows for a user: verifyPurchase links all of them or none,
// verifyReceipt what may be the user's, restorePurchases each for itself.

extension Command {
    /// First match wins: a purchase cannot be the user's (`PurchaseClaim`), or of a receipt none
    /// can; its token is one too many; nothing is new; linked.
    func ruling(on desk: Desk, under policy: Policy, linking purchase: Purchase) -> Ruling {
        let user = purchase.user
        let all = claims(
            of: user,
            showing: purchase.facts,
            naming: purchase.claimed,
            by: .purchase,
            on: desk
        )
        let refused = all.filter(\.isRefused)
        let claims = all.filter { !$0.isRefused }
        if let conflict = refused.first?.conflict, !purchase.isReceipt || claims.isEmpty {
            return Ruling(.conflict(conflict))
        }
        guard let claimed = claiming(claims.flatMap(\.tokens), for: user, on: desk) else {
            return Ruling(.tokensFull)
        }
        var events = opening(user, on: desk, under: policy)
        events += claimed.filter { !events.contains($0) }
        let facts = factsToKeep(of: purchase.facts, refusing: Set(refused.map(\.key)), on: desk)
        events += openingNamed(by: facts, on: desk, policy).filter { !events.contains($0) }
        let (merges, isNewer) = merging(facts, on: desk)
        events += merges
        let links = claims.filter { $0.needsLink && $0.conflict == nil }
            .map { Event.linked($0.key, user, at: $0.moment) }
        events += links
        events += migrationEvents(after: events, on: desk)
        events += packEvents(after: events, showing: facts, on: desk, under: policy)
        return Ruling(.linked(applied: isNewer || !links.isEmpty), events)
    }

    /// For each purchase, first match wins: the user's without a link, or already theirs; it can be
    /// linked; its token is nobody's; what is shown is older than what decides whose it is; the
    /// policy of transfers decides.
    func ruling(on desk: Desk, under policy: Policy, restoring order: Restoration) -> Ruling {
        let user = order.user
        let claims = claims(
            of: user,
            showing: order.facts,
            naming: order.claimed,
            by: .signature,
            on: desk
        )
        let results = claims.map { claim in
            let outcome = outcome(of: claim, on: desk, under: policy)
            return (claim: claim, restored: RestoredSubscription(key: claim.key, outcome: outcome))
        }
        let taken = results.filter { $0.restored.outcome != .refused }.flatMap(\.claim.tokens)
        guard let claimed = claiming(taken, for: user, on: desk) else { return Ruling(.tokensFull) }
        var events = opening(user, on: desk, under: policy)
        events += claimed.filter { !events.contains($0) }
        let refused = results.filter { $0.restored.outcome == .refused }.map(\.claim.key)
        let facts = factsToKeep(of: order.facts, refusing: Set(refused), on: desk)
        events += openingNamed(by: facts, on: desk, policy).filter { !events.contains($0) }
        if policy.source.userIDIsToken {
            events += openingOwners(of: facts, but: taken, on: desk, policy)
                .filter { !events.contains($0) }
        }
        events += merging(facts, on: desk).events
        for (claim, restored) in results {
            switch restored.outcome {
            case .linked, .moved, .alreadyOwned:
                // Without a link it would go with the next token; but where a token speaks against
                // it, the user has it only for as long as what they have it by says so.
                let isFirm = claim.conflict == nil || restored.outcome == .moved
                if claim.needsLink, isFirm {
                    events.append(.linked(claim.key, user, at: claim.moment))
                }
            case .shared: events.append(.shared(claim.key, user))
            case .refused: break
            }
        }
        events += migrationEvents(after: events, on: desk)
        events += packEvents(after: events, showing: facts, on: desk, under: policy)
        return Ruling(.restored(results.map(\.restored)), events)
    }

    private func outcome(
        of claim: PurchaseClaim,
        on desk: Desk,
        under policy: Policy
    ) -> RestoredSubscription.Outcome {
        if claim.staysHeld { return claim.isHeld ? .alreadyOwned : .linked }
        if claim.conflict == nil { return claim.isHeld ? .alreadyOwned : .linked }
        if claim.tokenConflict == .unknownToken || claim.showsTokenOfNobody { return .refused }
        // Its present owner has bought or shown it since that was signed.
        if claim.moment < claim.decided { return .refused }
        switch policy.source.transferPolicy {
        case .move: return .moved
        case .share:
            let sharers = desk.subscriptions[claim.key]?.sharers.count ?? 0
            return sharers < Limits.sharersMax ? .shared : .refused
        case .refuse: return .refused
        }
    }

    /// What is shown, but for what would bring back a person who was erased: that is for them to
    /// show.
    private func factsToKeep(
        of facts: [Fact],
        refusing keys: Set<SubscriptionKey>,
        on desk: Desk
    ) -> [Fact] {
        guard desk.secret != nil else { return facts }
        let strange = facts.filter { keys.contains($0.key) }
        let unwelcome = Set(strange.filter { !isWelcome($0, on: desk) })
        return namingNobodyGone(facts.filter { !unwelcome.contains($0) }, on: desk)
    }
}

/// Purchases that a user's device knows, shown by an app server.
package struct Restoration: Hashable, Sendable {
    /// For whom.
    package let user: UserID
    /// What the documents state.
    package internal(set) var facts: [Fact]
    /// Tokens that the caller names as the user's, among them the derived one.
    package let claimed: [Token]

    /// The restoration of what `facts` state for `user`.
    package init(user: UserID, facts: [Fact], claimed: [Token]) {
        self.user = user
        self.facts = facts
        self.claimed = claimed
    }
}

/// What a restoration did with one subscription.
package struct RestoredSubscription: Hashable, Sendable {
    /// Which one.
    package let key: SubscriptionKey
    /// What became of it.
    package let outcome: Outcome

    /// What became of a subscription; the raw value is what `results` says.
    package enum Outcome: String, Sendable {
        case linked
        case alreadyOwned = "already_owned"
        case moved
        case shared
        case refused
    }
}
