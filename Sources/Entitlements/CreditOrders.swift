/// Credits are given or, by an adjustment, taken.
package struct CreditOrder: Hashable, Sendable {
    /// To whom.
    package let user: UserID
    /// How many; below 0 takes, and stops at 0.
    package let amount: Int64
    /// The caller's idempotency key.
    package let key: IdempotencyKey
    /// Of the method and its parameters.
    package let fingerprint: Digest128
    /// When they end; nil for never.
    package let until: Moment?
    /// Where they come from.
    package let source: String
    /// Why, for the history.
    package let reason: String
    /// `adjustCredits`, not `grantCredits`: for the history.
    package let isAdjustment: Bool

    /// An order with these parts.
    package init(
        user: UserID,
        amount: Int64,
        key: IdempotencyKey,
        fingerprint: Digest256,
        until: Moment?,
        source: String,
        reason: String,
        isAdjustment: Bool
    ) {
        self.user = user
        self.amount = amount
        self.key = key
        self.fingerprint = Digest128(fingerprint)
        self.until = until
        self.source = source
        self.reason = reason
        self.isAdjustment = isAdjustment
    }
}

/// Credits are spent.
package struct Charge: Hashable, Sendable {
    /// Whose.
    package let user: UserID
    /// How many.
    package let amount: Int64
    /// The caller's idempotency key.
    package let key: IdempotencyKey
    /// Of the method and its parameters.
    package let fingerprint: Digest128

    /// The charge of `amount` credits.
    package init(user: UserID, amount: Int64, key: IdempotencyKey, fingerprint: Digest256) {
        self.user = user
        self.amount = amount
        self.key = key
        self.fingerprint = Digest128(fingerprint)
    }
}

/// Credits are set aside for a while.
package struct ReservationOrder: Hashable, Sendable {
    /// Whose, how many, under which key.
    package let charge: Charge
    /// How long they are held.
    package let milliseconds: Int64
    /// Who keeps the connection with whose end they return; nil where none does.
    package let lease: LeaseHolder?
    /// The id that the reservation will have: drawn before, so that the decision is a function of
    /// its command.
    package let id: UInt64

    /// The order to hold what `charge` names, under `id` (`Reservation.id`).
    package init(
        charge: Charge,
        milliseconds: Int64,
        isLease: Bool,
        by holder: LeaseHolder = .here,
        id: UInt64
    ) {
        self.charge = charge
        self.milliseconds = milliseconds
        lease = isLease ? holder : nil
        self.id = id
    }
}

/// A reservation is to end.
package struct ReservationEnd: Hashable, Sendable {
    /// Which one.
    package let id: UInt64
    /// How; `.expired` is never asked for.
    package let kind: Reservation.Ending.Kind
    /// For a commit: how many of the held credits are spent; nil for all.
    package let amount: Int64?

    /// The end of the reservation `id`.
    package init(id: UInt64, kind: Reservation.Ending.Kind, amount: Int64? = nil) {
        self.id = id
        self.kind = kind
        self.amount = amount
    }
}

/// A charge is to be put back.
package struct Reversal: Hashable, Sendable {
    /// Whose.
    package let user: UserID
    /// The caller's idempotency key.
    package let key: IdempotencyKey
    /// Of the method and its parameters.
    package let fingerprint: Digest128
    /// The key of the charge.
    package let charge: IdempotencyKey

    /// The reversal of the charge under `charge`.
    package init(
        user: UserID,
        key: IdempotencyKey,
        fingerprint: Digest256,
        charge: IdempotencyKey
    ) {
        self.user = user
        self.key = key
        self.fingerprint = Digest128(fingerprint)
        self.charge = charge
    }
}
