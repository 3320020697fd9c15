/// A page in Prometheus' text format 0.0.4 while it is written.
struct Exposition {
    /// The media type that goes with the page.
    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    mutating func info(_ description: MetricDescription, labels: [String]) {
        head(description)
        sample(description.name, description.axes, labels, "1")
    }

    mutating func counter(_ description: MetricDescription, _ counter: Counter) {
        head(description)
        sample(description.name, [], [], decimal(counter.value, over: description.divisor))
    }

    mutating func counters(_ description: MetricDescription, _ family: Family<Counter>) {
        head(description)
        for (labels, counter) in family.members {
            sample(description.name, description.axes, labels, "\(counter.value)")
        }
    }

    mutating func gauge(_ description: MetricDescription, _ gauge: Gauge) {
        head(description)
        sample(description.name, [], [], decimal(gauge.value, over: description.divisor))
    }

    mutating func gauges(_ description: MetricDescription, _ family: Family<Gauge>) {
        head(description)
        for (labels, gauge) in family.members {
            sample(description.name, description.axes, labels, "\(gauge.value)")
        }
    }

    mutating func histogram(_ description: MetricDescription, _ histogram: Histogram) {
        head(description)
        let axis = [MetricAxis("le", [])]
        // The sum is read first and the count is the last bucket's, so that a page taken while
        // others observe never shows a count that its buckets do not have.
        let sum = decimal(histogram.sum, over: description.divisor)
        let counts = histogram.cumulativeCounts
        for (bound, count) in zip(histogram.bounds, counts) {
            let end = decimal(bound, over: description.divisor)
            sample("\(description.name)_bucket", axis, [end], "\(count)")
        }
        let all = counts.last ?? 0
        sample("\(description.name)_bucket", axis, ["+Inf"], "\(all)")
        sample("\(description.name)_sum", [], [], sum)
        sample("\(description.name)_count", [], [], "\(all)")
    }

    private mutating func head(_ description: MetricDescription) {
        text += "# HELP \(description.name) \(description.help)\n"
        text += "# TYPE \(description.name) \(description.kind.rawValue)\n"
    }

    private mutating func sample(
        _ name: String,
        _ axes: [MetricAxis],
        _ labels: [String],
        _ value: String
    ) {
        text += name
        if !axes.isEmpty {
            text += "{"
            for (index, axis) in axes.enumerated() {
                if index > 0 { text += "," }
                text += "\(axis.name)=\"\(escaped(labels[index]))\""
            }
            text += "}"
        }
        text += " \(value)\n"
    }

    private func escaped(_ value: String) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Exact, without exponent: 2500000 over 1000000000 is 0.0025.
    private func decimal(_ value: Int, over divisor: Int) -> String {
        guard divisor > 1 else { return "\(value)" }
        var text = "\(value.magnitude / UInt(divisor))"
        var rest = value.magnitude % UInt(divisor)
        var place = UInt(divisor)
        if rest > 0 { text += "." }
        while rest > 0 {
            place /= 10
            text += "\(rest / place)"
            rest %= place
        }
        return value < 0 ? "-\(text)" : text
    }
}

extension Metrics {
    /// The media type of `exposition()`.
    package static let mediaType = Exposition.mediaType
}
