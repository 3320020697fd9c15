import Synchronization

/// A number that rises and falls.
///
/// Setting it takes no lock and allocates nothing.
package final class Gauge: Series {
    package static let kind = MetricDescription.Kind.gauge
    package let description: MetricDescription
    private let level = Atomic<Int>(0)

    /// A gauge at zero.
    package init(_ description: MetricDescription) { self.description = description }

    /// Puts the gauge at `value`.
    package func set(_ value: Int) {
        level.store(value, ordering: .relaxed)
    }

    /// Moves the gauge by `amount`, which may be negative.
    package func add(_ amount: Int) {
        level.wrappingAdd(amount, ordering: .relaxed)
    }

    /// Where the gauge is.
    package var value: Int { level.load(ordering: .relaxed) }
}
