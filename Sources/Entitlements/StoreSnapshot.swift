// Facts of stores that sign no documents: Google Play and Stripe are asked, and each answer is one
// whole state of a purchase under one version. Of two such states the greater version stays, whole.
//
// What an answer cannot say, because it is about the past or comes from somewhere else, merges by
// itself: what was withdrawn, whom the purchase names, and that another purchase took its place.

/// What a store's word on the state means; 1 to 5 are Apple's numbers.
package enum StatusCode: Int64, Hashable, Sendable, CaseIterable {
    /// Paid.
    case active = 1
    /// Over.
    case expired = 2
    /// The store is trying to charge, without access.
    case retry = 3
    /// The store is trying to charge, and access goes on.
    case grace = 4
    /// Refunded or withdrawn.
    case revoked = 5
    /// The customer has paused it, or it waits for a way to pay.
    case paused = 6
    /// Nothing is paid yet.
    case pending = 7
}

extension StatusFact {
    /// What the store said, which means `code`.
    package init(version: Version, _ code: StatusCode, word: String = "") {
        self.init(version: version, code: code.rawValue, word: word)
    }
}

extension Fact {
    /// One whole answer of a store about a purchase.
    ///
    /// Everything in it has the version of `status`. A transaction that it states as revoked is a
    /// revocation, which stays when a later answer does not repeat it.
    ///
    /// - Parameters:
    ///   - key: which purchase.
    ///   - status: the state.
    ///   - transactions: what is owned now: one, or one for each item that is sold together.
    ///   - renewal: what the store says of the next renewal.
    ///   - renewalDisabled: when auto-renewal was turned off, if it is off.
    ///   - user: whom the purchase names.
    package init(
        snapshotOf key: SubscriptionKey,
        status: StatusFact,
        transactions: [TransactionFact],
        renewal: RenewalFact? = nil,
        renewalDisabled: Moment? = nil,
        user: UserFact? = nil
    ) {
        precondition(!key.store.signsDocuments, "this store signs documents")
        self.init(
            key: key,
            transaction: transactions.first,
            renewal: renewal,
            status: status,
            renewalDisabled: renewalDisabled
        )
        items = Array(transactions.dropFirst())
        self.user = user
    }

    /// The transaction, and the items beside it.
    package var transactions: [TransactionFact] {
        guard let transaction else { return items }
        return items.isEmpty ? [transaction] : [transaction] + items
    }

    /// Whether it has a part that the App Store's documents do not have.
    package var hasSnapshotParts: Bool {
        !items.isEmpty || !revocations.isEmpty || user != nil || replaced != nil
            || status?.word.isEmpty == false
    }
}

extension Fact {
    /// What a customer knows the purchase by; see `Subscription.shownID`.
    package var shownID: String {
        guard key.store.sellsOrders else { return key.originalID }
        return transaction?.orderID ?? key.originalID
    }
}

extension TransactionFact {
    /// The kind of what is bought once, as Google's one-time products and Stripe's payments are:
    /// the catalog says whether it is a pack of credits, for a number of days, or for good.
    package static let oneTimeKind = "one_time"
    /// The reason of what was bought again outside the app, at Google: its token is the account id
    /// of the purchase before, as Google remembers it, and not one of its own.
    package static let resubscription = "RESUBSCRIPTION"
    /// The kind of what renews by itself, in any store.
    package static let renewingKind = "Auto-Renewable Subscription"
    /// The kind of an item that ends with its period while others of its purchase renew.
    package static let endingKind = "Auto-Renewable Subscription, ending"
    /// The kind of what lasts for a period and is not renewed by the store, as prepaid plans are.
    package static let prepaidKind = "prepaid"

    /// Its id without what counts renewals.
    fileprivate var orderID: String { Self.order(id) }

    /// An order's id without what counts renewals: Google's order `GPA.1-2..3` renews `GPA.1-2`.
    package static func order(_ id: String) -> String {
        let bytes = Array(id.utf8)
        let dot = UInt8(ascii: ".")
        let end = bytes.indices.dropLast().first { bytes[$0] == dot && bytes[$0 + 1] == dot }
        return end.map { String(decoding: bytes[..<$0], as: UTF8.self) } ?? id
    }

