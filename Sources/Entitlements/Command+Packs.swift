// Credit packs: a transaction of a product that the catalog calls a pack credits its owner once.

extension Command {
    /// What `events` make of credit packs: each credited once, and taken back when refunded.
    ///
    /// Looks at the subscriptions as they will be once `events` are absorbed, and at those that
    /// `facts` show once more: the catalog may not have named the pack before. What a pack gave is
    /// refunded also where the catalog does not name it any more.
    func packEvents(
        after events: [Event],
        showing facts: [Fact] = [],
        on desk: Desk,
        under policy: Policy
    ) -> [Event] {
        let dating = datingEvents(after: events, showing: facts, on: desk, under: policy)
        let givesPeriods = policy.givesPeriodCredits
        let shown = facts.map(\.key).filter { desk.subscriptions[$0] != nil }
        let keys = touched(by: events, on: desk).union(shown)
            .filter { key in
                let kept = desk.subscriptions[key]?.transactions ?? []
                return givesPeriods
                    || kept.contains { $0.isPack(in: key, under: policy) || desk.gave($0, key) }
                    || events.contains { $0.states(packOf: key, under: policy) }
            }
        guard !keys.isEmpty else { return dating }
        var later = desk
        for event in events + dating { later.absorb(event, at: now, seq: seq) }
        var found = dating
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
        guard givesPeriods else { return found }
        let former = keys.compactMap { desk.subscriptions[$0] }.filter(\.isDated).flatMap(\.users)
        return found + periodEvents(of: keys.sorted(), from: Set(former), on: &later, policy)
    }

