/// The answer to a command.
package enum Outcome: Hashable, Sendable {
    /// The account exists, with this token.
    case registered(token: Token, created: Bool, credits: Int64)
    /// The token is another user's.
    case tokenTaken
    /// The user has as many tokens as an account can hold.
    case tokensFull
    /// What became of a notification.
    case recorded(Reception)
    /// A notification about an erased person's purchase, of which the store must be asked first: it
    /// is not kept, since its entry would name the purchase, and should come again.
    case unkept
    /// The purchase is the user's; whether that, or a document in it, was news.
    case linked(applied: Bool)
    /// What became of each subscription, in order of appearance.
    case restored([RestoredSubscription])
    /// Whether something that the store answered was news.
    case learned(applied: Bool)
    /// A purchase cannot be the user's.
    case conflict(OwnershipConflict)
    /// The grant exists; `replayed` when it did before.
    case granted(id: UInt64, replayed: Bool)
    /// The key was used with other arguments.
    case keyReused
    /// No such plan in the catalog.
    case planUnknown
    /// More grants than an account can hold.
    case grantsFull
    /// The grant is gone.
    case grantRevoked
    /// No such grant.
    case grantUnknown
    /// What the account had is the other's; by the entry at `seq`.
    case merged(seq: UInt64, replayed: Bool)
    /// The purchase is the user's.
    case moved
    /// No such purchase.
    case purchaseUnknown
    /// It was noted that moments have passed.
    case ticked
    /// The catalog is in force.
    case installed
    /// So many rows are as they were to be.
    case loaded(count: Int)
    /// Whether there was somebody to forget, and what else they were called: the ids of accounts
    /// that went into theirs.
    case erased(Bool, formers: [UserID] = [])
    /// The row at this place of the list is here with other content.
    case loadRefused(index: Int)
    /// Credits came in, or were taken; `replay` is the first answer where there was one.
    case credited(remaining: Int64, replay: Settlement?)
    /// What became of a charge.
    case charged(ChargeResult, remaining: Int64, replay: Settlement?)
    /// What became of a reservation's order, and its id.
    case reserved(ReserveResult, UInt64?, remaining: Int64, replay: Settlement?)
    /// The reservation has ended so.
    case holdEnded(Reservation.Ending.Kind, remaining: Int64)
    /// No such reservation.
    case holdUnknown
    /// Less is held than was to be spent.
    case holdSmaller(amount: Int64)
    /// Whether there was something to put back.
    case reversed(Bool, remaining: Int64, replay: Settlement?)
    /// No such charge.
    case chargeUnknown
    /// The id that was drawn for a reservation is another one's.
    case idTaken
    /// More buckets or holds than a purse can have.
    case purseFull
}
