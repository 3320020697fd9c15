/// The fold of all facts about one key, and who owns it.
///
/// Facts merge like a set: any order, any duplicates, the same fold (docs/app-store-facts.md,
/// "Merging").
/// Invariants, kept by `merge`:
///  S1. `transactions` is sorted by (purchase, id), one version each, at most 32; at Google, of one
///      whose newest version names no end, the newest that does stands behind it (`isAlike`).
///  S2. Nothing here depends on the order in which facts arrived.
///  S3. `traces` says of each transaction, in the same order, when it was signed.
package struct Subscription: Hashable, Sendable {
    /// What it is known by.
    package let key: SubscriptionKey
    /// The transactions kept, oldest first.
    package internal(set) var transactions: [TransactionFact] = []
    /// When each of the transactions was signed, in their order.
    package internal(set) var traces: [TransactionTrace] = []
    /// The newest renewal information.
    package internal(set) var renewal: RenewalFact?
    /// The newest word of the store on the state.
    package internal(set) var status: StatusFact?
    /// The latest signature of a notice that auto-renewal was turned off.
    package internal(set) var renewalDisabled: Moment?
    /// Some version seen named a period that lasts, revoked or not.
    package internal(set) var everEntitled = false
    /// It was bought for a number of days, which the catalog names.
    package var isDated = false
    /// The newest token seen, kept even when its transaction no longer is.
    package internal(set) var bearer: TokenBearer?
    /// Every token seen, sorted; the greatest ones where there are too many.
    package internal(set) var tokens: [Token] = []
    /// The newest claims that purchases make, oldest first: by purchase, version and id, one each.
    package internal(set) var claims: [TokenClaim] = []
    /// The user of the newest command that linked it.
    package internal(set) var link: UserID?
    /// The moment of that link: a purchase that is later beats it.
    package internal(set) var linkedAt: Moment = .distantPast
    /// Who uses it beside its owner, by arrival (`transferPolicy: share`): the first of them is the
    /// next owner, whatever a rewritten journal calls them.
    package internal(set) var sharers: [UserID] = []
    /// The purchases that it goes on as, under other original ids; sorted.
    package internal(set) var successors: [SubscriptionKey] = []
    /// What was refunded or withdrawn, in the order of versions, one for each transaction; not of
    /// the App Store, which states it in the transaction.
    package internal(set) var revocations: [RevocationFact] = []
    /// Whom the purchase named, in the order in which it was stated: the first one counts.
    package internal(set) var named: [UserFact] = []
    /// When another purchase took its place for good; not in the App Store.
    package internal(set) var replacedAt: Moment?
    /// What took its place in the App Store, by moment.
    package internal(set) var replacements: [Replacement] = []
    /// Whose it is: see `decider`.
    package internal(set) var owner: UserID?
    /// Who uses it: the owner, then the sharers.
    package var users: [UserID] {
        guard let owner else { return sharers }
        return [owner] + sharers.filter { $0 != owner }
    }

    /// The journal position of the last entry about this subscription; 0 before the first.
    package internal(set) var lastSeq: UInt64 = 0
    /// How many entries were about this subscription since one of them kept the record itself; it
    /// stays at its maximum.
    package var since: UInt16 = 0

    /// An empty fold.
    package init(key: SubscriptionKey) {
        self.key = key
    }

    /// The fold with these parts, as they were stored.
    package init(
        key: SubscriptionKey,
        transactions: [TransactionFact],
        renewal: RenewalFact?,
        status: StatusFact?,
        renewalDisabled: Moment?,
        everEntitled: Bool,
        bearer: TokenBearer?,
        tokens: [Token],
        link: UserID?,
        owner: UserID?,
        sharers: [UserID] = [],
        successors: [SubscriptionKey] = [],
        lastSeq: UInt64 = 0,
        since: UInt16 = 0,
        traces: [TransactionTrace]? = nil,
        claims: [TokenClaim]? = nil,
        linkedAt: Moment? = nil,
        revocations: [RevocationFact] = [],
        named: [UserFact] = [],
        replacedAt: Moment? = nil,
        replacements: [Replacement] = []
    ) {
        self.key = key
        self.transactions = transactions
        self.traces = traces ?? transactions.map { TransactionTrace($0) }
        self.claims = claims ?? []
        self.linkedAt = linkedAt ?? .distantPast
        self.renewal = renewal
        self.status = status
        self.renewalDisabled = renewalDisabled
        self.everEntitled = everEntitled
        self.bearer = bearer
        self.tokens = tokens
        self.link = link
        self.owner = owner
        self.sharers = sharers
        self.successors = successors
        self.lastSeq = lastSeq
        self.since = since
        self.revocations = revocations
        self.named = named
        // As older releases kept it.
        let isMoment = key.store.succession == .backAndForth
        self.replacedAt = isMoment ? nil : replacedAt
        let former = isMoment ? replacedAt.map { [Replacement(at: $0)] } ?? [] : []
        self.replacements = replacements.isEmpty ? former : replacements
        if claims == nil { for transaction in transactions { remember(claimOf: transaction) } }
        if linkedAt == nil, link != nil { self.linkedAt = linkMomentOfOld }
    }
}

