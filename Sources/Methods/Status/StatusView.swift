import Entitlements
import JSON
import Ledger
import Wire

/// What is answered about one user at one moment: the results of getStatus and getEntitlement.
///
/// A class: it holds much, and is passed from hand to hand.
final class StatusView {
    let user: UserID
    let account: Account?
    let decision: Decision
    let policy: Policy
    let now: Moment
    let seq: UInt64
    /// The front of the account, with every moment in it that the catalog gives.
    let answer: Answer
    /// The fold of the subscription shown, with what is current in it at `now`.
    private let shown: (subscription: Subscription, life: Life)?

    /// Finds the subscriptions that the account owns; of a view that is not whole, the one shown.
    let lookup: (SubscriptionKey) -> Subscription?

    /// Looks at `user` now.
    ///
    /// Reads the subscription that is shown; all that the account owns only where the view is to
    /// be `whole`: a status takes no longer for somebody who has bought much.
    convenience init(
        of user: UserID,
        _ reader: LedgerReader,
        knowing found: MeasuredAccount = .longer,
        at now: Moment,
        whole: Bool = false
    ) throws(LedgerFailure) {
        try reader.wake()
        let account = try reader.account(of: user, knowing: found)
        let decision = Self.decision(on: account, of: user, at: now, under: reader.policy)
        var keys = whole ? account?.subscriptions ?? [] : []
        if !whole, let key = account?.key(shownBy: decision) { keys = [key] }
        var found: [SubscriptionKey: Subscription] = [:]
        for key in keys { found[key] = try reader.subscription(of: key) }
        self.init(of: user, account, decision, at: now, under: reader.policy, seq: reader.seq) {
            found[$0]
        }
    }

    /// Looks at an account at a moment.
    convenience init(
        of user: UserID,
        account: Account?,
        at now: Moment,
        under policy: Policy,
        seq: UInt64,
        lookup: @escaping (SubscriptionKey) -> Subscription?
    ) {
        let decision = Self.decision(on: account, of: user, at: now, under: policy)
        self.init(of: user, account, decision, at: now, under: policy, seq: seq, lookup)
    }

    /// The same look under another policy, at another moment if one is given; of what the account
    /// owns all is read that is asked for.
    func under(_ other: Policy, at moment: Moment? = nil, _ reader: LedgerReader) -> StatusView {
        StatusView(of: user, account: account, at: moment ?? now, under: other, seq: seq) { key in
            (try? reader.subscription(of: key)) ?? nil
        }
    }

    private init(
        of user: UserID,
        _ account: Account?,
        _ decision: Decision,
        at now: Moment,
        under policy: Policy,
        seq: UInt64,
        _ lookup: @escaping (SubscriptionKey) -> Subscription?
    ) {
        self.user = user
        self.account = account
        self.decision = decision
        self.now = now
        self.policy = policy
        self.seq = seq
        self.lookup = lookup
        let answer = account?.answer.dated(under: policy) ?? Answer()
        self.answer = answer
        shown = account?.key(shownBy: decision).flatMap(lookup)
            .flatMap { subscription in
                guard case .slot(let index) = decision.shown else { return nil }
                return Life(of: subscription, account, answer.slots[index], index, at: now)
                    .map { (subscription, $0) }
            }
    }

    private static func decision(
        on account: Account?,
        of user: UserID,
        at now: Moment,
        under policy: Policy
    ) -> Decision {
        guard let account else {
            var decision = Decision()
            decision.reason = .noAccount
            return decision
        }
        return account.answer.decision(
            ofCost: 1,
            at: now,
            under: policy,
            sandboxes: policy.sandboxes(of: user)
        )
    }

    /// `getStatus`, members in the order of proto/openrpc.json.
    var status: JSONObject {
        [
            "userId": .string(user.description),
            "state": .string(decision.state.rawValue),
            "canRender": .bool(decision.canRender),
            "isSubscriber": .bool(decision.hasAccess),
            "hadSubscription": .bool(hadSubscription),
            "creditsRemaining": .integer(account?.answer.spendable(at: now) ?? 0),
            "plan": plan.map { .string($0.name) } ?? .null,
            "tier": .string(plan?.tier ?? "free"),
            "limits": limits,
            "subscriptionMethod": method,
            "expiresAt": time(expiresAt),
            "nextChangeAt": time(decision.nextChange),
            "paywall": .string(paywall),
            "duplicateSubscriptions": .bool(answer.paysTwice(at: now, under: policy)),
            "subscription": subscription,
            "seq": .integer(Int64(seq)),
        ]
    }

    /// Whether both say the same.
    func isSameStatus(as other: StatusView) -> Bool { status.isEqualStatus(to: other.status) }

    /// `entitlement`, with the members that there are.
    var entitlement: JSONObject {
        var entitlement: JSONObject = ["isActive": .bool(decision.hasAccess)]
        if let shown { entitlement["productId"] = .string(shown.life.current.productID) }
        if let expiresAt { entitlement["expiresAt"] = time(expiresAt) }
        if let subscription = shown?.subscription {
            entitlement["originalTransactionId"] = .string(subscription.shownID)
            entitlement["environment"] = .string(subscription.key.environment.name)
        }
        return entitlement
    }

