import Entitlements

// Support has a number from a receipt or an e-mail of a store, and asks whose it is. Purchases are
// kept by what a store calls the whole purchase; of the numbers of its transactions there is no
// table, so all purchases are looked through, piece by piece: a view that is held pins pages.

extension LedgerReader {
    /// The purchases that customers know by `name`, or of which a transaction is called so.
    ///
    /// Looks through all of them, and lets go of its view between two pieces.
    ///
    /// - Parameters:
    ///   - name: a store's number of a transaction or an order.
    ///   - limit: how many are looked for.
    ///   - pieceRows: rows that are looked at in one view.
    /// - Returns: those that were found, in the order of keys.
    /// - Throws: where the views cannot be read.
    package func purchases(
        called name: String,
        limit: Int,
        pieceRows: Int = LedgerLimits.searchPieceRows
    ) throws(LedgerFailure) -> [Subscription] {
        var found: [Subscription] = []
        var start: [UInt8]? = []
        let bytes = Array(TransactionFact.order(name).utf8)
        while let from = start, found.count < limit {
            start = nil
            try wake()
            try look { snapshot in
                var count = 0
                try snapshot.walk(.subscriptions, from: from) { key, sealed in
                    count += 1
                    if sealed.holds(bytes) {
                        let purchase = try SubscriptionRow(key: key, sealed: sealed).record
                        if purchase.isCalled(name) { found.append(purchase) }
                    }
                    if count == pieceRows { start = Array(key) + [0] }
                    return start == nil && found.count < limit
                }
            }
            restView()
        }
        try wake()
        return found
    }

    /// The purchases that carry a token which is nobody's.
    package func purchases(waitingFor token: Token) throws(LedgerFailure) -> [SubscriptionKey] {
        try look { try $0.unclaimed(with: token).map(\.key) }
    }
}
