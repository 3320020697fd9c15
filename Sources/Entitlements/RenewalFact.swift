/// One version of what the store says about the next renewal.
package struct RenewalFact: Hashable, Sendable {
    /// Which version this is.
    package var version: Version
    /// Whether it will renew; nil where the store did not say.
    package var autoRenew: Bool?
    /// The product of the next period.
    package var nextProductID: String?
    /// The store is still trying to charge.
    package var isInBillingRetry = false
    /// Until when access goes on while the store tries to charge.
    package var graceUntil: Moment?
    /// Why it expired: 1 cancelled, 2 billing, 3 price, 4 product, 5 other.
    package var expirationIntent: Int64?
    /// 0 no answer, 1 consented.
    package var priceIncreaseStatus: Int64?
    /// When the next charge is due.
    package var renewalDate: Moment?
    /// What holds when a commitment ends.
    package var terms = RenewalTerms()

    /// Whether the customer has it end: with this period, or with the payments to which they are
    /// bound.
    ///
    /// Of a commitment, Apple's `autoRenewStatus` speaks of the next payment alone, and is on until
    /// the last one.
    package var endsRenewing: Bool { autoRenew == false || terms.commitmentRenews == false }

    /// Whether a commitment ends with the period of `transaction`, and no other follows.
    package func isLast(_ transaction: TransactionFact) -> Bool {
        guard terms.commitmentRenews == false else { return false }
        guard let end = transaction.expires, let last = transaction.terms.commitment?.expires else {
            return false
        }
        return last <= end
    }

    /// Renewal information of this version; the rest are properties.
    package init(version: Version) {
        self.version = version
    }
}
