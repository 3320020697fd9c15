import Entitlements
import JSON

/// `getStatus` for the core stage: the words of proto/openrpc.json, made from the records without a
/// daemon.
package struct CoreStatus {
    let account: Account?
    let policy: Policy
    let at: Moment
    let subscriptions: [SubscriptionKey: Subscription]

    /// What is known of one user, looked at under `policy` at a moment.
    package init(
        account: Account?,
        policy: Policy,
        at moment: Moment,
        subscriptions: [SubscriptionKey: Subscription]
    ) {
        self.account = account
        self.policy = policy
        at = moment
        self.subscriptions = subscriptions
    }

    /// What `getStatus` answers.
    package var reply: JSONValue {
        guard let account else {
            return [
                "state": "no_account", "canRender": false, "isSubscriber": false,
                "hadSubscription": false, "creditsRemaining": 0, "plan": nil, "tier": "free",
                "subscriptionMethod": nil, "expiresAt": nil, "nextChangeAt": nil,
                "paywall": .string(policy.source.trialOffered ? "start_trial" : "subscribe"),
                "subscription": nil,
            ]
        }
        let answer = account.answer.dated(under: policy)
        let decision = answer.decision(
            ofCost: 1,
            at: at,
            under: policy,
            sandboxes: policy.sandboxes(of: account.user)
        )
        let plan = policy.plans[decision.plan]
        let hadSubscription = answer.flags.contains(.hadSubscription)
        let paywall =
            decision.hasAccess || decision.paysForUnknown
            ? "none"
            : hadSubscription
                ? "resubscribe" : policy.source.trialOffered ? "start_trial" : "subscribe"
        var end: Moment?
        var method: String?
        switch decision.shown {
        case .nothing: break
        case .slot(let index):
            end = answer.slots[index].paidUntil
            let key = account.subscriptions[Int(answer.slots[index].ordinal)]
            if decision.hasAccess { method = key.store.methodName }
        case .grant(let index):
            end = answer.grants[index].until
            method = Store(rawValue: answer.grants[index].storeCode)?.methodName ?? "grant"
        }
        return [
            "state": .string(decision.state.rawValue),
            "canRender": .bool(decision.canRender),
            "isSubscriber": .bool(decision.hasAccess),
            "hadSubscription": .bool(hadSubscription),
            "creditsRemaining": .integer(answer.spendable(at: at)),
            "plan": .string(plan.name),
            "tier": .string(plan.tier),
            "subscriptionMethod": .text(method),
            "expiresAt": .moment(end),
            "nextChangeAt": .moment(decision.nextChange),
            "paywall": .string(paywall),
            "subscription": subscription(account, answer, decision),
        ]
    }

    private func subscription(
        _ account: Account,
        _ answer: Answer,
        _ decision: Decision
    ) -> JSONValue {
        guard case .slot(let index) = decision.shown else { return .null }
        let slot = answer.slots[index]
        let key = account.subscriptions[Int(slot.ordinal)]
        let bought = account.answer.slots[index].from
        let dated = subscriptions[key]?.datedPurchases.first { $0.purchased == bought }
        guard let subscription = subscriptions[key],
            let current = dated ?? subscription.current(at: at)
        else { return .null }
        let words = subscription.words(at: at)
        let renewal = words?.renewal
        let pending = renewal?.nextProductID.flatMap { $0 == current.productID ? nil : $0 }
        let cancelled = renewal?.endsRenewing == true ? words?.renewalDisabled : nil
        return [
            "status": .text(decision.status?.rawValue),
            "productId": .string(current.productID),
            "pendingProductId": .text(pending),
            "store": "app_store",
            "environment": key.environment == .sandbox ? "Sandbox" : "Production",
            "originalTransactionId": .string(key.originalID),
            "transactionId": .string(current.id),
            "purchasedAt": .moment(current.purchased),
            "expiresAt": .moment(slot.paidUntil),
            "gracePeriodExpiresAt": .moment(slot.graceUntil),
            "autoRenew": renewal?.autoRenew.map { .bool($0) } ?? .null,
            "isTrial": .bool(current.isTrial),
            "cancelledAt": .moment(cancelled),
            "revokedAt": .moment(current.revoked),
        ]
    }
}
