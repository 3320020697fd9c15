/// One line of the log, with every text from outside made harmless.
struct LogLine {
    let milliseconds: Int
    let level: String
    let message: String
    let fields: [(String, String)]

    /// `{"ts":…,"level":…,"msg":…,…}` and a line end.
    var json: String {
        var line = "{\"ts\":\"\(timestamp)\",\"level\":\"\(level)\",\"msg\":\(quoted(message))"
        for (key, value) in fields.prefix(TelemetryLimits.logFieldsMax) {
            // The three names in front are taken.
            let name = ["ts", "level", "msg"].contains(key) ? "_\(key)" : key
            line += ",\(quoted(name)):\(quoted(value))"
        }
        return line + "}\n"
    }

    /// `2026-02-15T10:00:00.000Z info    message key=value …` and a line end.
    var text: String {
        let padding = String(repeating: " ", count: max(0, 8 - level.utf8.count))
        var line = "\(timestamp) \(level)\(padding) \(LogLine.harmless(message))"
        for (key, value) in fields.prefix(TelemetryLimits.logFieldsMax) {
            let isBare = !value.isEmpty && !value.contains { " \"=".contains($0) }
            let shown = isBare ? LogLine.harmless(value) : quoted(value)
            line += " \(LogLine.harmless(key))=\(shown)"
        }
        return line + "\n"
    }

    /// The time in UTC with three decimals.
    var timestamp: String {
        var days = milliseconds / 86_400_000
        let rest = milliseconds % 86_400_000
        // Howard Hinnant's civil_from_days: years begin in March, eras have 146,097 days.
        days += 719_468
        let era = days / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let date = "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
        let clock = "\(digits(rest / 3_600_000, 2)):\(digits(rest / 60_000 % 60, 2))"
        return "\(date)T\(clock):\(digits(rest / 1_000 % 60, 2)).\(digits(rest % 1_000, 3))Z"
    }

    /// Control characters, bidirectional marks and line separators become `\u{…}`, and what is
    /// longer than the limit is cut.
    static func harmless(_ text: String) -> String {
        var result = ""
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < TelemetryLimits.logTextCharactersMax else { return result + "…" }
            count += 1
            if isHarmful(scalar) {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in LogLine.harmless(text).unicodeScalars {
            if scalar == "\"" || scalar == "\\" { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
        return result + "\""
    }

    private func digits(_ value: Int, _ width: Int) -> String {
        let text = "\(value)"
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
