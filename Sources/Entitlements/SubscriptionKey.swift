/// What one subscription, or one purchase, is known by.
package struct SubscriptionKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Who sold it.
    package let store: Store
    /// Where it was sold.
    package let environment: StoreEnvironment
    /// Apple's `originalTransactionId`: constant through renewals, lapses and product changes.
    package let originalID: String

    /// The key with these parts.
    package init(store: Store, environment: StoreEnvironment, originalID: String) {
        self.store = store
        self.environment = environment
        self.originalID = originalID
    }

    package static func < (left: SubscriptionKey, right: SubscriptionKey) -> Bool {
        (left.store, left.environment, left.originalID)
            < (right.store, right.environment, right.originalID)
    }

    /// `store/environment/original id`; no two keys are written alike.
    package var description: String { "\(store.name)/\(environment.name)/\(originalID)" }

    /// The key that is written `text`.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let store = Store(name: parts[0]),
            let environment = StoreEnvironment(name: parts[1]), !parts[2].isEmpty
        else { return nil }
        self.init(store: store, environment: environment, originalID: String(parts[2]))
    }
}
