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
}
