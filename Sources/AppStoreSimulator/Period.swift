/// The length of a subscription period or an offer, as ISO 8601 writes it: `P1W`, `P1M`, `P1Y`.
package struct Period: Hashable, Sendable, CustomStringConvertible {
    /// What is counted.
    package enum Unit: String, Sendable {
        case day = "D"
        case week = "W"
        case month = "M"
        case year = "Y"
    }

    /// How many.
    package let count: Int
    /// Of what.
    package let unit: Unit

    /// `count` times `unit`.
    package init(_ count: Int, _ unit: Unit) {
        precondition((1...1_000).contains(count), "a period lasts")
        self.count = count
        self.unit = unit
    }

    /// The period that `text` names; nil where it names none.
    package init?(_ text: String) {
        guard text.hasPrefix("P"), let last = text.last, let unit = Unit(rawValue: String(last)),
            let count = Int(text.dropFirst().dropLast()), (1...1_000).contains(count)
        else { return nil }
        self.init(count, unit)
    }

    /// Its length in days.
    ///
    /// A month has 30 and a year twelve months, so that everything shrinks by one factor.
    package var days: Int64 {
        switch unit {
        case .day: Int64(count)
        case .week: Int64(count) * 7
        case .month: Int64(count) * 30
        case .year: Int64(count) * 360
        }
    }

    /// As ISO 8601 writes it.
    package var description: String { "P\(count)\(unit.rawValue)" }
}

extension Period: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let period = Period(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "no period: \(text)"
            )
        }
        self = period
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
