import Entitlements

/// How much of a charge was returned, by refunds and disputes.
struct StripeWithdrawal: Hashable, Sendable {
    /// The returned share, in thousandths of a percent.
    let share: Int64
    /// When the share last changed.
    let moment: Moment?
    /// `refund` or `dispute`.
    let type: String?

    /// Sums up refunds and disputes of `charge`.
    ///
    /// A dispute concerns the whole charge. `refundedAt` is when the last refund was made.
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

    /// The revocations for a subscription's period: access ends if all of the money was returned,
    /// not if only part of it was.
    func facts(of transactions: [String], _ version: Version) -> [RevocationFact] {
        let isWhole = share == TransactionFact.wholeShare
        return facts(of: transactions, version, isRevoked: isWhole, share: nil)
    }

    /// The revocations for a one-time purchase: a partial refund removes part of its credits.
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