    /// Whether it is about the same period of the same item, perhaps after another invoice.
    fileprivate func names(samePeriodAs other: TransactionFact) -> Bool {
        func item(_ id: String) -> Substring? {
            id.firstIndex(of: ":").map { id[$0...] }
        }
        return purchased == other.purchased && isAutoRenewable && item(id) == item(other.id)
    }

    /// What it says of its own revocation; nil where it says nothing.
    var revocation: RevocationFact? {
        guard let revoked else { return nil }
        var fact = RevocationFact(transactionID: id, version: version, revoked: revoked)
        fact.share = terms.revocationPercentage
        fact.reason = revocationReason
        fact.type = terms.revocationType
        return fact
    }

    /// Takes over what was withdrawn of it, or that nothing was.
    fileprivate mutating func take(_ revocation: RevocationFact?) {
        let isRevoked = revocation?.revoked != nil
        revoked = revocation?.revoked
        terms.revocationPercentage = isRevoked ? revocation?.share : nil
        revocationReason = isRevoked ? revocation?.reason : nil
        terms.revocationType = isRevoked ? revocation?.type : nil
    }
}

extension Subscription {
    /// Whether its store answers with whole states.
    package var isOfSnapshots: Bool { !key.store.signsDocuments }

    /// Whether the store says that nothing was paid, yet or at all.
    ///
    /// What it calls revoked was paid before: it is shown, and what it gave is taken back.
    package var isUnpaid: Bool {
        guard isOfSnapshots else { return false }
        return switch status.flatMap({ StatusCode(rawValue: $0.code) }) {
        case .active, .revoked: false
        case .expired, .retry, .grace, .paused, .pending, nil: true
        }
    }

    /// Takes in a fact of such a store; answers whether anything in it was newer than what was
    /// kept.
    ///
    /// Keeps S2: every part is the greatest, or the least, of all that were seen.
    mutating func mergeSnapshot(_ fact: Fact) -> Bool {
        var isNewer = false
        for revocation in fact.revocations + fact.transactions.compactMap(\.revocation)
        where remember(revocation) { isNewer = true }
        if let user = fact.user, remember(user) { isNewer = true }
        // A grace period follows what was paid, also where the end of that is not named; and what
        // was renewed was paid before.
        let isRenewed = fact.transactions.contains { $0.isAutoRenewable && $0.reason == "RENEWAL" }
        let isBehindGrace =
            fact.renewal?.graceUntil != nil && fact.transactions.contains { $0.expires == nil }
        if isRenewed || isBehindGrace { everEntitled = true }
        if end(replaced: fact.replaced) { isNewer = true }
        for var transaction in fact.transactions {
            transaction.take(nil)
            if place(transaction) != nil { isNewer = true }
        }
        if let newer = fact.status, status.map({ $0.version < newer.version }) ?? true {
            (status, renewal, renewalDisabled) = (newer, fact.renewal, fact.renewalDisabled)
            isNewer = true
        }
        dropPast()
        for place in transactions.indices {
            transactions[place].take(withdrawal(of: transactions[place]))
            traces[place] = TransactionTrace(transactions[place])
        }
        return isNewer
    }

    /// What was said last of the money for a transaction.
    ///
    /// At Stripe each invoice within a period names it anew. The newest word on the money for the
    /// period is about all of those names, whether the invoice or the refund was heard first.
    private func withdrawal(of one: TransactionFact) -> RevocationFact? {
        guard key.store.sellsItems, one.isAutoRenewable, !revocations.isEmpty else {
            // Of an order and of one of its items, for a store whose refunds stay.
            return revocations.filter { $0.withdraws(one.id, in: key.store) }
                .reduce(nil) { $0?.joined(with: $1, in: key.store) ?? $1 }
        }
        let names = transactions.filter { $0.names(samePeriodAs: one) }.map(\.id)
        return revocations.last { names.contains($0.transactionID) }
    }