    /// The subscriptions whose facts or owner `events` may change.
    func touched(by events: [Event], on desk: Desk) -> Set<SubscriptionKey> {
        var keys: Set<SubscriptionKey> = []
        for event in events {
            switch event {
            case .merged(let fact): keys.insert(fact.key)
            case .linked(let key, _, _): keys.insert(key)
            case .tokenClaimed(let token, _):
                for waiting in desk.unclaimed.keys
                where waiting.token == token && desk.unclaimed[waiting] == true {
                    keys.insert(waiting.key)
                }
            case .accountsMerged(let merge): keys.formUnion(merge.purchases)
            case .accountOpened, .registered, .appTransactionAwaited, .appTransactionUsed,
                .succeeded, .dated, .shared, .granted, .grantRevoked, .settled, .noticed,
                .announced, .credited, .spent, .held, .holdEnded, .reversed, .packCredited,
                .packRefunded, .packPartRefunded, .periodMoved, .debtPaid, .refundForgiven, .passed,
                .catalogInstalled, .loaded, .erased:
                break
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
        guard let key = PackKey.of(transaction, subscription.key).first else { return [] }
        let kept = desk.packs.isLaid(key) ? desk.pack(of: key) : nil
        guard let pack = kept ?? newPack(transaction, subscription, key, on: desk, policy)
        else { return [] }
        let quantity = transaction.packQuantity
        let refunded = pack.amount(ofShare: transaction.revokedShare, of: quantity)
        guard kept == nil || refunded != pack.refunded else { return [] }
        guard kept == nil || hasAccount(pack.user, on: desk) else { return [] }
        var draft = Draft(pack.user, self, on: desk, under: policy)
        var refund = PackRefund(pack: pack, key: key, from: pack.refunded, to: refunded)
        if kept == nil {
            draft.happen(.packCredited(key, pack))
        } else if refunded < pack.refunded {
            // A refund was reversed, or is of less: what was taken back comes again.
            let takenBack = pack.takenBack ?? 0
            let again = Pack(user: pack.user, source: pack.source, amount: takenBack)
            draft.happen(.packCredited(key, again))
            refund = PackRefund(pack: pack, key: key, from: 0, to: refunded, atMost: takenBack)
        }
        if refund.to > refund.from { take(refund, with: &draft, under: policy) }
        return draft.events
    }

    /// The pack that a transaction credits its owner with; nil where it credits nobody.
    private func newPack(
        _ transaction: TransactionFact,
        _ subscription: Subscription,
        _ key: PackKey,
        on desk: Desk,
        _ policy: Policy
    ) -> Pack? {
        let name = transaction.productName(in: subscription.key)
        guard let size = policy.packSize(of: name) else { return nil }
        guard transaction.revokedShare < TransactionFact.wholeShare else { return nil }
        guard !subscription.isUnpaid, subscription.isStillNamed(transaction) else { return nil }
        // The credits of an erased person are not given again.
        guard desk.tombstone(of: .pack(key)) == nil else { return nil }
        guard !transaction.isRestored(in: subscription.key) else { return nil }
        guard let owner = subscription.owner.map({ desk.holder(of: $0) }),
            desk.accounts.isLaid(owner),
            desk.accounts[owner] != nil,
            policy.admits(subscription.key, owner)
        else { return nil }
        let source = "pack:" + transaction.productID
        return Pack(user: owner, source: source, amount: size * transaction.packQuantity)
    }

    /// Takes a refund out of a purse, or notes what cannot be taken.
    func take(_ refund: PackRefund, with draft: inout Draft, under policy: Policy) {
        let isHeldFor = !policy.source.owesRefunds || refund.pack.isPeriod
        guard !draft.purse.holds.isEmpty, isHeldFor else {
            return take(refund, with: &draft, under: policy, leaving: nil)
        }
        // What remains behind a hold that ends here is what the refund leaves.
        var trial = draft
        take(refund, with: &trial, under: policy, leaving: nil)
        let remaining = trial.purse.balance(at: now)
        take(refund, with: &draft, under: policy, leaving: remaining)
    }

    private func take(
        _ refund: PackRefund,
        with draft: inout Draft,
        under policy: Policy,
        leaving remaining: Int64?
    ) {
        let (pack, key) = (refund.pack, refund.key)
        let wanted = refund.to - refund.from
        let most = min(wanted, refund.atMost)
        // What is held is not spent: it would come back later, beside the money; or, of a period,
        // behind its end, while other credits have paid for it.
        // Its own come first: the others may not be needed.
        func isOwn(_ hold: Hold) -> Bool { hold.parts.contains(where: pack.bucket.isAlike) }
        let holds = draft.purse.holds
        for hold in pack.isPeriod ? holds.filter(isOwn) + holds.filter({ !isOwn($0) }) : holds {
            let isShort =
                !policy.source.owesRefunds
                && draft.purse.refund(of: most, of: pack, at: now).total < most
            let isMissing = pack.isPeriod && draft.purse.left(of: pack.bucket).total < most
            guard isShort || isMissing && isOwn(hold) else { continue }
            draft.end(hold, .released, returning: hold.parts, leaving: remaining)
        }
        let parts = draft.purse.refund(of: most, of: pack, at: now)
        let owed = policy.source.owesRefunds ? most - parts.total : 0
        let isPart = refund.to < pack.amount || refund.from > 0
        draft.happen(
            isPart
                ? .packPartRefunded(key, pack.user, parts, owed: owed, of: refund.to)
                : .packRefunded(key, pack.user, parts, owed: owed)
        )
        let forgiven = wanted - parts.total - owed
        if forgiven > 0 {
            let memory = Forgiveness(pack: key, at: at, seq: seq, amount: forgiven)
            draft.happen(.refundForgiven(pack.user, memory))
        }
        guard pack.isPeriod else { return }
        let covered = parts.filter { !$0.isAlike(pack.bucket) }.total + owed
        draft.cover(Forgiveness(pack: key, at: at, seq: seq, amount: 0), with: covered)
    }

    /// False for a row that was loaded without the account of its user.
    func hasAccount(_ user: UserID, on desk: Desk) -> Bool {
        desk.accounts.box(user)?.value != nil
    }
}

extension Desk {
    /// Whether a transaction of a purchase gave credits as a pack.
    fileprivate func gave(_ transaction: TransactionFact, _ purchase: SubscriptionKey) -> Bool {
        PackKey.of(transaction, purchase).contains { packs.isLaid($0) && packs[$0] != nil }
    }
}

/// A refund of a pack, or of more of it than before.
struct PackRefund {
    let pack: Pack
    let key: PackKey
    /// So many of its credits were refunded before.
    let from: Int64
    /// So many are now.
    let to: Int64
    /// No more is taken, whatever there is.
    var atMost = Int64.max
}

extension Event {
    fileprivate func states(packOf key: SubscriptionKey, under policy: Policy) -> Bool {
        guard case .merged(let fact) = self, fact.key == key else { return false }
        return fact.transactions.contains { $0.isPack(in: key, under: policy) }
    }
}

extension TransactionFact {
    /// Whether the catalog calls it a pack of credits.
    package func isPack(in key: SubscriptionKey, under policy: Policy) -> Bool {
        policy.packSize(of: productName(in: key)) != nil
    }

    /// Whether a device restored it from what was bought for good, and so nothing was paid for it:
    /// the purchase itself has the original id.
    package func isRestored(in key: SubscriptionKey) -> Bool {
        isBoughtForGood && id != key.originalID
    }

    /// How many were bought at once.
    var packQuantity: Int64 { min(max(quantity, 1), Limits.packQuantityMax) }
}

extension PackKey {
    /// The key of the period of a subscription that begins at this moment.
    ///
    /// The id of its transaction does not matter: restored transactions have other ids. No store's
    /// id has an `@`.
    package static func period(of key: SubscriptionKey, from moment: Moment) -> PackKey {
        let name = "\(key.originalID)@\(moment.milliseconds)"
        return PackKey(store: key.store, environment: key.environment, transactionID: name)
    }

    /// The subscription of which this is a period; nil of a pack.
    package var purchase: SubscriptionKey? {
        guard let end = transactionID.utf8.firstIndex(of: UInt8(ascii: "@")) else { return nil }
        return SubscriptionKey(
            store: store,
            environment: environment,
            originalID: String(transactionID[..<end])
        )
    }

    /// The key of an item's period where others of its subscription that begin with it have the
    /// other one.
    ///
    /// Items change places, and Stripe sells a price once in a subscription.
    static func period(of key: SubscriptionKey, item one: TransactionFact) -> PackKey {
        let name = one.itemName.utf8.suffix(Limits.itemNameBytesMax)
        let whole = period(of: key, from: one.purchased)
        return PackKey(
            store: key.store,
            environment: key.environment,
            transactionID: "\(whole.transactionID)@\(String(decoding: name, as: UTF8.self))"
        )
    }

    /// The keys by which the period of a transaction may be remembered.
    package static func periods(of one: TransactionFact, _ key: SubscriptionKey) -> [PackKey] {
        let whole = period(of: key, from: one.purchased)
        guard key.store.sellsItems, one.isAutoRenewable else { return [whole] }
        return [whole, period(of: key, item: one)]
    }

    /// The key of a transaction that may be a pack: none renews by itself.
    package static func of(_ transaction: TransactionFact, _ key: SubscriptionKey) -> [PackKey] {
        guard !transaction.isAutoRenewable else { return [] }
        return [
            PackKey(store: key.store, environment: key.environment, transactionID: transaction.id)
        ]
    }
}

extension Policy {
    /// Whether this purchase counts for this user.
    func admits(_ key: SubscriptionKey, _ user: UserID) -> Bool {
        admits(key.environment, of: key.store, user)
    }

    /// Whether what was signed in this environment of the store counts for this user.
    func admits(_ environment: StoreEnvironment, of store: Store, _ user: UserID) -> Bool {
        switch environment {
        case .production: acceptsProduction
        case .sandbox: acceptsSandbox && sandboxes(of: user).holds(store)
        }
    }
}
