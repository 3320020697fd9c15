import Entitlements
import JSON

/// `getSubscriptions`: all that a user has, the best first.
extension StatusView {
    /// What lasts among the user's purchases, each as `subscription` of a status with what it was
    /// bought for; of a whole view only.
    var subscriptions: [JSONValue] {
        guard let account else { return [] }
        var found: [(candidate: Candidate, shown: JSONObject)] = []
        for (index, slot) in answer.slots.enumerated()
        where answer.isCurrent(index, at: now) && !slot.isOfPack(policy) {
            let candidate = Candidate(slot, index, now, policy, policy.sandboxes(of: user))
            guard let subscription = lookup(account.subscriptions[Int(slot.ordinal)]),
                let life = Life(of: subscription, account, slot, index, at: now)
            else { continue }
            found.append((candidate, shown(subscription, life, as: candidate)))
        }
        return found.sorted { $1.candidate.isWorse(than: $0.candidate) }
            .map { .object($0.shown) }
    }

    private func shown(
        _ subscription: Subscription,
        _ life: Life,
        as candidate: Candidate
    ) -> JSONObject {
        var object = object(of: subscription, life, candidate.status)
        let current = life.current
        let terms = current.terms
        object["group"] = text(terms.group)
        object["ownership"] = text(current.ownership.isEmpty ? nil : current.ownership)
        object["offer"] = offer(of: current)
        object["price"] = terms.price.map { .integer($0) } ?? .null
        object["currency"] = text(terms.currency)
        object["storefront"] = text(terms.storefront)
        object["billingPlan"] = text(terms.billingPlan)
        object["commitmentExpiresAt"] = .time(terms.commitment?.expires)
        object["givesAccess"] = .bool(candidate.gives)
        return object
    }

    private func offer(of transaction: TransactionFact) -> JSONValue {
        let terms = transaction.terms
        guard transaction.offerType != nil || terms.offerID != nil else { return .null }
        return [
            "type": transaction.offerType.map { .integer($0) } ?? .null,
            "id": text(terms.offerID),
            "discount": text(transaction.offerDiscount),
            "period": text(terms.offerPeriod),
        ]
    }

    private func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}
