/// That a purchase was made with a token, which makes it the token's user's.
package struct TokenClaim: Hashable, Sendable {
    /// The token.
    package let token: Token
    /// When the transaction that carries it began.
    package let purchased: Moment
    /// Its id.
    package let transactionID: String
    /// The newest version of it that carries a token.
    package let version: Version

    /// A claim with these parts.
    package init(token: Token, purchased: Moment, transactionID: String, version: Version) {
        self.token = token
        self.purchased = purchased
        self.transactionID = transactionID
        self.version = version
    }

    /// The order in which they are kept, and the last one decides: that of
    /// `TransactionFact.isOlder`.
    func isBefore(_ other: TokenClaim) -> Bool {
        if purchased != other.purchased { return purchased < other.purchased }
        if version != other.version { return version < other.version }
        return TransactionFact.precedes(transactionID, other.transactionID)
    }
}

/// What makes a subscription its owner's.
package enum OwnershipDecider: Hashable, Sendable {
    /// A command linked it, as of this moment.
    case link(UserID, Moment)
    /// A purchase of this moment carries a token of theirs.
    case purchase(UserID, Moment)
    /// The purchase named them outright.
    case stated(UserID)
    /// The newest token that any transaction carries is theirs.
    case token(UserID)
    /// The purchase before, which is not known, was made with a token of theirs.
    case formerToken(UserID)

    /// Whose it is.
    package var owner: UserID {
        switch self {
        case .link(let user, _), .purchase(let user, _), .stated(let user), .token(let user),
            .formerToken(let user):
            user
        }
    }

    /// Whether it gives way to whoever has the purchase before, once that is known.
    var isFormerToken: Bool {
        if case .formerToken = self { true } else { false }
    }

    /// Whether a link does.
    var isLink: Bool {
        if case .link = self { true } else { false }
    }

    /// Since when; a restoration that is older does not change it.
    package var moment: Moment {
        switch self {
        case .link(_, let moment), .purchase(_, let moment): moment
        case .stated, .token, .formerToken: .distantPast
        }
    }
}

extension Subscription {
    /// What decides whose it is, where `holder` answers whose a token is.
    ///
    /// The later of the newest link and the newest purchase with a registered token; the link on a
    /// tie. Without any of them whom the purchase names, then the newest token, then who had the
    /// purchase before (`isHandedOn`), then whose token the store says that one carried.
    package func decider(_ holder: (Token) -> UserID?) -> OwnershipDecider? {
        for claim in claims.reversed() {
            if let ownLink, linkedAt >= claim.purchased { return .link(ownLink, linkedAt) }
            if let user = holder(claim.token) { return .purchase(user, claim.purchased) }
        }
        if let ownLink { return .link(ownLink, linkedAt) }
        if let first = named.first { return .stated(first.user) }
        if let user = decidingToken.flatMap(holder) { return .token(user) }
        if let link { return .link(link, linkedAt) }
        return lentToken.flatMap(holder).map { .formerToken($0) }
    }

    /// Whether the link says only who has the purchase that this one took the place of.
    ///
    /// In a store of whole states that is the last thing that decides, but for the token of a
    /// purchase before that is not known, whichever of the two purchases was told of first; it is
    /// kept only for as long as nothing else decides.
    package var isHandedOn: Bool { isOfSnapshots && link != nil && linkedAt == .distantPast }

    /// The user of the newest link that is more than that.
    var ownLink: UserID? { isHandedOn ? nil : link }

    /// Takes off a link that was only handed on.
    mutating func dropHandedOn() {
        if isHandedOn { link = nil }
    }

    /// Takes in that a command linked it to `user` as of `moment`; a link that is older than the
    /// one there changes nothing.
    mutating func connect(to user: UserID, at moment: Moment) {
        guard link == nil || linkedAt <= moment else { return }
        link = user
        linkedAt = moment
    }

    /// The same without what older releases did not keep and did not decide by.
    package var asKeptBefore: Subscription {
        var before = self
        before.traces = []
        before.claims = []
        before.linkedAt = .distantPast
        before.owner = nil
        return before
    }

    /// The moment of a link of which none was kept: that of the oldest transaction, so that whoever
    /// bought later with a token of their own has what they paid for.
    var linkMomentOfOld: Moment { transactions.first?.purchased ?? .distantPast }

    mutating func remember(claimOf transaction: TransactionFact) {
        guard let token = transaction.token, transaction.isPurchase(of: key) else { return }
        let claim = TokenClaim(
            token: token,
            purchased: transaction.purchased,
            transactionID: transaction.id,
            version: transaction.version
        )
        if let kept = claims.firstIndex(where: { $0.transactionID == transaction.id }) {
            guard claims[kept].version < claim.version else { return }
            claims.remove(at: kept)
        }
        let place = claims.firstIndex { claim.isBefore($0) } ?? claims.endIndex
        claims.insert(claim, at: place)
        if claims.count > Limits.claimsKeptMax { claims.removeFirst() }
    }

    /// Forgets a person under all names that they had, and their tokens.
    ///
    /// Where it was theirs it goes to the first of those who share it, else to whom the next link
    /// or purchase gives it.
    mutating func forget(_ names: Set<UserID>, _ gone: Set<Token>) {
        sharers.removeAll { names.contains($0) }
        let wasTheirs = (owner ?? link).map { names.contains($0) } ?? false
        // An heir's link is their own, and not handed on.
        let oldest = isOfSnapshots ? linkMomentOfOld : .distantPast
        let latest = max(linkedAt, claims.last?.purchased ?? oldest)
        if let link, names.contains(link) {
            self.link = nil
            linkedAt = .distantPast
        }
        if wasTheirs, let heir = sharers.first {
            sharers.removeFirst()
            link = heir
            linkedAt = latest
        }
        for place in transactions.indices {
            guard let token = transactions[place].token, gone.contains(token) else { continue }
            transactions[place].token = nil
        }
        if let bearer, gone.contains(bearer.token) { self.bearer = nil }
        tokens.removeAll { gone.contains($0) }
        claims.removeAll { gone.contains($0.token) }
        named.removeAll { names.contains($0.user) }
    }
}

extension TransactionFact {
    /// Whether it was bought again outside the app, and its token is that of the purchase before.
    var isResubscription: Bool { reason == Self.resubscription }

    /// Whether somebody bought, and did not only renew: by the store's word, else the first one.
    fileprivate func isPurchase(of key: SubscriptionKey) -> Bool {
        guard let reason else { return id == key.originalID }
        return reason == "PURCHASE"
    }
}
