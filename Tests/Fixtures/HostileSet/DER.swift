/// Writes DER, and what only looks like it.
package enum DER {
    /// One element: tag, length, content.
    package static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag] + length(content.count) + content
    }

    /// The shortest form of a length.
    package static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        var digits: [UInt8] = []
        var rest = count
        while rest > 0 {
            digits.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [0x80 | UInt8(digits.count)] + digits
    }

    static func sequence(_ elements: [[UInt8]]) -> [UInt8] {
        element(0x30, elements.flatMap { $0 })
    }

    static func set(_ elements: [[UInt8]]) -> [UInt8] { element(0x31, elements.flatMap { $0 }) }

    /// A number whose digits may begin with anything but a sign.
    static func integer(_ digits: [UInt8]) -> [UInt8] {
        var digits = Array(digits.drop { $0 == 0 })
        if digits.isEmpty || digits[0] >= 0x80 { digits.insert(0, at: 0) }
        return element(0x02, digits)
    }

    static func octets(_ content: [UInt8]) -> [UInt8] { element(0x04, content) }

    static func bits(_ content: [UInt8], unused: UInt8 = 0) -> [UInt8] {
        element(0x03, [unused] + content)
    }

    static func text(_ text: String, tag: UInt8 = 0x0c) -> [UInt8] {
        element(tag, Array(text.utf8))
    }

    static let null: [UInt8] = [0x05, 0x00]
    static let yes: [UInt8] = [0x01, 0x01, 0xff]

    /// An object identifier, from its dotted form.
    static func oid(_ dotted: String) -> [UInt8] {
        let arcs = dotted.split(separator: ".").compactMap { UInt64($0) }
        precondition(arcs.count >= 2, "an identifier has two arcs")
        var content: [UInt8] = []
        for arc in [arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2) {
            var digits = [UInt8(arc & 0x7f)]
            var rest = arc >> 7
            while rest > 0 {
                digits.insert(UInt8(rest & 0x7f) | 0x80, at: 0)
                rest >>= 7
            }
            content += digits
        }
        return element(0x06, content)
    }

    /// A time in the form that its year asks for: UTCTime to 2049, GeneralizedTime from then on.
    static func time(_ milliseconds: Int64) -> [UInt8] {
        let text = CalendarTime(milliseconds).digits
        let year = Int(text.prefix(4)) ?? 0
        return year < 2050
            ? element(0x17, Array("\(text.dropFirst(2))Z".utf8))
            : element(0x18, Array("\(text)Z".utf8))
    }
}

/// A moment as a calendar writes it, UTC.
struct CalendarTime {
    /// YYYYMMDDhhmmss.
    let digits: String

    init(_ milliseconds: Int64) {
        let seconds = milliseconds / 1000
        let day = seconds / 86_400
        let rest = seconds % 86_400
        // Days to date as in Howard Hinnant's civil_from_days; counts from 0000-03-01.
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let civilMonth = month < 10 ? month + 3 : month - 9
        let civilYear = year + era * 400 + (civilMonth <= 2 ? 1 : 0)
        let parts: [(Int64, Int)] = [
            (civilYear, 4), (civilMonth, 2), (dayOfYear - (153 * month + 2) / 5 + 1, 2),
            (rest / 3600, 2), (rest / 60 % 60, 2), (rest % 60, 2),
        ]
        digits = parts.map { String(repeating: "0", count: $0.1 - "\($0.0)".count) + "\($0.0)" }
            .joined()
    }
}
