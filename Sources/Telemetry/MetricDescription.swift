/// A label with all the values that it can have.
package struct MetricAxis: Sendable, Equatable {
    /// The label's name.
    package let name: String
    /// Its values; none is ever added while the daemon runs.
    package let values: [String]

    /// Names a label and its values.
    package init(_ name: String, _ values: [String]) {
        self.name = name
        self.values = values
    }
}

/// What a metric is called, what it means, and which labels it has.
package struct MetricDescription: Sendable, Equatable {
    /// How a metric behaves.
    package enum Kind: String, Sendable {
        case counter
        case gauge
        case histogram
    }

    /// Its name, with the unit last.
    package let name: String
    /// How it behaves.
    package let kind: Kind
    /// One sentence.
    package let help: String
    /// Its labels.
    package let axes: [MetricAxis]
    /// How many of what is counted make one of the unit in the name; 1,000,000,000 for nanoseconds
    /// shown as seconds.
    package let divisor: Int
    /// The buckets' bounds, for a histogram, in what is observed.
    package let bounds: [Int]

    init(
        _ name: String,
        _ kind: Kind,
        _ help: String,
        axes: [MetricAxis] = [],
        divisor: Int = 1,
        bounds: [Int] = []
    ) {
        self.name = name
        self.kind = kind
        self.help = help
        self.axes = axes
        self.divisor = divisor
        self.bounds = bounds
    }
}
