/// Years that are promised and paid by the month.
///
/// Apple's pages describe the fields (`TransactionCommitmentInfo`, `RenewalCommitmentInfo`); that a
/// cancellation lets the payments go on to the end of the year is what a commitment means.
extension Subscriber {
    /// Refuses what cannot be paid so.
    func checkCommitment(to product: Product, _ offer: Offer?) throws(StoreRefusal) {
        guard product.period == Period(1, .year) else {
            throw StoreRefusal("\(product.id) is not for a year, and cannot be paid by the month")
        }
        guard offer == nil else {
            throw StoreRefusal("a commitment begins without an offer here")
        }
    }

    /// What is left of the commitment behind the last period; nil where there is none.
    var paymentsLeft: Int64? {
        guard renewal?.isCommitmentOn != nil, let last = lastCommitted?.commitment else {
            return nil
        }
        return last.count - last.number
    }

    /// The last period that is part of a commitment.
    var lastCommitted: SimulatedTransaction? {
        transactions.last { $0.commitment != nil && !$0.isUpgraded }
    }

    /// Turns the renewal of the commitment on or off: months that were promised are paid all the
    /// same.
    mutating func turnCommitment(on isOn: Bool) {
        let isOwed = (paymentsLeft ?? 0) > 0
        renewal?.isCommitmentOn = isOn
        renewal?.isOn = isOn || isOwed
    }
}

extension SimulatedTransaction {
    /// Makes this period a month of a commitment: the next one, or the first of a new one.
    mutating func commit(
        to product: Product,
        after last: SimulatedTransaction.Commitment?,
        _ time: StoreTime
    ) {
        price = product.price / Self.payments
        if let last, last.number < last.count {
            commitment = Commitment(
                number: last.number + 1,
                count: last.count,
                expires: last.expires,
                price: last.price
            )
        } else {
            commitment = Commitment(
                number: 1,
                count: Self.payments,
                expires: purchaseDate + time.milliseconds(Period(1, .year)),
                price: product.price
            )
        }
    }

    private static let payments: Int64 = 12
}
