/// Credits of one source and one end; also a part of such, spent or held.
package struct Bucket: Hashable, Sendable {
    /// Where they came from: `free`, `pack:<product>`, `period:<product>`, or what an admin said.
    package let source: String
    /// Of a paid period: its number, which no other one of the account has; 0 for all others.
    package let period: UInt64
    /// Of a paid period: when it begins; `distantPast` for all others, which begin at once.
    package let from: Moment
    /// When they end; `distantFuture` for never.
    package let until: Moment
    /// How many; above 0.
    package var amount: Int64

    /// So many credits of one source and one end.
    package init(
        source: String,
        period: UInt64 = 0,
        from: Moment = .distantPast,
        until: Moment = .distantFuture,
        amount: Int64
    ) {
        self.source = source
        self.period = period
        self.from = from
        self.until = until
        self.amount = amount
    }

    /// Whether it is of a paid period.
    package var isOfPeriod: Bool { period != 0 }

    /// The source of the credits that each account gets once, when it is registered.
    package static let freeSource = "free"

    /// Whether it can be spent at `now`, unless it is owed.
    package func isOpen(at now: Moment) -> Bool { until > now && from <= now }

    /// Whether both are of one source and end, or of one period, whose end may have moved.
    func isAlike(_ other: Bucket) -> Bool {
        guard period == other.period else { return false }
        return isOfPeriod || until == other.until && source == other.source
    }
}
