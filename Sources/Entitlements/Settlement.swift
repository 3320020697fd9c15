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
