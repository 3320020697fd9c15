/// The dates of receipts: RFC 3339 in UTC, `2024-02-23T17:27:16Z`.
enum ReceiptDate {
    /// The date in ms since 1970, from 1970 to the end of the year 9999.
    ///
    /// A fraction of a second is read to the millisecond, as Xcode writes one.
    static func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard (20...30).contains(bytes.count), bytes.last == UInt8(ascii: "Z") else { return nil }
        for (place, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")] {
            guard [bytes[place]] == Array(mark.utf8) else { return nil }
        }
        guard let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
            let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            let fraction = fraction(bytes[19..<(bytes.count - 1)])
        else { return nil }
        guard year >= 1970, (1...12).contains(month), day >= 1,
            day <= Self.days(of: month, in: year), hour < 24, minute < 60, second < 60
        else { return nil }
        let clock = (hour * 60 + minute) * 60 + second
        return (daysBefore(year: year, month: month, day: day) * 86_400 + clock) * 1000 + fraction
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var number: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return number
    }

    /// The milliseconds of an empty text, or of a point and one to nine digits.
    private static func fraction(_ text: ArraySlice<UInt8>) -> Int64? {
        guard let point = text.first else { return 0 }
        let digits = text.dropFirst()
        guard point == UInt8(ascii: "."), (1...9).contains(digits.count),
            number(digits) != nil
        else { return nil }
        let padding = [UInt8](repeating: UInt8(ascii: "0"), count: 3)
        return number((digits + padding).prefix(3))
    }

    private static func days(of month: Int64, in year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func isLeap(_ year: Int64) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// Days from 1970-01-01, as in Howard Hinnant's days_from_civil; years begin in March.
    private static func daysBefore(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
