// What a store answers when it is asked, and the accounts that begin with a store's word.

extension Command {
    /// What the store answered is merged; whose it is follows from the tokens alone.
    func ruling(on desk: Desk, under policy: Policy, learning facts: [Fact]) -> Ruling {
        let facts = welcome(facts, on: desk)
        var events = openingNamed(by: facts, on: desk, policy)
        if policy.source.userIDIsToken {
            events += openingOwners(of: facts, on: desk, policy).filter { !events.contains($0) }
        }
        let (merges, isNewer) = merging(facts, on: desk)
        events += merges
        events += migrationEvents(after: events, on: desk)
        events += packEvents(after: events, showing: facts, on: desk, under: policy)
        return Ruling(.learned(applied: isNewer), events)
    }

    /// The accounts of users whom purchases name outright begin with that.
    func openingNamed(by facts: [Fact], on desk: Desk, _ policy: Policy) -> [Event] {
        var events: [Event] = []
        for user in facts.compactMap(\.user?.user) where desk.holder(of: user) == user {
            events += opening(user, on: desk, under: policy).filter { !events.contains($0) }
        }
        return events
    }

    /// Where user ids are tokens, the first fact that carries a token begins its account.
    ///
    /// A token that was made from an account id looks like a UUID and is no user id: an account of
    /// that name would keep the purchase, and the token, from the user whose account id it is.
    ///
    /// `taken` are tokens that this command makes somebody else's.
    func openingOwners(
        of facts: [Fact],
        but taken: [Token] = [],
        on desk: Desk,
        _ policy: Policy
    ) -> [Event] {
        var events: [Event] = []
        for token in facts.filter({ !$0.hasDerivedToken }).compactMap(\.transaction?.token)
        where desk.tokens[token] == nil && !taken.contains(token) && !desk.isAway(.token(token)) {
            guard let user = UserID(token.description) else { continue }
            if let gone = desk.merger(of: user) {
                // The id leads nowhere, and its token to the account that it went into.
                guard !isForgotten(token, toAllBut: gone.into, on: desk),
                    !hasAllTokens(gone.into, on: desk)
                else { continue }
                events += claiming(token, for: gone.into, on: desk).filter { !events.contains($0) }
                continue
            }
            events += opening(user, on: desk, under: policy).filter { !events.contains($0) }
        }
        return events
    }
}
