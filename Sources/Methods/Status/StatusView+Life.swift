import Entitlements

extension StatusView {
    /// What is current in a subscription: the transaction, and what it is worth.
    struct Life {
        let current: TransactionFact
        let era: Era

        /// What `slot` shows of a subscription of `account`; nil where that has no transaction.
        ///
        /// Of a purchase for a number of days the slot knows the end, which follows from the
        /// catalog; of all others the subscription itself.
        init?(
            of subscription: Subscription,
            _ account: Account?,
            _ slot: Slot,
            _ index: Int,
            at now: Moment
        ) {
            guard slot.marks.contains(.dated) else {
                if subscription.isOfSnapshots {
                    // The slots of its items stand in their order.
                    let slots = account?.answer.slots ?? []
                    let first = slots.firstIndex { $0.ordinal == slot.ordinal } ?? index
                    let lives = subscription.statedLives
                    guard lives.indices.contains(index - first) else { return nil }
                    (current, era) = lives[index - first]
                    return
                }
                guard let era = subscription.era(at: now),
                    let current = subscription.current(at: now)
                else { return nil }
                (self.era, self.current) = (era, current)
                return
            }
            // The account's own slot has the moment of the purchase.
            let bought = account?.answer.slots[index].from
            guard let current = subscription.datedPurchases.first(where: { $0.purchased == bought })
            else { return nil }
            self.current = current
            era = Era(
                from: slot.from,
                productID: current.productID,
                paidUntil: slot.paidUntil,
                graceUntil: nil,
                marks: slot.marks
            )
        }
    }
}