    mutating func remember(_ revocation: RevocationFact) -> Bool {
        var revocation = revocation
        let known = revocations.firstIndex { $0.transactionID == revocation.transactionID }
        if let known {
            let former = revocations[known]
            revocation = former.joined(with: revocation, in: key.store)
            guard revocation != former else { return false }
            revocations.remove(at: known)
        }
        let place = revocations.firstIndex { revocation.isBefore($0) } ?? revocations.endIndex
        revocations.insert(revocation, at: place)
        let most = isOfSnapshots ? Limits.revocationsKeptMax : Limits.transactionsKeptMax
        guard revocations.count > most else { return true }
        revocations.removeFirst()
        return place > 0
    }

    private mutating func remember(_ user: UserFact) -> Bool {
        if let known = named.firstIndex(where: { $0.user == user.user }) {
            guard user.isBefore(named[known]) else { return false }
            named.remove(at: known)
        }
        let place = named.firstIndex { user.isBefore($0) } ?? named.endIndex
        named.insert(user, at: place)
        guard named.count > Limits.namedUsersMax else { return true }
        named.removeLast()
        return place < Limits.namedUsersMax
    }

    /// Drops the oldest of too many that the newest state does not name.
    private mutating func dropPast() {
        while let oldest = transactions.indices.first(where: { !isStated($0) }),
            transactions.indices.count(where: { !isStated($0) }) > Limits.pastTransactionsMax
        {
            transactions.remove(at: oldest)
            traces.remove(at: oldest)
        }
    }

    /// Whether the newest state names this transaction.
    private func isStated(_ place: Int) -> Bool {
        transactions[place].version == status?.version
    }

    /// What the newest state names.
    package var statedTransactions: [TransactionFact] {
        transactions.indices.filter { isStated($0) }.map { transactions[$0] }
    }

    /// Whether something that was bought once still is what was bought: the newest state of a store
    /// that answers with whole states names it, if it names anything.
    ///
    /// Google names an order only once it is paid: until then the purchase has another id.
    func isStillNamed(_ one: TransactionFact) -> Bool {
        guard isOfSnapshots, one.version != status?.version else { return true }
        return !transactions.indices.contains { isStated($0) }
    }

    /// What a customer knows the purchase by: at Google Play, which counts purchases by tokens of
    /// its own, the order id without the number of a renewal.
    package var shownID: String {
        guard key.store.sellsOrders else { return key.originalID }
        // Of several items the first one, which has no more than the order's id.
        let one = statedTransactions.max { $0.isOlder(than: $1) } ?? transactions.last
        return one.map { $0.orderID } ?? key.originalID
    }

    /// Whether a customer, or the store's mail, may call it so.
    ///
    /// A renewal that is no longer kept is known by its order, as Google writes it.
    package func isCalled(_ name: String) -> Bool {
        shownID == name || key.store.sellsOrders && shownID == TransactionFact.order(name)
            || transactions.contains { $0.id == name }
            || revocations.contains { $0.transactionID == name }
    }

    /// What the newest state says is owned, each with its era: the first one for itself, the others
    /// beside it.
    ///
    /// The newest is the first one; but where one item is not paid, one that is. Empty where no
    /// state is known yet.
    package var statedLives: [(transaction: TransactionFact, era: Era)] {
        let newest = statedTransactions.sorted { $1.isOlder(than: $0) }
        // Whether it renews, and so is asked about, is read of the first one.
        let stated = newest.filter { !$0.endsAlone } + newest.filter(\.endsAlone)
        let ahead = stated.filter { isPaidAhead($0, among: stated) }
        let others = ahead.isEmpty ? stated : stated.filter { !isPaidAhead($0, among: stated) }
        return (ahead + others).prefix(Limits.statedItemsMax).enumerated()
            .map { number, one in
                var era = statedEra(of: one, isPaidAhead: number < ahead.count)
                if number > 0 { era.marks.insert(.beside) }
                return (one, era)
            }
    }

