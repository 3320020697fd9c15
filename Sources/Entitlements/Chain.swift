/// What an account remembers of its chain, so that its history can be entered in the middle.
///
/// Every so many entries of a chain the journal keeps the record itself beside the events: a
/// milestone. The account knows some of them: the newest, the one before which the last two stand,
/// the last four and so on, as in a Fenwick tree, and each milestone has the chain as it was then.
/// So any place of a chain of n milestones is reached from its end in log n steps.
package struct Chain: Hashable, Sendable {
    /// A milestone, and what is between it and the one behind it in `marks`.
    package struct Mark: Hashable, Sendable {
        /// Its journal position.
        package let seq: UInt64
        /// No entry from behind the next mark up to this one was judged at an earlier moment.
        package let low: Moment

        /// The milestone at `seq`.
        package init(seq: UInt64, low: Moment) {
            self.seq = seq
            self.low = low
        }
    }

    /// Entries behind the newest milestone, or all where there is none; it stays at its maximum.
    package private(set) var since: UInt16 = 0
    /// How many milestones there are.
    package private(set) var count: UInt32 = 0
    /// No entry behind the newest milestone was judged at an earlier moment; of those before the
    /// first one nothing is known.
    package private(set) var low: Moment = .distantPast
    /// Some of the milestones, newest first: as many as `count` has binary ones.
    package private(set) var marks: [Mark] = []

    /// That of a record which no entry has named.
    package init() {}

    /// A chain with these parts, as they were stored; nil where they do not go together.
    package init?(since: UInt16, count: UInt32, low: Moment, marks: [Mark]) {
        guard marks.count == count.nonzeroBitCount else { return nil }
        self.since = since
        self.count = count
        self.low = low
        self.marks = marks
    }

    /// One more entry, judged at `moment`.
    @inline(__always)
    mutating func step(at moment: Moment) {
        if since < .max { since += 1 }
        if count > 0, moment < low { low = moment }
    }

    /// The entry at `seq`, the last one, is a milestone from now on.
    package mutating func mark(at seq: UInt64) {
        count += 1
        var lowest = low
        for earlier in marks.prefix(count.trailingZeroBitCount) {
            lowest = min(lowest, earlier.low)
        }
        marks.removeFirst(count.trailingZeroBitCount)
        marks.insert(Mark(seq: seq, low: lowest), at: 0)
        since = 0
        low = .distantFuture
    }
}
