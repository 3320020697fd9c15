import Synchronization

/// How observations spread over fixed buckets.
///
/// Observing takes no lock and allocates nothing.
package final class Histogram: Metric {
    package let description: MetricDescription
    /// The upper ends of the buckets, rising, in the unit that is observed; one more bucket
    /// takes whatever is above.
    package let bounds: [Int]

    private let buckets: [Counter]
    private let total = Atomic<Int>(0)

    /// An empty histogram; `divisor` as of `MetricDescription`.
    init(_ name: String, _ help: String, divisor: Int = 1, bounds: [Int]) {
        precondition(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "bounds rise")
        let description = MetricDescription(name, .histogram, help, divisor: divisor)
        self.description = description
        self.bounds = bounds
        buckets = (0...bounds.count).map { _ in Counter(description) }
    }

    /// Counts one observation.
    package func observe(_ value: Int) {
        var index = 0
        while index < bounds.count, value > bounds[index] { index += 1 }
        buckets[index].increment()
        total.wrappingAdd(value, ordering: .relaxed)
    }

    /// Counts how many nanoseconds something took.
    package func observe(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        observe(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
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

    package func write(to page: inout Exposition) {
        let (name, divisor) = (description.name, description.divisor)
        let axis = [MetricAxis("le", [])]
        // The sum is read first and the count is the last bucket's, so that a page taken while
        // others observe never shows a count that its buckets do not have.
        let sum = Exposition.decimal(self.sum, over: divisor)
        let counts = cumulativeCounts
        for (bound, count) in zip(bounds, counts) {
            let end = Exposition.decimal(bound, over: divisor)
            page.sample("\(name)_bucket", axis, [end], "\(count)")
        }
        let all = counts.last ?? 0
        page.sample("\(name)_bucket", axis, ["+Inf"], "\(all)")
        page.sample("\(name)_sum", [], [], sum)
        page.sample("\(name)_count", [], [], "\(all)")
    }
}
