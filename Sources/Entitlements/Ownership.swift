// Whose a purchase is: the one rule of verifyPurchase, restorePurchases and verifyReceipt.

/// Why a purchase, or a token, cannot be a user's.
///
/// The raw value is what `data.reason` of -32021 says.
package enum OwnershipConflict: String, Hashable, Sendable {
    /// The purchase is another user's.
    case owned
    /// The purchase's signed token is another user's.
    case token
    /// The purchase's signed token is nobody's yet, and the caller did not name it.
    case unknownToken = "unknown_token"
    /// The account went into another.
    case merged
}

/// As of which moment a command links what is shown.
enum LinkMoment {
    /// `verifyPurchase`, `verifyReceipt`: when the newest transaction shown was bought; of one that
    /// was announced before it begins, when that was signed, so that whoever buys meanwhile has
    /// what they pay for. A receipt does not say which of them are renewals.
    case purchase
    /// `restorePurchases`: when the newest document shown was signed.
    case signature

    func of(_ transaction: TransactionFact) -> Moment {
        switch self {
        case .purchase:
            transaction.reason == "PURCHASE"
                ? transaction.purchased : min(transaction.purchased, transaction.version.signed)
        case .signature: transaction.version.signed
        }
    }
}

/// What speaks for and against linking one purchase to a user.
struct PurchaseClaim {
    /// Which purchase.
    let key: SubscriptionKey
    /// Whether it is another user's, also with what is shown; whoever shares it is no other user.
    let isOwnedByAnother: Bool
    /// Whether it was another user's before.
    private let wasOwnedByAnother: Bool
    /// What is wrong with a token that decides about it; nil where nothing is.
    let tokenConflict: OwnershipConflict?
    /// Whether the token on what is shown is nobody's, and was not named as the user's.
    let showsTokenOfNobody: Bool
    /// Tokens of nobody that become the user's when it is linked.
    let tokens: [Token]
    /// Whether the user has it already, as its owner or because it is shared.
    let isHeld: Bool
    /// Whether the user has it once the facts are merged and the tokens are theirs, without a link.
    let staysHeld: Bool
    /// Whether a link is still to be made; not where it is shared, which it stays.
    let needsLink: Bool
    /// The moment of that link.
    let moment: Moment
    /// The moment of what decides, with what is shown, whose it is.
    let decided: Moment

    /// Whether it is the user's and stays theirs although a token on it is another's: what was
    /// moved to them renews with the token of whoever bought it.
    var isSurelyHeld: Bool { isHeld && staysHeld && tokenConflict == .token }

    /// Whether it cannot be linked, and is not the user's as it is.
    var isRefused: Bool { !isSurelyHeld && conflict != nil }

    /// Why it cannot be linked; nil where it can.
    ///
    /// First match wins: it is another user's; its token is; its token is nobody's.
    var conflict: OwnershipConflict? {
        if isOwnedByAnother, wasOwnedByAnother { return .owned }
        return tokenConflict ?? (isOwnedByAnother ? .owned : nil)
    }

    /// The claim of `user` to the purchase `key`, shown by `facts`.
    ///
    /// Two tokens decide: the newest one on what is shown and, where no link decides, the newest
    /// one ever seen on the purchase, so that a document without a token (a receipt never has one)
    /// does not get around the token that a notification brought. A token of nobody must be named:
    /// documents are copied from devices and logs, so to hold one proves nothing. An erased
    /// person's counts as none. That of a purchase before decides only where nobody is known to
    /// have that one.
    ///
    /// - Parameters:
    ///   - user: who is to have it.
    ///   - key: which purchase.
    ///   - facts: what is shown of it.
    ///   - named: tokens that the caller names as the user's, among them the derived one.
    ///   - dating: as of which moment it would be linked.
    ///   - command: asks whether a token was an erased person's.
    ///   - desk: holds what the command needs.
    init(
        of user: UserID,
        to key: SubscriptionKey,
        showing facts: [Fact],
        naming named: [Token],
        dating: LinkMoment,
        by command: Command,
        on desk: Desk
    ) {
        let kept = desk.subscriptions[key]
        let facts = command.namingNobodyGone(facts, on: desk)
        var merged = kept ?? Subscription(key: key)
        var shown = Subscription(key: key)
        for fact in facts {
            _ = merged.merge(fact)
            _ = shown.merge(fact)
        }
        let isShared = kept?.sharers.contains(user) ?? false
        let moment = facts.compactMap(\.transaction).map { dating.of($0) }.max() ?? .distantPast
        self.key = key
        self.moment = moment
        let owner = kept?.owner.map { desk.holder(of: $0) }
        isHeld = isShared || owner == user
        wasOwnedByAnother = owner != nil && !isHeld
        let changesLink =
            kept.map {
                $0.link == nil || $0.linkedAt < moment || $0.linkedAt == moment && $0.link != user
            } ?? true
        needsLink = !isShared && changesLink
        guard !isShared else {
            isOwnedByAnother = false
            tokenConflict = nil
            showsTokenOfNobody = false
            tokens = []
            staysHeld = true
            decided = .distantPast
            return
        }
        let formers = desk.owners(ofKinOf: merged)
        func decides(on purchase: Subscription) -> Token? {
            purchase.decidingToken ?? (formers.isEmpty ? purchase.lentToken : nil)
        }
        let deciding = [decides(on: shown), kept?.ownLink == nil ? decides(on: merged) : nil]
        let strange = deciding.compactMap { $0 }.filter { desk.tokens[$0] != user }
        let unknown = strange.filter {
            desk.tokens[$0] == nil && !command.isForgotten($0, toAllBut: user, on: desk)
        }
        let isNamed = unknown.allSatisfy { named.contains($0) }
        // Whom the purchase names outright, where no link has decided.
        let stated = kept?.ownLink == nil ? merged.named.first : shown.named.first
        let isAnothersByName = stated.map { desk.holder(of: $0.user) != user } ?? false
        let isAnothersByToken = strange.contains { desk.tokens[$0] != nil }
        tokenConflict =
            isAnothersByName || isAnothersByToken ? .token : isNamed ? nil : .unknownToken
        showsTokenOfNobody =
            deciding[0].map { unknown.contains($0) && !named.contains($0) } ?? false
        let taken = tokenConflict == nil ? unknown : []
        tokens = taken
        let own = desk.decider(of: merged) { taken.contains($0) ? user : desk.tokens[$0] }
        // What goes on from a purchase that somebody has is theirs, also before it was heard of.
        let decider = own?.isFormerToken == true && !formers.isEmpty ? nil : own
        let isAnothers = decider == nil && formers.contains { $0 != user }
        isOwnedByAnother = decider.map { $0.owner != user } ?? isAnothers
        staysHeld = decider?.owner == user
        decided = decider?.moment ?? .distantPast
    }
}