/// When the versions of one transaction were signed.
package struct TransactionTrace: Hashable, Sendable {
    /// The earliest signature seen.
    package var first: Moment
    /// The latest signature of a version that was not revoked; nil where none was seen.
    package var unrevoked: Moment?

    /// The trace with these parts.
    package init(first: Moment, unrevoked: Moment?) {
        self.first = first
        self.unrevoked = unrevoked
    }

    /// That of a transaction of which one version was seen.
    package init(_ transaction: TransactionFact) {
        first = transaction.version.signed
        unrevoked = transaction.revoked == nil ? transaction.version.signed : nil
    }

    /// Takes in another version.
    mutating func see(_ version: TransactionFact) {
        let signed = version.version.signed
        first = min(first, signed)
        if version.revoked == nil { unrevoked = max(unrevoked ?? signed, signed) }
    }
}

/// A token, and the transaction that carried it.
package struct TokenBearer: Hashable, Comparable, Sendable {
    /// When that transaction began.
    package let purchased: Moment
    /// Which version of it.
    package let version: Version
    /// Its id.
    package let transactionID: String
    /// The token.
    package let token: Token

    /// The token that this transaction carried.
    package init(purchased: Moment, version: Version, transactionID: String, token: Token) {
        self.purchased = purchased
        self.version = version
        self.transactionID = transactionID
        self.token = token
    }

    /// Whether the token is only that of the purchase before (`TransactionFact.resubscription`).
    ///
    /// It is kept as of no moment, so that every token of the purchase's own is newer.
    package var isLent: Bool { purchased == .distantPast }

    package static func < (left: TokenBearer, right: TokenBearer) -> Bool {
        if left.purchased != right.purchased { return left.purchased < right.purchased }
        if left.version != right.version { return left.version < right.version }
        return TransactionFact.precedes(left.transactionID, right.transactionID)
    }
}

extension TransactionFact {
    /// The order of ids: shorter first, then by bytes, so that numbers compare as numbers.
    package static func precedes(_ left: String, _ right: String) -> Bool {
        let (leftCount, rightCount) = (left.utf8.count, right.utf8.count)
        if leftCount != rightCount { return leftCount < rightCount }
        return left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// The order in which transactions are kept: by purchase, then id, one without an end first.
    package func isKeptBefore(_ other: TransactionFact) -> Bool {
        if purchased != other.purchased { return purchased < other.purchased }
        if id != other.id { return Self.precedes(id, other.id) }
        return expires == nil && other.expires != nil
    }

    /// The order in which one is current: by purchase, version, product, end and refund, then id.
    ///
    /// A device may have an id of its own for a period, which its receipt tells: what is signed
    /// says more.
    /// An erasure replaces ids and leaves the rest: what it rewrites is to decide as before.
    package func isOlder(than other: TransactionFact) -> Bool {
        if purchased != other.purchased { return purchased < other.purchased }
        if terms.isOfReceipt != other.terms.isOfReceipt { return terms.isOfReceipt }
        if version != other.version { return version < other.version }
        // Items of one state of a store have one version.
        if productID != other.productID { return productID < other.productID }
        for member in [\TransactionFact.expires, \.revoked] {
            // What has no such moment comes last.
            let (mine, its) = (self[keyPath: member], other[keyPath: member])
            let (end, otherEnd) = (mine ?? .distantFuture, its ?? .distantFuture)
            if end != otherEnd { return end < otherEnd }
        }
        return Self.precedes(id, other.id)
    }
}

extension Subscription {
    /// The same, where the last entry about it is that at `seq`.
    package func told(at seq: UInt64) -> Subscription {
        var told = self
        told.lastSeq = seq
        return told
    }

    /// Takes in `fact`; answers whether one of its documents was newer than what was kept.
    ///
    /// A notification sent again under a new UUID has a digest of its own, and says nothing newer.
    package mutating func merge(_ fact: Fact) -> Bool {
        precondition(fact.key == key, "a fact is merged into its own subscription")
        if isOfSnapshots { return mergeSnapshot(fact) }
        var isNewer = false
        if let transaction = fact.transaction, mergeWithReceipts(transaction) { isNewer = true }
        if let newer = fact.renewal, renewal.map({ $0.version < newer.version }) ?? true {
            renewal = newer
            isNewer = true
        }
        if let newer = fact.status, status.map({ $0.version < newer.version }) ?? true {
            let isSaidAgain =
                status.map { $0.code == newer.code && $0.version.signed == newer.version.signed }
            status = newer
            if !(isSaidAgain ?? false) { isNewer = true }
        }
        if let disabled = fact.renewalDisabled {
            renewalDisabled = max(renewalDisabled ?? .distantPast, disabled)
        }
        if end(replaced: fact.replaced) { isNewer = true }
        if take(fact.replacement) { isNewer = true }
        return isNewer
    }

