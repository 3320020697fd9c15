import FoundationEssentials

/// Times on the wire: ISO 8601 in UTC with three decimals.
enum UTCTime {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// The moment that `text` names.
    static func date(_ text: String) -> Date? {
        guard let parsed = try? style.parse(text) else { return nil }
        return rounded(parsed)
    }

    /// The text of `date`, to the nearest millisecond.
    static func text(_ date: Date) -> String {
        // A quarter of a millisecond on top, because the style cuts where a double cannot hold
        // the thousandth exactly.
        style.format(rounded(date).addingTimeInterval(0.000_25))
    }

    private static func rounded(_ date: Date) -> Date {
        Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1_000).rounded() / 1_000)
    }
}