extension Desk {
    /// Who has the purchases that this one was before, or became.
    fileprivate func owners(ofKinOf purchase: Subscription) -> [UserID] {
        purchase.kin.filter { subscriptions.isLaid($0) }
            .compactMap { subscriptions[$0]?.owner.map { holder(of: $0) } }
    }
}

extension Command {
    /// The claims of `user` to what `facts` show, in the order of appearance.
    func claims(
        of user: UserID,
        showing facts: [Fact],
        naming named: [Token],
        by dating: LinkMoment,
        on desk: Desk
    ) -> [PurchaseClaim] {
        let shown = Dictionary(grouping: facts, by: \.key)
        var seen: Set<SubscriptionKey> = []
        return facts.map(\.key).filter { seen.insert($0).inserted }
            .map { key in
                PurchaseClaim(
                    of: user,
                    to: key,
                    showing: shown[key] ?? [],
                    naming: named,
                    dating: dating,
                    by: self,
                    on: desk
                )
            }
    }

    /// The events that make `tokens` the user's; nil where that is more than an account can have.
    func claiming(_ tokens: [Token], for user: UserID, on desk: Desk) -> [Event]? {
        var different: [Token] = []
        for token in tokens where !different.contains(token) { different.append(token) }
        guard different.isEmpty || !hasAllTokens(user, on: desk, with: different.count - 1) else {
            return nil
        }
        var events: [Event] = []
        for token in different {
            events += claiming(token, for: user, on: desk).filter { !events.contains($0) }
        }
        return events
    }

    /// Whether a user can have no token beside those there are, and as many as may come before it.
    func hasAllTokens(_ user: UserID, on desk: Desk, with claimed: Int = 0) -> Bool {
        (desk.accounts[user]?.tokens.count ?? 0) + claimed >= Limits.accountTokensMax
    }

    /// The token becomes the user's.
    ///
    /// A subscription that carried it, and stays another's or was, is named by a fact that states
    /// nothing: that the user had it follows from it, and the histories of both must find it.
    func claiming(_ token: Token, for user: UserID, on desk: Desk) -> [Event] {
        let carriers = desk.unclaimed.keys.filter {
            $0.token == token && desk.unclaimed[$0] == true
        }
        let others = carriers.map(\.key).sorted()
            .filter { key in
                guard let subscription = desk.subscriptions[key] else { return false }
                let decider = desk.decider(of: subscription) {
                    $0 == token ? user : desk.tokens[$0]
                }
                if let before = subscription.owner, before != user { return true }
                return subscription.everEntitled && decider?.owner != user
            }
        let told = others.compactMap { desk.subscriptions[$0] }.flatMap { proof(of: $0, on: desk) }
        return told + [.tokenClaimed(token, user)] + others.map { .merged(Fact(key: $0)) }
    }

    /// That a token is its user's, told once more where a purchase with it takes a subscription
    /// from another, or keeps it, and where the newest token does: the histories of all have it in
    /// one entry, also when the other is erased.
    func taking(_ subscription: Subscription, on desk: Desk) -> [Event] {
        let before = desk.subscriptions[subscription.key]
        if let owner = before?.owner, let token = subscription.decidingToken,
            case .token(let user)? = desk.decider(of: subscription), user != owner
        {
            return [.tokenClaimed(token, user)]
        }
        guard before?.claims != subscription.claims else { return [] }
        guard before != nil || subscription.claims.count > 1 else { return [] }
        return proof(of: subscription, on: desk)
    }

    private func proof(of subscription: Subscription, on desk: Desk) -> [Event] {
        guard case .purchase(let user, let moment) = subscription.decider({ desk.tokens[$0] })
        else { return [] }
        let claim = subscription.claims.last {
            $0.purchased == moment && desk.tokens[$0.token] == user
        }
        return claim.map { [.tokenClaimed($0.token, user)] } ?? []
    }
}
