import Entitlements

/// Moments as scenarios write them: `2026-03-01`, `2026-03-01T10:00Z`.
///
/// With seconds and thousandths where they are not zero; always UTC.
package enum ScenarioTime {
    /// The moment that `text` names, or nil.
    package static func moment(_ text: String) -> Moment? {
        var rest = Substring(text)
        if rest.last == "Z" { rest.removeLast() }
        let halves = rest.split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count <= 2 else { return nil }
        let date = numbers(halves[0], separator: "-")
        guard date.count == 3, (1...12).contains(date[1]), (1...31).contains(date[2]) else {
            return nil
        }
        var milliseconds = days(year: date[0], month: date[1], day: date[2]) * 86_400_000
        guard halves.count == 2 else { return Moment(milliseconds) }
        let parts = halves[1].split(separator: ".", omittingEmptySubsequences: false)
        let clock = numbers(parts[0], separator: ":")
        guard (2...3).contains(clock.count), clock[0] < 24, clock[1] < 60 else { return nil }
        milliseconds += (clock[0] * 60 + clock[1]) * 60_000
        if clock.count == 3 { milliseconds += clock[2] * 1000 }
        if parts.count == 2 {
            guard parts[1].count == 3, let thousandths = Int64(parts[1]) else { return nil }
            milliseconds += thousandths
        }
        return Moment(milliseconds)
    }

    /// How a scenario writes `moment`: no more than is needed.
    package static func text(_ moment: Moment) -> String {
        let full = wireText(moment)
        let head = full.dropLast(8)
        let tail = full.suffix(8)
        if tail == ":00.000Z" { return head + "Z" }
        if tail.hasSuffix(".000Z") { return head + tail.prefix(3) + "Z" }
        return full
    }

    /// How the wire writes `moment`: ISO 8601 in UTC with three decimals.
    package static func wireText(_ moment: Moment) -> String {
        let day = moment.milliseconds.floorDivided(by: 86_400_000)
        let rest = moment.milliseconds - day * 86_400_000
        let (year, month, dayOfMonth) = date(ofDay: day)
        let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60]
            .map { padded($0, 2) }.joined(separator: ":")
        let thousandths = padded(rest % 1000, 3)
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
        return "\(date)T\(clock).\(thousandths)Z"
    }

    private static func numbers(_ text: Substring, separator: Character) -> [Int64] {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(part) : nil
        }
        return numbers.count == parts.count ? numbers : []
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Days since 1970 of a date in the Gregorian calendar; March begins the year.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.floorDivided(by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let leaps = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leaps) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * march + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