    /// The eras of those: none where nothing lasts, as with a pack of credits.
    func statedEras(from now: Moment) -> [Era] {
        var eras = statedLives.map(\.era)
        guard eras.contains(where: { $0.paidUntil != nil || $0.marks.isPending }) else { return [] }
        for place in eras.indices { eras[place].from = min(eras[place].from, now) }
        return eras
    }

    private func statedEra(of one: TransactionFact, isPaidAhead: Bool) -> Era {
        let isForGood = one.expires == nil && one.kind == "Non-Consumable"
        var era = Era(
            from: one.purchased,
            productID: one.productName(in: key),
            paidUntil: isForGood ? .distantFuture : one.expires ?? paidEnd(of: one) ?? unnamedEnd,
            graceUntil: nil,
            marks: one.isTrial ? .trial : []
        )
        if one.revoked != nil { era.marks.insert(.revoked) }
        if renewal?.endsRenewing == true || one.endsAlone { era.marks.insert(.renewalOff) }
        if !isPaidAhead { mark(&era, of: one) }
        if let replacedAt, let end = era.paidUntil, replacedAt < end { era.paidUntil = replacedAt }
        if replacedAt != nil {
            era.graceUntil = nil
            era.marks.subtract([.billingProblem, .inGrace, .paused])
        }
        let isOn =
            renewal?.autoRenew != false && renewal?.isLast(one) != true && !one.endsAlone
        let isSilent = era.marks.isDisjoint(with: [
            .billingProblem, .saidExpired, .revoked, .paused, .pending,
        ])
        if one.isAutoRenewable, isOn, isSilent, successors.isEmpty, replacedAt == nil {
            era.marks.insert(.renews)
        }
        return era
    }

    /// The end of what is paid by a transaction of which the newest version names none, as an older
    /// one told it.
    private func paidEnd(of one: TransactionFact) -> Moment? {
        transactions.first { $0.id == one.id && $0.expires != nil }?.expires
    }

    /// If the store did not name the end, it is known only that it has passed, and that it came
    /// before the end of the grace period.
    private var unnamedEnd: Moment? {
        guard let status, let grace = renewal?.graceUntil else { return nil }
        return min(grace, status.version.signed)
    }

    /// Whether an item is paid ahead while another one of its state is not: Stripe's `past_due` is
    /// about that one, whose period ends where what is unpaid begins.
    private func isPaidAhead(_ one: TransactionFact, among stated: [TransactionFact]) -> Bool {
        guard key.store.sellsItems, let status, status.code == StatusCode.grace.rawValue
        else { return false }
        let said = status.version.signed
        guard let end = one.expires, said < end else { return false }
        return stated.contains { $0.expires.map { $0 <= said } ?? false }
    }

    /// What the word on the state makes of an era.
    ///
    /// A state without access ends what is paid at the latest when the store said so. A pause and a
    /// revocation leave the end of what was paid where it was: no store says in its state when they
    /// began, and each answer would put another moment there.
    private func mark(_ era: inout Era, of one: TransactionFact) {
        guard let status, let code = StatusCode(rawValue: status.code) else { return }
        switch code {
        case .active: return
        case .expired: era.marks.insert(.saidExpired)
        case .retry: era.marks.insert(.billingProblem)
        case .grace:
            // Where the store has put the end off already, all of it is grace.
            era.marks.formUnion([.billingProblem, .inGrace])
            era.graceUntil = renewal?.graceUntil ?? one.expires
            return
        case .revoked, .paused:
            era.marks.insert(code == .paused ? .paused : .revoked)
            // What took its place takes the mark away, and that must not become access.
            if replacedAt == nil { return }
        case .pending:
            era.paidUntil = nil
            if !one.isNonRenewing { era.marks.insert(.pending) }
            return
        }
        let said = code == .revoked ? one.revoked : nil
        if let end = era.paidUntil { era.paidUntil = min(end, said ?? status.version.signed) }
    }
}
