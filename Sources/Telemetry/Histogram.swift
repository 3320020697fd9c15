import Synchronization

/// How observations spread over fixed buckets.
///
/// Observing takes no lock and allocates nothing.
package final class Histogram: Sendable {
    /// The upper ends of the buckets, rising, in the unit that is observed; one more bucket
    /// takes whatever is above.
    package let bounds: [Int]

    private let buckets: [Counter]
    private let total = Atomic<Int>(0)

    /// An empty histogram.
    package init(bounds: [Int]) {
        precondition(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "bounds rise")
        self.bounds = bounds
        buckets = (0...bounds.count).map { _ in Counter() }
    }

    /// Counts one observation.
    package func observe(_ value: Int) {
        var index = 0
        while index < bounds.count, value > bounds[index] { index += 1 }
        buckets[index].increment()
        total.wrappingAdd(value, ordering: .relaxed)
    }

    /// The sum of all observations.
    package var sum: Int { total.load(ordering: .relaxed) }

    /// How many observations were at most each bound, and in the end all of them.
    package var cumulativeCounts: [Int] {
        var count = 0
        return buckets.map {
            count += $0.value
            return count
        }
    }
}
