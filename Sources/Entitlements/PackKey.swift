/// A transaction of a credit pack, known by its environment and id.
package struct PackKey: Hashable, Comparable, Sendable {
    /// Who sold it.
    package let store: Store
    /// Where it was sold.
    package let environment: StoreEnvironment
    /// The transaction's id.
    package let transactionID: String

    /// The pack of this transaction.
    package init(store: Store, environment: StoreEnvironment, transactionID: String) {
        self.store = store
        self.environment = environment
        self.transactionID = transactionID
    }

    package static func < (left: PackKey, right: PackKey) -> Bool {
        (left.store, left.environment, left.transactionID)
            < (right.store, right.environment, right.transactionID)
    }
}
