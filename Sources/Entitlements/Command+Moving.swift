// A purchase that support gives to another user: movePurchase.

/// Support moves a purchase to a user.
package struct PurchaseMove: Hashable, Sendable {
    /// The store that sold it.
    package let store: Store
    /// Its original id there.
    package let originalID: String
    /// Who is to have it.
    package let user: UserID
    /// Why, for the history.
    package let reason: String

    /// The move of a purchase to `user`.
    package init(store: Store, originalID: String, to user: UserID, reason: String) {
        self.store = store
        self.originalID = originalID
        self.user = user
        self.reason = reason
    }

    /// What it may be known by, the real one first.
    var keys: [SubscriptionKey] {
        [.production, .sandbox]
            .map { SubscriptionKey(store: store, environment: $0, originalID: originalID) }
    }
}

extension Command {
    /// First match wins: no such purchase; moved.
    ///
    /// It is a link as of now. What decided until now may be of a later moment by the store's
    /// clock: the link is as of that one then, because on a tie the later link decides.
    func ruling(on desk: Desk, under policy: Policy, moving order: PurchaseMove) -> Ruling {
        let found = order.keys.lazy.compactMap { desk.subscriptions[$0] }
            .first { !$0.transactions.isEmpty }
        guard let subscription = found else { return Ruling(.purchaseUnknown) }
        let decided = desk.decider(of: subscription)?.moment ?? .distantPast
        var events = opening(order.user, on: desk, under: policy)
        events.append(.linked(subscription.key, order.user, at: max(now, decided)))
        events += migrationEvents(after: events, on: desk)
        events += packEvents(after: events, on: desk, under: policy)
        return Ruling(.moved, events)
    }
}
