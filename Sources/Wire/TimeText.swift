/// Moments as text: ISO 8601 in UTC with three decimals, by the proleptic Gregorian calendar.
///
/// Years outside 0 to 9999 are written with a sign and six digits or more, and not read.
package struct TimeText: Sendable, Equatable {
    private let year: Int64
    private let month: Int64
    private let day: Int64
    private let millisecondOfDay: Int64

    /// The text of a moment in milliseconds since 1970.
    package static func text(_ milliseconds: Int64) -> String {
        var buffer = ReplyBuffer(capacity: 64)
        TimeText(milliseconds).write(into: &buffer)
        return String(decoding: buffer.written, as: UTF8.self)
    }

    /// The moment that `text` names: `YYYY-MM-DDThh:mm:ssZ`, with 1 to 9 decimals or none, of which
    /// three count.
    ///
    /// Nil for anything else, leap seconds included.
    package static func parse(_ text: String) -> Int64? {
        var copy = text
        return copy.withUTF8 { parse(UnsafeRawBufferPointer($0)) }
    }

    /// What `parse` says, for UTF-8.
    package static func parse(_ text: UnsafeRawBufferPointer) -> Int64? {
        guard text.count >= 20, text.count <= 30, text[text.count - 1] == UInt8(ascii: "Z") else {
            return nil
        }
        guard let year = number(text, 0..<4), let month = number(text, 5..<7),
            let day = number(text, 8..<10), let hour = number(text, 11..<13),
            let minute = number(text, 14..<16), let second = number(text, 17..<19),
            text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"),
            text[16] == UInt8(ascii: ":")
        else { return nil }
        guard (1...12).contains(month), day >= 1, day <= days(inMonth: month, of: year),
            hour < 24, minute < 60, second < 60,
            let thousandths = fraction(text[19..<(text.count - 1)])
        else { return nil }
        let seconds = (hour * 60 + minute) * 60 + second
        return daysSince1970(year, month, day) * 86_400_000 + seconds * 1_000 + thousandths
    }

    /// The calendar's view of a moment in milliseconds since 1970.
    ///
    /// Days are counted from 0000-03-01, so that the leap day is the last of its year, in eras of
    /// 400 years, which are all of the same length.
    init(_ milliseconds: Int64) {
        let dayNumber = Self.floored(milliseconds, by: 86_400_000)
        let remainder = milliseconds % 86_400_000
        millisecondOfDay = remainder < 0 ? remainder + 86_400_000 : remainder
        let shifted = dayNumber + 719_468
        let era = Self.floored(shifted, by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    func write(into buffer: inout ReplyBuffer) {
        if (0...9_999).contains(year) {
            Self.write(year, digits: 4, into: &buffer)
        } else {
            buffer.append(byte: year < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
            let digits = max(6, String(year.magnitude).utf8.count)
            Self.write(Int64(year.magnitude), digits: digits, into: &buffer)
        }
        buffer.append(byte: UInt8(ascii: "-"))
        Self.write(month, digits: 2, into: &buffer)
        buffer.append(byte: UInt8(ascii: "-"))
        Self.write(day, digits: 2, into: &buffer)
        buffer.append(byte: UInt8(ascii: "T"))
        Self.write(millisecondOfDay / 3_600_000, digits: 2, into: &buffer)
        buffer.append(byte: UInt8(ascii: ":"))
        Self.write(millisecondOfDay / 60_000 % 60, digits: 2, into: &buffer)
        buffer.append(byte: UInt8(ascii: ":"))
        Self.write(millisecondOfDay / 1_000 % 60, digits: 2, into: &buffer)
        buffer.append(byte: UInt8(ascii: "."))
        Self.write(millisecondOfDay % 1_000, digits: 3, into: &buffer)
        buffer.append(byte: UInt8(ascii: "Z"))
    }

    private static func write(_ value: Int64, digits: Int, into buffer: inout ReplyBuffer) {
        var scale: Int64 = 1
        for _ in 1..<digits { scale *= 10 }
        while scale > 0 {
            let digit = UInt8(truncatingIfNeeded: value / scale % 10)
            buffer.append(byte: UInt8(ascii: "0") + digit)
            scale /= 10
        }
    }

    private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = floored(shifted, by: 400)
        let yearOfEra = shifted - era * 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func floored(_ value: Int64, by divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }

    private static func number(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int64? {
        var value: Int64 = 0
        for index in range {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        return value
    }

    /// The thousandths in `.5`, `.123456` and the like; 0 for nothing at all.
    private static func fraction(_ text: Slice<UnsafeRawBufferPointer>) -> Int64? {
        guard let first = text.first else { return 0 }
        guard first == UInt8(ascii: "."), text.count >= 2 else { return nil }
        var thousandths: Int64 = 0
        var scale: Int64 = 100
        for byte in text.dropFirst() {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            thousandths += Int64(digit) * scale
            scale /= 10
        }
        return thousandths
    }
}
