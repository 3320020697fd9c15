/// What became of a reservation.
package struct Reservation: Hashable, Sendable {
    /// Whose credits are held.
    package let user: UserID
    /// When it ends by itself.
    package let until: Moment
    /// Whether it returns when the connection that made it, or the daemon, ends.
    package let isLease: Bool
    /// How it ended; nil while it holds, or has ended by itself unmet.
    package internal(set) var ending: Ending?

    /// How a reservation ended, and what remained then.
    package struct Ending: Hashable, Sendable {
        /// How.
        package let kind: Kind
        /// The credits that could be spent after.
        package let remaining: Int64

        /// The ending.
        package init(kind: Kind, remaining: Int64) {
            self.kind = kind
            self.remaining = remaining
        }

        /// How a reservation ends.
        ///
        /// The raw value is stored.
        package enum Kind: UInt8, Sendable {
            /// A part or all of it was spent.
            case committed = 1
            /// It was given back by its owner.
            case released = 2
            /// Its time was over.
            case expired = 3
            /// The connection that held it ended.
            case disconnected = 4
        }
    }

    /// A reservation as it was made, or stored.
    package init(user: UserID, until: Moment, isLease: Bool, ending: Ending? = nil) {
        self.user = user
        self.until = until
        self.isLease = isLease
        self.ending = ending
    }

    /// The id that `bits` make, which nobody can guess who cannot guess them: above every position
    /// and below 2⁶³.
    ///
    /// A caller who knows the id of a reservation can end it, and journal positions are public. Ids
    /// up to 2⁵³ are positions: older journals have such reservations.
    package static func id(of bits: UInt64) -> UInt64 {
        Limits.positionMax + 1 + bits % (UInt64(Int64.max) - Limits.positionMax)
    }

    /// Whether somebody may ask for it at `moment`: until it has ended, and as long behind that as
    /// the first answer is kept that made it.
    package func isKept(at moment: Moment) -> Bool {
        ending == nil
            || moment < until.advanced(byMilliseconds: Limits.settlementKeptMilliseconds)
    }
}
