/// What makes a repeated command the same one.
package struct IdempotencyKey: Hashable, Sendable {
    /// The scope.
    package let user: UserID
    /// Of the caller's key.
    package let digest: Digest128
    /// Of both, with the process's own seed: a command looks for its key several times.
    private let hash: Int

    /// The key with this digest, of this user.
    package init(user: UserID, digest: Digest128) {
        self.user = user
        self.digest = digest
        var hasher = Hasher()
        hasher.combine(user)
        hasher.combine(digest)
        hash = hasher.finalize()
    }

    /// The key whose name has this SHA-256.
    package init(user: UserID, digest: Digest256) {
        self.init(user: user, digest: Digest128(digest))
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    // As with `UserID`.
    package func _rawHashValue(seed: Int) -> Int { hash ^ seed }
}

/// The first answer under an idempotency key.
package struct Settlement: Hashable, Sendable {
    /// Of the method and its parameters.
    package let fingerprint: Digest128
    /// Where the journal keeps it; for a reservation, its id.
    package let seq: UInt64
    /// When it was given: which of two came first.
    package let at: Moment
    /// What the clock said then; its age counts from here.
    package let now: Moment
    /// What was answered.
    package internal(set) var answer: Answer

    /// What was answered.
    package enum Answer: Hashable, Sendable {
        /// A grant of access; its id is the position.
        case granted
        /// An account went into the user's, by the entry at the position.
        case merged
        /// Credits were granted or adjusted; this many remained.
        case credited(remaining: Int64)
        /// Credits were spent, taken from these parts; put back since, or not.
        case consumed(remaining: Int64, parts: [Bucket], isReversed: Bool)
        /// There were too few credits.
        case insufficient(remaining: Int64)
        /// Credits were set aside; `seq` is the reservation's id.
        case reserved(remaining: Int64)
        /// A charge was put back.
        case reversed(remaining: Int64)
        /// There was nothing to put back.
        case nothingReversed(remaining: Int64)
    }

    /// The settlement at `seq` of the command with this fingerprint.
    package init(
        fingerprint: Digest128,
        seq: UInt64,
        at: Moment,
        now: Moment? = nil,
        answer: Answer = .granted
    ) {
        self.fingerprint = fingerprint
        self.seq = seq
        self.at = at
        self.now = now ?? at
        self.answer = answer
    }

    /// Whether it answers a repetition at `moment`.
    package func isKept(at moment: Moment) -> Bool {
        moment < now.advanced(byMilliseconds: Limits.settlementKeptMilliseconds)
    }
}

/// A first answer that is kept with the account of its user.
package struct FirstAnswer: Hashable, Sendable {
    /// Of the caller's key.
    package let key: Digest128
    /// What was answered.
    package internal(set) var settlement: Settlement

    /// The first answer under the key with this digest.
    package init(key: Digest128, settlement: Settlement) {
        self.key = key
        self.settlement = settlement
    }
}

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

/// A transaction of a credit pack, known by its environment and id.
package struct PackKey: Hashable, Comparable, Sendable {
    /// Who sold it.
    package let store: Store
    /// Where it was sold.
    package let environment: StoreEnvironment
    /// The transaction's id.
    package let transactionID: String

    /// The pack of this transaction.
    package init(store: Store, environment: StoreEnvironment, transactionID: String) {
        self.store = store
        self.environment = environment
        self.transactionID = transactionID
    }

    package static func < (left: PackKey, right: PackKey) -> Bool {
        (left.store, left.environment, left.transactionID)
            < (right.store, right.environment, right.transactionID)
    }
}

/// What a credit pack has done: credited once, whatever the number of notifications.
package struct Pack: Hashable, Sendable {
    /// Who got the credits, under the name that they had then.
    package internal(set) var user: UserID
    /// What was bought, as the source of its bucket.
    package let source: String
    /// How many credits; quantity included.
    package let amount: Int64
    /// Of a paid period or a trial: its number, which no other of the account has; 0 for a pack.
    package let period: UInt64
    /// Of a paid period: when it begins; `distantPast` for a pack.
    package let from: Moment
    /// Of a paid period: when it ends; `distantFuture` for a pack.
    package internal(set) var until: Moment
    /// Refunded; so many credits were taken back or are owed.
    package internal(set) var takenBack: Int64?
    /// Refunded in part: of so many credits; nil where it is of all or none.
    package internal(set) var refundedPart: Int64?

    /// A pack that credited `user`.
    package init(
        user: UserID,
        source: String,
        amount: Int64,
        period: UInt64 = 0,
        from: Moment = .distantPast,
        until: Moment = .distantFuture,
        takenBack: Int64? = nil,
        refundedPart: Int64? = nil
    ) {
        self.period = period
        self.from = from
        self.until = until
        self.user = user
        self.source = source
        self.amount = amount
        self.takenBack = takenBack
        self.refundedPart = refundedPart
    }

    /// What the source of a paid period's credits begins with.
    static let periodSource = "period:"
    /// What the source of a free trial's credits begins with.
    static let trialSource = "trial:"

    /// Whether it is a paid period, or a free trial.
    package var isPeriod: Bool { period != 0 }

    /// Whether it is a free trial.
    var isOfTrial: Bool { source.hasPrefix(Self.trialSource) }

    /// All of it, as it was given.
    var bucket: Bucket {
        Bucket(source: source, period: period, from: from, until: until, amount: amount)
    }

    /// Whether nobody asks for it after `moment`: packs are remembered for ever.
    package func isOver(at moment: Moment) -> Bool {
        isPeriod && until.advanced(byMilliseconds: Limits.periodKeptMilliseconds) <= moment
    }

    /// How many of its credits were refunded, spent or not.
    package var refunded: Int64 { takenBack == nil ? 0 : refundedPart ?? amount }

    /// How many of its credits a refund of this share is of, where so many packs were bought at
    /// once.
    ///
    /// A share that is some of the packs, as exactly as the store can write it, is those: 33,333 of
    /// three packs is one. Any other is rounded for the customer.
    func amount(ofShare share: Int64, of quantity: Int64) -> Int64 {
        if let count = Self.items(ofShare: share, of: quantity) { return amount / quantity * count }
        let whole = TransactionFact.wholeShare
        return amount / whole * share + amount % whole * share / whole
    }

    /// How many of `quantity` items a share is; nil where it is no whole number of them.
    ///
    /// A store writes a share in thousandths of a percent, rounded either way, so that what it
    /// means is less than one of those away.
    static func items(ofShare share: Int64, of quantity: Int64) -> Int64? {
        let whole = TransactionFact.wholeShare
        let count = (share * quantity + whole / 2) / whole
        return abs(count * whole - share * quantity) < quantity ? count : nil
    }
}
