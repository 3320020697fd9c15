import Entitlements
import JSON
import Ledger

/// What a store said of a purchase and what changed nobody's status: a refund that was declined, a
/// price that will rise, a question about consumption.
///
/// Of every notification whose purchase somebody owns, the owner's watchers are told once: of the
/// status where it changed, of this where it did not.
struct StoreEvent {
    /// The store's word for what happened.
    private let type: String
    /// The store's word for how; empty for none.
    private let subtype: String
    /// What the notification stated.
    private let fact: Fact

    /// What a notification told of a purchase of `user`; nil where it told of none.
    ///
    /// - Parameters:
    ///   - type: the store's word for what happened.
    ///   - subtype: the store's word for how.
    ///   - facts: what it stated and was news.
    ///   - user: whose watchers are to hear of it.
    ///   - owner: whose a purchase is after that.
    init?(
        _ type: String,
        _ subtype: String,
        stating facts: [Fact],
        to user: UserID,
        owner: (SubscriptionKey) -> UserID?
    ) {
        let told = facts.first { $0.transaction != nil && owner($0.key) == user }
        guard let told, !type.isEmpty else { return nil }
        (self.type, self.subtype, fact) = (type, subtype, told)
    }

    /// The members of the notification behind `seq` and `userId`; what does not apply is absent.
    var members: JSONObject {
        var object: JSONObject = [
            "store": .string(fact.key.store.name), "type": .string(type),
        ]
        if !subtype.isEmpty { object["subtype"] = .string(subtype) }
        let transaction = fact.transaction
        object["productId"] = transaction.map { .string($0.productID) }
        object["transactionId"] = transaction.map { .string($0.id) }
        object["originalTransactionId"] = .string(fact.shownID)
        object["environment"] = .string(fact.key.environment.name)
        object["purchasedAt"] = transaction.map { JSONValue.time($0.purchased) }
        object["expiresAt"] = transaction?.expires.map { JSONValue.time($0) }
        object["revokedAt"] = transaction?.revoked.map { JSONValue.time($0) }
        object["price"] = transaction?.terms.price.map { .integer($0) }
        object["currency"] = transaction?.terms.currency.map { .string($0) }
        object["offerId"] = transaction?.terms.offerID.map { .string($0) }
        return object
    }
}

extension FeedItem {
    /// What the notification, if this was one, told of a purchase of `user`.
    func storeEvent(of user: UserID) -> StoreEvent? {
        guard let notification else { return nil }
        return StoreEvent(
            notification.type,
            notification.subtype,
            stating: notification.facts,
            to: user
        ) { subscriptionsAfter[$0]?.owner }
    }
}

extension HistoryStep {
    /// The same, of a step of the journal; `owner` is asked whose a purchase is after it.
    func storeEvent(
        of user: UserID,
        owner: (SubscriptionKey) -> UserID?
    ) -> StoreEvent? {
        guard cause == .notification else { return nil }
        var facts: [Fact] = []
        for case .merged(let fact) in events { facts.append(fact) }
        return StoreEvent(order.type, order.subtype, stating: facts, to: user, owner: owner)
    }
}
