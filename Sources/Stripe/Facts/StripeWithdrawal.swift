import Entitlements

/// How much of a charge was returned, by refunds and disputes.
struct StripeWithdrawal: Hashable, Sendable {
    /// The returned share, in thousandths of a percent.
    let share: Int64
    /// When the share last changed.
    let moment: Moment?
    /// `refund` or `dispute`.
    let type: String?
    /// What was charged, in the smallest unit of the currency.
    let charged: Int64
    /// The charge.
    let id: StripeID

    private init(share: Int64, moment: Moment?, type: String?, id: StripeID, charged: Int64) {
        self.id = id
        self.share = share
        self.moment = share > 0 ? moment : nil
        self.type = share > 0 ? type : nil
        self.charged = charged
    }

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
        let isWhole = charge.refundedShare == TransactionFact.wholeShare
        let disputed = taking.map(\.created).min()
        self.init(
            share: disputed == nil ? charge.refundedShare : TransactionFact.wholeShare,
            moment: disputed.map { isWhole ? min($0, refundedAt) : $0 } ?? refundedAt,
            type: disputed == nil ? "refund" : "dispute",
            id: charge.id,
            charged: charge.amount
        )
    }

    /// How much that is of an invoice of which `paid` was paid in all, and `others` of what other
    /// charges paid were returned, too.
    func of(_ paid: Int64, beside others: [Int64]) -> StripeWithdrawal {
        let whole = Double(TransactionFact.wholeShare)
        var returned = Double(charged) * Double(share) / whole
        for other in others { returned += Double(other) }
        // Cents are whole: less than one is an error of the division.
        let isWhole = returned > Double(paid) - 1
        return StripeWithdrawal(
            share: isWhole
                ? TransactionFact.wholeShare : Int64(returned / Double(paid) * (whole - 1)),
            moment: moment,
            type: type,
            id: id,
            charged: paid
        )
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
