/// One era of one owned subscription, in raw moments.
@frozen
package struct Slot: Hashable, Sendable {
    /// Which of the account's subscriptions: its place in `Account.subscriptions`.
    package var ordinal: UInt16
    /// Who sold it.
    package var store: Store
    /// Where it was sold.
    package var environment: StoreEnvironment
    /// The product's number in `Numbering`.
    package var product: UInt32
    /// See `EraMarks`.
    package var marks: EraMarks
    /// When this era begins.
    package var from: Moment
    /// See `Era.paidUntil`; `distantPast` where nothing was paid.
    package var paidUntil: Moment
    /// See `Era.graceUntil`; `distantPast` for none.
    package var graceUntil: Moment

    /// A slot with these parts.
    @inlinable
    package init(
        ordinal: UInt16,
        store: Store,
        environment: StoreEnvironment,
        product: UInt32,
        marks: EraMarks,
        from: Moment,
        paidUntil: Moment,
        graceUntil: Moment
    ) {
        self.ordinal = ordinal
        self.store = store
        self.environment = environment
        self.product = product
        self.marks = marks
        self.from = from
        self.paidUntil = paidUntil
        self.graceUntil = graceUntil
    }
}

extension Slot {
    /// When it is over; for ever where the catalog says when that is, or where it is not paid yet.
    package var end: Moment {
        if marks.contains(.dated) || marks.isPending { return .distantFuture }
        return max(paidUntil, graceUntil)
    }
}