    /// Takes in when another purchase took its place; answers whether that is news.
    mutating func end(replaced moment: Moment?) -> Bool {
        guard let moment else { return false }
        if key.store.succession == .backAndForth { return take(Replacement(at: moment)) }
        guard replacedAt.map({ moment < $0 }) ?? true else { return false }
        replacedAt = moment
        return true
    }

    /// The token that decides the owner where no link does: that of the newest transaction kept
    /// that carries one, else the newest ever seen.
    package var decidingToken: Token? {
        newestToken { _ in true } ?? (lentToken == nil ? bearer?.token : nil)
    }

    /// The token of the newest of some transactions that carries one.
    func newestToken(_ counts: (TransactionFact) -> Bool) -> Token? {
        var newest: TransactionFact?
        for candidate in transactions where candidate.token != nil && counts(candidate) {
            if newest.map({ $0.isOlder(than: candidate) }) ?? true { newest = candidate }
        }
        return newest?.token
    }

    /// The token of the purchase before, where this one has none of its own: it decides where
    /// nothing else does.
    package var lentToken: Token? { bearer.flatMap { $0.isLent ? $0.token : nil } }

    /// Every token that stands in here: `tokens` keeps the greatest ones alone, and one of the
    /// others may decide once a newer transaction has lost its own.
    package var tokensKnown: Set<Token> {
        Set(tokens).union(transactions.compactMap(\.token)).union([bearer?.token].compactMap { $0 })
            .union(claims.map(\.token))
    }

    mutating func merge(_ stated: TransactionFact) -> Bool {
        guard let place = place(stated) else { return false }
        guard transactions.count > Limits.transactionsKeptMax else { return true }
        transactions.removeFirst()
        traces.removeFirst()
        return place > 0
    }

    /// Puts a version of a transaction where it belongs, and says where that is; nil where it is no
    /// newer than what is kept.
    mutating func place(_ stated: TransactionFact) -> Int? {
        var transaction = stated
        // The journal has it; no answer needs it.
        transaction.origin = nil
        if transaction.namesPeriod { everEntitled = true }
        remember(tokenOf: transaction)
        if transaction.isResubscription { transaction.token = nil }
        remember(claimOf: transaction)
        var trace = TransactionTrace(transaction)
        guard settleEnds(with: transaction) else { return nil }
        if let kept = transactions.firstIndex(where: { isAlike($0, transaction) }) {
            traces[kept].see(transaction)
            guard yields(transactions[kept], to: transaction) else { return nil }
            transactions.remove(at: kept)
            trace = traces.remove(at: kept)
        }
        let place =
            transactions.firstIndex { transaction.isKeptBefore($0) } ?? transactions.endIndex
        transactions.insert(transaction, at: place)
        traces.insert(trace, at: place)
        return place
    }

    /// Whether of these two the newer version takes the other's place.
    ///
    /// At Google a state of a grace period does not name the end of what is paid: what the newest
    /// version that does has said of it goes on to hold beside that state.
    private func isAlike(_ one: TransactionFact, _ other: TransactionFact) -> Bool {
        guard one.id == other.id else { return false }
        return key.store.namesEndsInGrace || (one.expires == nil) == (other.expires == nil)
    }

    /// Removes the version without an end that is older than `stated`, which has one; answers false
    /// where `stated` itself is such a version.
    private mutating func settleEnds(with stated: TransactionFact) -> Bool {
        guard !key.store.namesEndsInGrace,
            let other = transactions.firstIndex(where: {
                $0.id == stated.id && !isAlike($0, stated)
            })
        else { return true }
        if stated.expires == nil { return transactions[other].version < stated.version }
        guard transactions[other].version < stated.version else { return true }
        transactions.remove(at: other)
        traces.remove(at: other)
        return true
    }

    private mutating func remember(tokenOf transaction: TransactionFact) {
        guard let token = transaction.token else { return }
        let candidate = TokenBearer(
            purchased: transaction.isResubscription ? .distantPast : transaction.purchased,
            version: transaction.version,
            transactionID: transaction.id,
            token: token
        )
        if bearer.map({ $0 < candidate }) ?? true { bearer = candidate }
        guard !tokens.contains(token) else { return }
        tokens.append(token)
        tokens.sort()
        if tokens.count > Limits.tokensKeptMax { tokens.removeFirst() }
    }
}
