import Synchronization

/// A number that only grows.
///
/// Counting takes no lock and allocates nothing.
package final class Counter: Series {
    package static let kind = MetricDescription.Kind.counter
    package let description: MetricDescription
    private let count = Atomic<Int>(0)

    /// A counter at zero.
    package init(_ description: MetricDescription) { self.description = description }

    /// Counts `amount` more.
    package func increment(by amount: Int = 1) {
        precondition(amount >= 0, "a counter never falls")
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    /// Takes over a total that is counted elsewhere; one that is lower changes nothing.
    package func raise(to total: Int) {
        count.max(total, ordering: .relaxed)
    }

    /// What was counted so far.
    package var value: Int { count.load(ordering: .relaxed) }
}