    /// How the store itself writes the state of the subscription shown, where it has words.
    var storeWord: String? {
        shown.flatMap { $0.subscription.status?.word }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The store of the subscription shown.
    var store: Store? {
        // Where it is inlined, the optimiser of Swift 6.3.1 ends with an error of its own
        // (CopyPropagation: "Found ownership error").
        @inline(never) get { shown?.subscription.key.store }
    }

    var hadSubscription: Bool {
        account?.answer.flags.contains(.hadSubscription) ?? false
    }

    private var plan: Policy.Plan? {
        decision.plan >= 0 ? policy.plans[decision.plan] : nil
    }

    private var limits: JSONValue {
        guard let plan else { return .object(JSONObject()) }
        return (try? JSONValue.parse(Array(plan.limits.utf8))) ?? .object(JSONObject())
    }

    private var grant: Grant? {
        if case .grant(let index) = decision.shown { account?.answer.grants[index] } else { nil }
    }

    /// What gives access now; null where nothing does, whatever is shown.
    private var method: JSONValue {
        guard decision.hasAccess else { return .null }
        if let grant {
            guard let store = Store(rawValue: grant.storeCode) else { return "grant" }
            return .string(store.methodName)
        }
        return store.map { .string($0.methodName) } ?? .null
    }

    private var expiresAt: Moment? {
        let end = grant?.until ?? shown?.life.era.paidUntil
        return end == .distantFuture ? nil : end
    }

    private var paywall: String {
        // Somebody who pays for what no plan names is not asked to pay again.
        if decision.hasAccess || decision.paysForUnknown { return "none" }
        if hadSubscription { return "resubscribe" }
        return policy.source.trialOffered ? "start_trial" : "subscribe"
    }

    private var subscription: JSONValue {
        guard let (subscription, life) = shown else { return .null }
        return .object(object(of: subscription, life, decision.status))
    }

    /// A subscription in this status, as a status shows it.
    func object(
        of subscription: Subscription,
        _ life: Life,
        _ status: Decision.Status?
    ) -> JSONObject {
        let (era, current) = (life.era, life.current)
        let words = subscription.words(at: now)
        let isOff = words?.renewal?.endsRenewing == true || current.endsAlone
        let isLeft = current.endsAlone || subscription.replacedAt != nil
        let renews = isLeft ? false : words?.renewal?.autoRenew
        let pending = words?.renewal?.nextProductID
            .flatMap {
                $0 == current.productID ? nil : $0
            }
        return [
            "status": status.map { .string($0.rawValue) } ?? .null,
            "productId": .string(current.productID),
            "pendingProductId": pending.map { .string($0) } ?? .null,
            "store": .string(subscription.key.store.name),
            "environment": .string(subscription.key.environment.name),
            "originalTransactionId": .string(subscription.shownID),
            "transactionId": .string(current.id),
            "purchasedAt": time(current.purchased),
            "expiresAt": time(era.paidUntil == .distantFuture ? nil : era.paidUntil),
            "gracePeriodExpiresAt": time(graceEnds(era)),
            "autoRenew": renews.map { .bool($0) } ?? .null,
            "isTrial": .bool(current.isTrial),
            "cancelledAt": time(isOff ? words?.renewalDisabled : nil),
            "revokedAt": time(revokedAt(subscription, current, era)),
            "stale": .bool(isStale(era)),
        ]
    }

    /// The end of a grace period, announced or by the catalog's fallback.
    private func graceEnds(_ era: Era) -> Moment? {
        if let until = era.graceUntil { return until }
        let fallback = policy.source.graceFallbackMilliseconds
        guard era.marks.contains(.openGrace), fallback > 0 else { return nil }
        return era.paidUntil?.advanced(byMilliseconds: fallback)
    }

    private func revokedAt(
        _ subscription: Subscription,
        _ current: TransactionFact,
        _ era: Era
    ) -> Moment? {
        guard era.marks.contains(.revoked) else { return nil }
        return subscription.revoked(current) ?? subscription.status?.version.signed
    }

    /// A renewal is due and the store has not been heard.
    private func isStale(_ era: Era) -> Bool {
        guard let end = era.paidUntil, era.marks.contains(.renews) else { return false }
        return now >= end && !era.marks.contains(.revoked)
    }

    /// Whether the access of what is shown ended by time alone, a short while ago: its store may
    /// only not have been heard.
    var isFreshLoss: Bool {
        guard !decision.hasAccess, let era = shown?.life.era, isStale(era),
            let end = era.paidUntil
        else { return false }
        return now.milliseconds(since: end) < MethodLimits.freshLossMilliseconds
    }

    private func time(_ moment: Moment?) -> JSONValue {
        moment.map { .string(TimeText.text($0.milliseconds)) } ?? .null
    }
}

extension Account {
    /// The subscription that `decision` on this account shows, if it shows one.
    func key(shownBy decision: Decision) -> SubscriptionKey? {
        guard case .slot(let index) = decision.shown else { return nil }
        return subscriptions[Int(answer.slots[index].ordinal)]
    }
}

extension JSONObject {
    /// Whether two statuses say the same, their positions aside.
    func isEqualStatus(to other: JSONObject) -> Bool {
        members.count == other.members.count
            && members.allSatisfy { $0.key == "seq" || other[$0.key] == $0.value }
    }
}
