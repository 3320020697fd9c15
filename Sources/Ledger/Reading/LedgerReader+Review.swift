import Entitlements

/// A page of the walk through all purchases behind a new catalog.
package struct ReviewPage: Sendable {
    /// Those for which the catalog has something that is not done yet.
    package fileprivate(set) var owed: [SubscriptionKey] = []
    /// Where the next page begins; nil at the end.
    package fileprivate(set) var next: SubscriptionKey?
}

extension LedgerReader {
    /// Of the next purchases after `key`, at most `limit` of them, those for which `policy` has
    /// something that is not done yet: a pack or a paid period that has credited nobody, though it
    /// is somebody's; a non-renewing subscription that is not known as a purchase for a number of
    /// days.
    package func review(
        under policy: Policy,
        at now: Moment,
        after key: SubscriptionKey?,
        limit: Int
    ) throws(LedgerFailure) -> ReviewPage {
        let purchases = try subscriptions(after: key, limit: limit)
        var page = ReviewPage()
        for purchase in purchases where try isOwed(purchase, under: policy, at: now) {
            page.owed.append(purchase.key)
        }
        page.next = purchases.last?.key
        return page
    }

    private func isOwed(
        _ purchase: Subscription,
        under policy: Policy,
        at now: Moment
    ) throws(LedgerFailure) -> Bool {
        let isUndated = purchase.transactions.contains {
            $0.isDated(in: purchase.key, under: policy)
        }
        if isUndated, !purchase.isDated { return true }
        guard purchase.owner != nil else { return false }
        let bought = purchase.transactions.filter {
            $0.isPack(in: purchase.key, under: policy) && !purchase.isUnpaid
                && $0.revokedShare < TransactionFact.wholeShare
                && !$0.isRestored(in: purchase.key)
        }
        for pack in bought.flatMap({ PackKey.of($0, purchase.key) }) {
            if try self.pack(of: pack) == nil { return true }
        }
        guard policy.givesPeriodCredits else { return false }
        // Their end follows from the catalog.
        if purchase.isDated { return true }
        var given: [PackKey: Pack] = [:]
        for name in purchase.transactions.flatMap({ PackKey.periods(of: $0, purchase.key) }) {
            given[name] = try self.pack(of: name)
        }
        for period in purchase.paidPeriods({ given[$0] })
        where period.counts && period.mayGive && now < period.ends
            && policy.credits(perPeriodOf: period.productIDs, inTrial: period.isTrial) > 0
        {
            if given[period.key] == nil { return true }
        }
        return false
    }
}
