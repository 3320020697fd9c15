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

    /// Whether nobody asks for it after `moment`: packs are remembered for ever, and so are
    /// refunded periods, because a refund that is reversed late gives no second credits.
    package func isOver(at moment: Moment) -> Bool {
        takenBack == nil && endedLong(before: moment)
    }

    /// Whether it is a period that ended 60 days before `moment`.
    package func endedLong(before moment: Moment) -> Bool {
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
