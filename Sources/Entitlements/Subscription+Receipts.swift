// What a receipt says beside signed transactions.
//
// A receipt says less than a signed transaction: nothing of an offer, a part that was refunded, or
// a family. So it never takes the place of a signed version. But that a transaction was revoked
// counts wherever it is said. A receipt says it by a date of cancellation, and that it was undone
// by having none.

extension Subscription {
    /// Takes in a version of a transaction; answers whether that changed what is kept.
    ///
    /// Keeps S2: the newest receipt that says "revoked" and the newest version that does not are
    /// the same in any order.
    mutating func mergeWithReceipts(_ stated: TransactionFact) -> Bool {
        if stated.terms.isOfReceipt, let revocation = stated.revocation {
            _ = remember(revocation)
        }
        let isNewer = merge(stated)
        guard let place = transactions.firstIndex(where: { $0.id == stated.id })
        else { return isNewer }
        let before = transactions[place]
        transactions[place]
            .take(
                receipts: revocations.first { $0.transactionID == stated.id },
                after: traces[place].unrevoked
            )
        return isNewer || transactions[place] != before
    }

    /// Whether a version of a transaction gives way to another one.
    func yields(_ kept: TransactionFact, to other: TransactionFact) -> Bool {
        let (first, second) = (kept.terms.isOfReceipt, other.terms.isOfReceipt)
        return first == second ? kept.version < other.version : first
    }
}

extension TransactionFact {
    /// Takes over that receipts say it was revoked, where that is newer than the newest word that
    /// it was not; else gives back what an older receipt took.
    fileprivate mutating func take(receipts told: RevocationFact?, after unrevoked: Moment?) {
        guard !terms.isOfReceipt, let told else { return }
        let isByReceipt = terms.revocationType == TransactionTerms.receipt
        guard revoked == nil || isByReceipt else { return }
        let isRevoked = unrevoked.map { $0 < told.version.signed } ?? true
        revoked = isRevoked ? told.revoked : nil
        terms.revocationType = isRevoked ? TransactionTerms.receipt : nil
    }
}
