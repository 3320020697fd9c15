/// A page in Prometheus' text format 0.0.4 while it is written.
package struct Exposition {
    /// The media type that goes with the page.
    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    mutating func head(_ description: MetricDescription) {
        text += "# HELP \(description.name) \(description.help)\n"
        text += "# TYPE \(description.name) \(description.kind.rawValue)\n"
    }

    mutating func sample(
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
    static func decimal(_ value: Int, over divisor: Int) -> String {
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
