/// A point in time: milliseconds since 1970-01-01T00:00:00Z, as storefronts sign them.
@frozen
package struct Moment: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970, UTC.
    package let milliseconds: Int64

    /// The moment so many milliseconds after 1970.
    @inlinable
    package init(_ milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Before everything that a storefront signs.
    @inlinable package static var distantPast: Moment { Moment(.min) }
    /// After everything that a storefront signs; an end that never comes.
    @inlinable package static var distantFuture: Moment { Moment(.max) }

    /// The moment `milliseconds` later; stays at the ends of time instead of overflowing.
    @inlinable
    package func advanced(byMilliseconds milliseconds: Int64) -> Moment {
        let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
        guard overflow else { return Moment(sum) }
        return milliseconds > 0 ? .distantFuture : .distantPast
    }

    /// How many milliseconds it is behind `other`; the most there are where that is more.
    package func milliseconds(since other: Moment) -> Int64 {
        let (difference, overflow) = milliseconds.subtractingReportingOverflow(other.milliseconds)
        guard overflow else { return difference }
        return self < other ? .min : .max
    }

    @inlinable
    package static func < (left: Moment, right: Moment) -> Bool {
        left.milliseconds < right.milliseconds
    }
}
