/// Credits set aside for a render that is under way.
package struct Hold: Hashable, Sendable {
    /// The id of the reservation (`Reservation.id`); printed as `r<number>`.
    package let id: UInt64
    /// When it ends by itself.
    package let until: Moment
    /// What was taken from which bucket, in the order of spending.
    package let parts: [Bucket]

    /// The hold of a reservation.
    package init(id: UInt64, until: Moment, parts: [Bucket]) {
        self.id = id
        self.until = until
        self.parts = parts
    }

    /// How many credits are held.
    package var amount: Int64 { parts.total }

    /// What goes back when all but the first `amount` credits are not needed.
    package func rest(after amount: Int64) -> [Bucket] {
        var spent = amount
        return parts.compactMap { part in
            var rest = part
            let taken = min(spent, part.amount)
            spent -= taken
            rest.amount -= taken
            return rest.amount > 0 ? rest : nil
        }
    }
}
