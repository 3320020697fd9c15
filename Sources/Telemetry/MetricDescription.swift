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
package final class MetricDescription: Sendable {
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

    init(
        _ name: String,
        _ kind: Kind,
        _ help: String,
        axes: [MetricAxis] = [],
        divisor: Int = 1
    ) {
        self.name = name
        self.kind = kind
        self.help = help
        self.axes = axes
        self.divisor = divisor
    }
}

/// A metric: what it is called, and its series.
package protocol Metric: Sendable {
    var description: MetricDescription { get }

    /// Writes its samples.
    func write(to page: inout Exposition)
}

/// A metric that is one number, or one series of several.
package protocol Series: Metric {
    static var kind: MetricDescription.Kind { get }
    var value: Int { get }

    init(_ description: MetricDescription)
}

extension Series {
    /// The metric of this name; `divisor` as of `MetricDescription`.
    package init(_ name: String, _ help: String, divisor: Int = 1) {
        self.init(MetricDescription(name, Self.kind, help, divisor: divisor))
    }

    package func write(to page: inout Exposition) {
        let number = Exposition.decimal(value, over: description.divisor)
        page.sample(description.name, [], [], number)
    }
}
