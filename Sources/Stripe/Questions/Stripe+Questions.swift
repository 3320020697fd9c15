import Entitlements

/// The questions to Stripe's API, in the form that all stores share.
extension Stripe: StoreQuestions {
    package var scopes: [StoreScope] {
        [StoreScope.production, .sandbox].filter { keys[$0.environment] != nil }
    }

    /// Stripe allows 100 requests a second in live mode, and 25 in test mode
    /// (https://docs.stripe.com/rate-limits); other programs of the account need part of these.
    package func budgets(of scope: StoreScope) -> [StoreBudget: Int64] {
        [.ordinary: scope.environment == .production ? 25_000 : 10_000]
    }

    package func access(to scope: StoreScope, at now: Moment) -> StoreAccess {
        .authorization("Bearer \(keys[scope.environment]?.text ?? "")")
    }

    package func failure(of reply: StoreReply, at now: Moment) -> StoreAPIFailure {
        StripeAPI.failure(of: reply)
    }

    package func state(
        of key: SubscriptionKey,
        kept: Subscription?,
        in scope: StoreScope
    ) -> StoreQuestion<StoreStatement>? {
        guard key.environment == scope.environment, let id = StripeID(key.originalID) else {
            return nil
        }
        let isNamed = kept.map { $0.owner != nil || !$0.named.isEmpty } ?? false
        return question(about: id, isNamed: isNamed)
            .then { facts in .answer(StoreStatement(facts: facts, documents: 1)) }
    }

    package func purchase(
        _ hint: PurchaseHint,
        in scope: StoreScope
    ) -> StoreQuestion<PurchaseAnswer>? {
        let text: String
        switch hint {
        case .subscription(let id): text = id
        case .checkoutSession(let id): text = id
        case .transaction(let id): text = id
        case .purchaseToken, .withdrawal, .partialWithdrawal: return nil
        }
        return StripeID(text)
            .map { question(about: $0, isNamed: false).then { .answer(.stated($0)) } }
    }

    package var announces: Bool { true }

    /// The question about an object, whose kind the beginning of its id shows.
    func question(about id: StripeID, isNamed: Bool) -> StoreQuestion<[Fact]> {
        let kind = id.text.prefix { $0 != "_" }
        return switch kind {
        case "cs": api.checkout(id)
        case "pi": api.payment(id)
        case "ch", "py": api.charge(id)
        default: api.subscription(id, isNamed: isNamed)
        }
    }

    /// `GET /v1/events` reaches back 30 days; Stripe repeats failed deliveries for three.
    package func reach(of scope: StoreScope) -> StoreReach? {
        StoreReach(
            milliseconds: 30 * 24 * 3600 * 1000,
            overlapMilliseconds: 3 * 24 * 3600 * 1000,
            marginMilliseconds: 3600 * 1000
        )
    }

    package func missed(
        in window: Range<Moment>,
        onlyFailures: Bool,
        of scope: StoreScope
    ) -> StoreQuestion<StoreStatement>? {
        EventWalk(stripe: self, window: window, onlyFailures: onlyFailures)
            .page(behind: nil)
    }

    /// A page on which the customer manages a subscription, made for this request.
    ///
    /// - Parameters:
    ///   - key: the subscription.
    ///   - returnURL: the address to which the page leads back; nil for the portal's configured
    ///     one.
    ///   - nonce: a different one for each page.
    /// - Returns: the question; nil without an API key, or if `key` is not a subscription.
    package func managementPage(
        of key: SubscriptionKey,
        returnURL: String?,
        nonce: Token
    ) -> StoreQuestion<String>? {
        guard keys[key.environment] != nil, key.originalID.hasPrefix("sub_"),
            let id = StripeID(key.originalID)
        else { return nil }
        return api.portal(of: id, returnURL: returnURL, idempotencyKey: "\(nonce)")
    }
}
