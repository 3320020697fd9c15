// When a transaction was refunded or withdrawn, whichever document says it.

extension Subscription {
    /// When `one`, which is here, was refunded or withdrawn; nil where nothing says so.
    package func revoked(_ one: TransactionFact) -> Moment? {
        if let revoked = one.revoked { return revoked }
        return transactions.lazy.filter { revokes($0, one) }.compactMap(\.revoked).min()
    }

    /// The same transaction, and that it was withdrawn where only another one says it.
    func withRevocation(_ one: TransactionFact) -> TransactionFact {
        guard one.revoked == nil, let moment = revoked(one) else { return one }
        var told = one
        (told.revoked, told.terms.revocationPercentage) = (moment, nil)
        return told
    }

    /// Whether the withdrawal of `other` is that of `one`, too.
    private func revokes(_ other: TransactionFact, _ one: TransactionFact) -> Bool {
        guard let revoked = other.revoked else { return false }
        // What the family shared then, where it shares no more; not what was over.
        if other.leavesFamily {
            return one.purchased <= revoked && (one.expires.map { revoked < $0 } ?? true)
        }
        // Each device that restores what was bought for good has a transaction of its own, dated
        // as of then: https://developer.apple.com/forums/thread/736020
        if one.isCopy(of: other) {
            return one.purchased <= revoked && other.revokedShare == TransactionFact.wholeShare
        }
        return other.terms.isOfReceipt && !one.terms.isOfReceipt
            && other.purchased == one.purchased && other.productID == one.productID
            && isLastWord(other)
    }

    /// Whether nothing newer than this receipt says that what it calls by an id of its device's own
    /// was not revoked.
    private func isLastWord(_ receipt: TransactionFact) -> Bool {
        !transactions.indices.contains { place in
            let one = transactions[place]
            guard one.purchased == receipt.purchased, one.productID == receipt.productID,
                let held = traces[place].unrevoked
            else { return false }
            return held >= receipt.version.signed
        }
    }
}
