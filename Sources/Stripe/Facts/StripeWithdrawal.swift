import Entitlements

/// How much of a charge went back, by refunds and by disputes.
struct StripeWithdrawal: Hashable, Sendable {
    /// In thousandths of a percent.
    let share: Int64
    /// When that came about, last.
    let moment: Moment?
    /// `refund` or `dispute`.
    let type: String?

    /// What refunds and disputes of `charge` come to.
    ///
    /// A dispute is about all of it. `refundedAt` is when the last refund was made.
    init(
        of charge: StripeCharge,
        disputes: [StripeDispute],
        refundedAt: Moment,
        under rules: StripeRules
    ) {
        let taking = disputes.filter { rules.takesAway($0.status) }
        if let first = taking.map(\.created).min() {
            share = TransactionFact.wholeShare
            moment =
                charge.refundedShare == TransactionFact.wholeShare
                ? min(first, refundedAt) : first
            type = "dispute"
        } else {
            share = charge.refundedShare
            moment = share > 0 ? refundedAt : nil
            type = share > 0 ? "refund" : nil
        }
    }

    /// What that means for the period of a subscription: access ends with all of the money, not
    /// with a part of it.
    func facts(of transactions: [String], _ version: Version) -> [RevocationFact] {
        let isWhole = share == TransactionFact.wholeShare
        return facts(of: transactions, version, isRevoked: isWhole, share: nil)
    }

    /// What that means for something that was bought once: a part of its credits goes, too.
    func packFacts(of transactions: [String], _ version: Version) -> [RevocationFact] {
        facts(of: transactions, version, isRevoked: share > 0, share: share)
    }

    private func facts(
        of transactions: [String],
        _ version: Version,
        isRevoked: Bool,
        share: Int64?
    ) -> [RevocationFact] {
        transactions.map { id in
            var fact = RevocationFact(
                transactionID: id,
                version: version,
                revoked: isRevoked ? moment : nil
            )
            fact.share = isRevoked ? share : nil
            fact.type = isRevoked ? type : nil
            return fact
        }
    }
}
