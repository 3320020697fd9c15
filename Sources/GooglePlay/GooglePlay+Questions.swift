import Entitlements

// The questions to Google, as values. Every answer about a purchase states its whole state.
extension GooglePlay: StoreQuestions {
    package var apps: [String] { [settings.package] }

    /// Only one scope, because a purchase itself says whether a licence tester made it.
    package var scopes: [StoreScope] { settings.account == nil ? [] : [.production] }

    package func scopes(of key: SubscriptionKey) -> [StoreScope] {
        key.store == .googlePlay ? scopes : []
    }

    package func budgets(of scope: StoreScope) -> [StoreBudget: Int64] { Publisher.budgets }

    package func access(to scope: StoreScope, at now: Moment) -> StoreAccess {
        guard let account = settings.account else { return .authorization("") }
        return .exchange(account.credential(at: now))
    }

    package func failure(of reply: StoreReply, at now: Moment) -> StoreAPIFailure {
        PublisherFailure.failure(of: reply)
    }

    package func state(
        of key: SubscriptionKey,
        kept: Subscription?,
        in scope: StoreScope
    ) -> StoreQuestion<StoreStatement>? {
        guard key.store == .googlePlay, let token = PurchaseToken(key.originalID) else {
            return nil
        }
        let answer: @Sendable ([Fact]) -> StoreStatement = { facts in
            StoreStatement(facts: facts, documents: 1)
        }
        let isOneTime = kept?.transactions.last?.kind == TransactionFact.oneTimeKind
        return isOneTime
            ? publisher.productState(token, answer)
            : publisher.subscriptionState(token, kept: kept, isCertain: kept != nil, answer)
    }

    package func purchase(
        _ hint: PurchaseHint,
        in scope: StoreScope
    ) -> StoreQuestion<PurchaseAnswer>? {
        switch hint {
        case .purchaseToken(let text):
            guard let token = PurchaseToken(text) else { return nil }
            return publisher.subscriptionState(token, kept: nil, isCertain: false) { .stated($0) }
        case .withdrawal(let text, let orderID, let voided):
            guard let token = PurchaseToken(text) else { return nil }
            return publisher.withdrawnState(token, orderID: orderID, at: voided) { .stated($0) }
        case .partialWithdrawal(let text, let voided):
            guard let token = PurchaseToken(text) else { return nil }
            return publisher.productState(token, ofPartlyVoidedAt: voided) { .stated($0) }
        case .transaction, .checkoutSession, .subscription: return nil
        }
    }

    /// Google forgets a subscription 60 days after its end, and whether a licence tester bought it.
    package func keys(of hint: PurchaseHint) -> [SubscriptionKey] {
        guard case .purchaseToken(let text) = hint, let token = PurchaseToken(text) else {
            return []
        }
        return [false, true].map { PlayAnswer.key(token, isTest: $0) }
    }

    package func reach(of scope: StoreScope) -> StoreReach? {
        StoreReach(
            milliseconds: PlayLimits.voidedReachMilliseconds,
            overlapMilliseconds: PlayLimits.voidedOverlapMilliseconds,
            marginMilliseconds: PlayLimits.voidedMarginMilliseconds
        )
    }

    package func missed(
        in window: Range<Moment>,
        onlyFailures: Bool,
        of scope: StoreScope
    ) -> StoreQuestion<StoreStatement>? {
        onlyFailures ? nil : publisher.voidedPage(in: window, page: nil)
    }

    package var announces: Bool { true }

    package var hearsOfPurchases: Bool { settings.acknowledges }

    package func acknowledgement(
        of purchase: Subscription,
        packs: Set<String>,
        in scope: StoreScope
    ) -> StoreQuestion<StoreStatement>? {
        guard settings.acknowledges, let token = PurchaseToken(purchase.key.originalID),
            let word = purchase.status?.word, let current = purchase.transactions.last,
            // Of a pack of which some units were refunded, the rest must still be consumed.
            current.revokedShare < TransactionFact.wholeShare
        else { return nil }
        let isOneTime = current.kind == TransactionFact.oneTimeKind
        let state = state(of: purchase.key, kept: purchase, in: scope)
        guard let state else { return nil }
        let isUnheard = AwaitedWord.isAwaited(AwaitedWord.acknowledgement, in: word)
        guard isOneTime, !packs.isEmpty else {
            guard isUnheard else { return nil }
            let collection = isOneTime ? "products" : "subscriptions"
            return publisher.telling("acknowledge", collection, [current], token, then: state)
        }
        // Packs are consumed, which acknowledges them, too; what is bought for a time or for good
        // beside them must not be, or Google would sell it again.
        let stated = purchase.statedTransactions
        let wanted = AwaitedWord.unconsumed(stated, in: word).filter { packs.contains($0.id) }
        let others = isUnheard ? stated.filter { !packs.contains($0.id) }.suffix(1) : []
        guard !wanted.isEmpty || !others.isEmpty else { return nil }
        let rest = publisher.telling("acknowledge", "products", Array(others), token, then: state)
        return publisher.telling("consume", "products", wanted, token, then: rest)
    }
}
