/// That a transaction was refunded or withdrawn, or given back after that.
///
/// Sticky: a later state of the same transaction does not undo it. Of two about one transaction the
/// one with the greater version stays.
package struct RevocationFact: Hashable, Sendable {
    /// The store's id of the transaction.
    package var transactionID: String
    /// Which version this is.
    package var version: Version
    /// When it was refunded or withdrawn; nil where that was taken back, as a dispute that was won.
    package var revoked: Moment?
    /// How much of it, in thousandths of a percent; nil for all.
    package var share: Int64?
    /// Why, as the store numbers it.
    package var reason: Int64?
    /// How, as the store writes it.
    package var type: String?

    /// All of the transaction was withdrawn at `revoked`; the rest are properties.
    package init(transactionID: String, version: Version, revoked: Moment?) {
        self.transactionID = transactionID
        self.version = version
        self.revoked = revoked
    }

    /// Whether it withdraws the transaction `id` of a purchase in `store`.
    ///
    /// Whole orders are withdrawn, and an order may have several items, whose ids begin with its
    /// own.
    package func withdraws(_ id: String, in store: Store) -> Bool {
        if transactionID == id { return true }
        return store.sellsOrders && share == nil && id.hasPrefix(transactionID + ":")
    }

    /// What two statements about one transaction say together: the newer one, but for a refund that
    /// stays.
    func joined(with other: RevocationFact, in store: Store) -> RevocationFact {
        guard store.refundsForGood else { return version < other.version ? other : self }
        let isOther =
            isWhole == other.isWhole ? version < other.version : other.isWhole
        var joined = isOther ? other : self
        joined.revoked = [revoked, other.revoked].compactMap(\.self).min()
        return joined
    }

    /// Whether all that was paid was given back.
    private var isWhole: Bool {
        let whole = TransactionFact.wholeShare
        return revoked != nil && (share ?? whole) >= whole
    }

    /// The order in which they are kept.
    func isBefore(_ other: RevocationFact) -> Bool {
        if version != other.version { return version < other.version }
        return TransactionFact.precedes(transactionID, other.transactionID)
    }
}
