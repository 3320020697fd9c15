/// What was decided to happen.
///
/// The journal keeps it; every view is rebuilt by absorbing it. Indirect, because some hold whole
/// facts, and all are handed on more often than they are read.
package indirect enum Event: Hashable, Sendable {
    /// A user is named for the first time.
    case accountOpened(UserID)
    /// `registerAccount` was called for the first time, and gave so many free credits.
    case registered(UserID, freeCredits: Int64)
    /// A user was registered whose free credits come with the first app transaction shown.
    case appTransactionAwaited(UserID)
    /// An app transaction was shown for a user, and gave so many free credits; it gives no more.
    case appTransactionUsed(AppTransactionMark, UserID, freeCredits: Int64)
    /// A token is this user's from now on.
    case tokenClaimed(Token, UserID)
    /// A fact was taken in.
    case merged(Fact)
    /// A command linked a subscription to a user, as of a moment; older journals do not say which.
    case linked(SubscriptionKey, UserID, at: Moment? = nil)
    /// A purchase goes on under another original id.
    case succeeded(SubscriptionKey, by: SubscriptionKey)
    /// A purchase is for a number of days, which the catalog names.
    case dated(SubscriptionKey)
    /// A subscription may be used by a user beside its owner.
    case shared(SubscriptionKey, UserID)
    /// An admin gave access to a plan.
    case granted(UserID, plan: String, Grant)
    /// An admin took a grant back.
    case grantRevoked(UserID, UInt64)
    /// A keyed command got its first answer.
    case settled(IdempotencyKey, Settlement)
    /// A notification was here.
    case noticed(NotificationID)
    /// A notification was here of which the store is to be asked; its answer is `noticed`.
    case announced(NotificationID, StoreAnnouncement)
    /// Credits came in.
    case credited(UserID, Bucket)
    /// Credits were spent, or taken by an admin, from these parts.
    case spent(UserID, [Bucket])
    /// Credits were set aside.
    case held(UserID, Hold, lease: LeaseHolder?)
    /// A hold ended; what was not spent went back.
    case holdEnded(UserID, UInt64, Reservation.Ending, returned: [Bucket])
    /// A charge was put back into the parts that it came from.
    case reversed(IdempotencyKey, [Bucket])
    /// A credit pack credited a user.
    case packCredited(PackKey, Pack)
    /// A credit pack was refunded: what was taken back, and what is owed; again where a charge was
    /// put back that the refund had forgiven.
    case packRefunded(PackKey, UserID, [Bucket], owed: Int64)
    /// A credit pack was refunded in part, or more of it than before: what was taken back now, what
    /// is owed for it, and of how many of its credits there was a refund, all in all.
    case packPartRefunded(PackKey, UserID, [Bucket], owed: Int64, of: Int64)
    /// The end of a paid period that gave credits has moved.
    case periodMoved(PackKey, UserID, PeriodMove)
    /// These parts paid what was owed: of periods that have begun, which are `spent` next, or of
    /// what did not come back therefore.
    case debtPaid(UserID, [Bucket])
    /// So many credits of a refunded pack were spent, and are neither taken back nor owed.
    case refundForgiven(UserID, Forgiveness)
    /// Moments have passed; nothing changes but what is true.
    case passed(Tick)
    /// A catalog came into force.
    case catalogInstalled(CatalogStamp)
    /// An admin loaded a row of another ledger's dump.
    case loaded(LoadedRow)
    /// An account went into another.
    case accountsMerged(Merge)
    /// A person was forgotten.
    case erased(Erasure)
}

/// What became of a charge; the raw value is `outcome` in proto/openrpc.json.
package enum ChargeResult: String, Hashable, Sendable {
    case consumed
    case insufficient
    case unlimited
}

/// What became of a reservation's order; the raw value is `outcome` in proto/openrpc.json.
package enum ReserveResult: String, Hashable, Sendable {
    case reserved
    case insufficient
    case unlimited
    case released
}

/// What became of a notification (docs/app-store-connect.md, "What the webhook answers").
package enum Reception: String, Hashable, Sendable {
    /// At least one document in it was newer than what is kept.
    case applied
    /// New, but nothing newer in it.
    case stale
    /// It was here before.
    case duplicate
    /// Genuine, but no transaction in it.
    case ignored
    /// Genuine, and the store has still to be asked what it is about.
    case accepted
}
