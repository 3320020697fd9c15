// Entitlements is the core: what stores say, what commands decide, what a user may do.
//
// In reading order:
//   Fact          what a store stated and signed about one purchase
//   Subscription  all facts about one purchase, merged; Era and Standing say what it is worth
//   Policy        what products mean: plans, ranks, credits, retry rules
//   Account       everything that is kept about one user; its front is the Answer
//   Decision      the answer to canRender: Answer.decision(ofCost:at:under:)
//   Purse         a user's credits: buckets, holds, debt
//   Command       below: what asks for a change; one file Command+… for each kind
//   Event         what was decided to happen; a Ruling is an outcome and events
//   Desk          the records that are loaded while a command is decided; absorb changes them
//   Storefront    a store, as all other rooms see it: bytes in, facts or a refusal out
//
// Its laws:
//   1. Everything is a function of its arguments; time and policy are arguments.
//   2. Facts merge like a set: any order, any duplicates, the same result.
//   3. A command is decided once. Absorbing an event decides nothing, so a replay gives the same.
//   4. A stored record does not depend on the catalog; what it means is looked up when it is read.
//
// It never imports another room, asks for the time, waits, throws or touches a file or a socket.

/// What asks for a change, with its moment and its place in the journal.
///
/// Decided once.
package struct Command: Hashable, Sendable {
    /// The journal position that it will have if it changes anything.
    package let seq: UInt64
    /// When the writer took it up; never falls from one command to the next.
    ///
    /// It says which of two commands came first, and nothing else.
    package let at: Moment
    /// The moment that it is judged at: what the clock said, also where that is before `at`.
    ///
    /// Readers judge by the clock, so a question and a command agree, whatever `at` has been.
    package let now: Moment
    /// What is asked.
    package let kind: Kind
    /// Who asks; nil where a store, time or the daemon itself does.
    ///
    /// Nothing is decided by it.
    package let author: Author?

    /// The command `kind`, stamped; judged at `at` unless `now` is another moment.
    package init(
        seq: UInt64,
        at: Moment,
        now: Moment? = nil,
        kind: Kind,
        by author: Author? = nil
    ) {
        self.seq = seq
        self.at = at
        self.now = now ?? at
        self.kind = kind
        self.author = author
    }

    /// What can be asked.
    ///
    /// Indirect: it is handed on many times, and to copy it is to retain one thing.
    package indirect enum Kind: Hashable, Sendable {
        /// `registerAccount`.
        case register(Registration)
        /// A notification of a storefront.
        case record(Notification)
        /// `verifyPurchase`: a purchase is this user's.
        case link(Purchase)
        /// `restorePurchases`.
        case restore(Restoration)
        /// Facts that a store answered with.
        case learn([Fact])
        /// `grantEntitlement`.
        case grant(GrantOrder)
        /// `revokeGrant`.
        case revokeGrant(GrantRevocation)
        /// `mergeAccounts`.
        case merge(MergeOrder)
        /// `movePurchase`.
        case move(PurchaseMove)
        /// `grantCredits`, `adjustCredits`.
        case credit(CreditOrder)
        /// `consumeCredit`.
        case charge(Charge)
        /// `reserveCredits`.
        case reserve(ReservationOrder)
        /// `commitReservation`, `releaseReservation`, a connection that ended.
        case endReservation(ReservationEnd)
        /// `reverseCredits`.
        case reverse(Reversal)
        /// Moments have passed.
        case tick(Tick)
        /// A catalog came into force.
        case install(CatalogStamp)
        /// `load`.
        case load([LoadedRow])
        /// `eraseUser`.
        case erase(ErasureOrder)
    }
}

/// An account is to exist, with this token.
package struct Registration: Hashable, Sendable {
    /// Whose.
    package let user: UserID
    /// The token named by the caller or derived from the user.
    package let token: Token
    /// The app transaction that the caller shows; nil for none.
    package let shown: AppTransaction?
    /// Whether the token follows from the user id: it was nobody else's by itself, whoever was
    /// erased with it.
    package let hasOwnToken: Bool
    /// What stands for the account id that the app gives a store, where that is another token; it
    /// is claimed where it can be.
    package let accountID: Token?

    /// The registration of `user` with `token`.
    package init(
        user: UserID,
        token: Token,
        showing shown: AppTransaction? = nil,
        hasOwnToken: Bool = false,
        accountID: Token? = nil
    ) {
        self.hasOwnToken = hasOwnToken
        self.accountID = accountID == token ? nil : accountID
        self.user = user
        self.token = token
        self.shown = shown
    }
}

/// When a notification was here first.
package struct Sighting: Hashable, Sendable {
    /// The journal position.
    package let seq: UInt64
    /// Its moment.
    package let at: Moment
    /// Whether the store has still to be asked what it is about; the entry at `seq` says under
    /// which hint.
    package var isAwaiting = false

    /// What was journalled at `seq`.
    package init(seq: UInt64, at: Moment, isAwaiting: Bool = false) {
        self.seq = seq
        self.at = at
        self.isAwaiting = isAwaiting
    }

    /// The same, as it is carried to another ledger: the entry stays behind.
    package var apart: Sighting { Sighting(seq: seq, at: at) }

    /// Whether the notification is known again at `moment`.
    package func isKept(at moment: Moment) -> Bool {
        moment < at.advanced(byMilliseconds: Limits.notificationKeptMilliseconds)
    }
}

/// A purchase document, shown by an app server for a user.
package struct Purchase: Hashable, Sendable {
    /// For whom.
    package let user: UserID
    /// What the documents state.
    package internal(set) var facts: [Fact]
    /// Tokens that the caller names as the user's, among them the derived one.
    package let claimed: [Token]
    /// Whether it is a receipt: what one Apple account bought, for whomever of the app's users.
    ///
    /// Of a receipt the user gets what may be theirs; anything else is linked whole or not at all.
    package let isReceipt: Bool

    /// The purchase that `facts` state, shown for `user`.
    package init(user: UserID, facts: [Fact], claimed: [Token], isReceipt: Bool = false) {
        self.user = user
        self.facts = facts
        self.claimed = claimed
        self.isReceipt = isReceipt
    }
}

/// An admin gives access.
package struct GrantOrder: Hashable, Sendable {
    /// To whom.
    package let user: UserID
    /// A plan of the catalog.
    package let plan: String
    /// The caller's idempotency key.
    package let key: IdempotencyKey
    /// Of the method and its parameters.
    package let fingerprint: Digest128
    /// When it begins; nil for now.
    package let from: Moment?
    /// When it ends; nil for never.
    package let until: Moment?
    /// The store named in it.
    package let store: Store?
    /// Why, for the history.
    package let reason: String

    /// An order with these parts.
    package init(
        user: UserID,
        plan: String,
        key: IdempotencyKey,
        fingerprint: Digest256,
        from: Moment?,
        until: Moment?,
        store: Store?,
        reason: String
    ) {
        self.user = user
        self.plan = plan
        self.key = key
        self.fingerprint = Digest128(fingerprint)
        self.from = from
        self.until = until
        self.store = store
        self.reason = reason
    }
}

/// An admin takes a grant back.
package struct GrantRevocation: Hashable, Sendable {
    /// From whom.
    package let user: UserID
    /// Which one.
    package let grant: UInt64
    /// Why, for the history.
    package let reason: String

    /// The revocation of `grant` of `user`.
    package init(user: UserID, grant: UInt64, reason: String) {
        self.user = user
        self.grant = grant
        self.reason = reason
    }
}
