/// What a notification leads to that says only that something changed: the store is to be asked.
package struct StoreAnnouncement: Hashable, Sendable {
    /// Whose notification it is.
    package let store: Store
    /// What the store is asked about.
    package let hint: PurchaseHint

    /// What `store` is to be asked about.
    package init(_ store: Store, _ hint: PurchaseHint) {
        self.store = store
        self.hint = hint
    }

    /// What the purchase may be kept under, in either environment; none where the hint is another
    /// name than that.
    package var purchases: [SubscriptionKey] {
        switch hint {
        case .purchaseToken(let id), .subscription(let id), .withdrawal(let id, _, _),
            .partialWithdrawal(let id, _):
            [StoreEnvironment.production, .sandbox]
                .map {
                    SubscriptionKey(store: store, environment: $0, originalID: id)
                }
        case .transaction, .checkoutSession: []
        }
    }
}
