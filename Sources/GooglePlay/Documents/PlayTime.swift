import Entitlements

/// Times as Google writes them.
package enum PlayTime {
    /// The moment that a timestamp of RFC 3339 names, such as `2026-11-25T08:00:00.123Z`.
    ///
    /// Google writes 0, 3, 6 or 9 digits of a second (JSON mapping of protobuf's Timestamp);
    /// fractions of a millisecond are cut off. Nil if the text has another form or names a day that
    /// does not exist; a leap second counts as the second before it.
    package static func moment(_ text: String) -> Moment? {
        var rest = Array(text.utf8)[...]
        guard let year = number(4, &rest), skip("-", &rest), let month = number(2, &rest),
            skip("-", &rest), let day = number(2, &rest), skip("Tt", &rest),
            let hour = number(2, &rest), skip(":", &rest), let minute = number(2, &rest),
            skip(":", &rest), let second = number(2, &rest), let part = fraction(&rest),
            let offset = offset(&rest), rest.isEmpty
        else { return nil }
        guard year > 0, (1...12).contains(month), day > 0, day <= days(of: month, in: year),
            hour < 24, minute < 60, second < 61
        else { return nil }
        let seconds = days(before: year, month, day) * 86_400 + hour * 3_600 + minute * 60
        return Moment((seconds + min(second, 59) - offset) * 1_000 + part)
    }

    /// Milliseconds since 1970, as a number or, as Google writes 64 bits in JSON, a text of digits.
    static func milliseconds(_ text: String) -> Moment? {
        guard (1...15).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(text).map { Moment($0) }
    }

    private static func number(_ digits: Int, _ rest: inout ArraySlice<UInt8>) -> Int64? {
        guard rest.count >= digits else { return nil }
        var value: Int64 = 0
        for byte in rest.prefix(digits) {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int64(byte - 0x30)
        }
        rest = rest.dropFirst(digits)
        return value
    }

    private static func skip(_ any: StaticString, _ rest: inout ArraySlice<UInt8>) -> Bool {
        let isThere = rest.first.map { byte in any.withUTF8Buffer { $0.contains(byte) } } ?? false
        if isThere { rest = rest.dropFirst() }
        return isThere
    }

    /// The milliseconds of a fraction of 1 to 9 digits; 0 without one, nil if it is malformed.
    private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        guard skip(".", &rest) else { return 0 }
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard (1...9).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        var value: Int64 = 0
        for place in 0..<3 {
            let index = digits.startIndex + place
            value = value * 10 + (digits.indices.contains(index) ? Int64(digits[index] - 0x30) : 0)
        }
        return value
    }

    /// Seconds east of Greenwich.
    private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        if skip("Zz", &rest) { return 0 }
        let isWest = rest.first == UInt8(ascii: "-")
        guard skip("+-", &rest), let hours = number(2, &rest), skip(":", &rest),
            let minutes = number(2, &rest), hours < 24, minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (isWest ? -60 : 60)
    }

    private static func days(of month: Int64, in year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1970-01-01, in years that begin in March, so that the leap day is the last one.
    private static func days(before year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let years = month > 2 ? year : year - 1
        let months = (month + 9) % 12
        let leaps = years / 4 - years / 100 + years / 400
        return years * 365 + leaps + (months * 153 + 2) / 5 + day - 1 - 719_468
    }
}
