import ArgumentParser
import Foundation
import Glibc
import JSON

/// What may reach a terminal: nothing from the daemon that the terminal would obey.
enum Terminal {
    /// `text` with control characters, and those that turn the direction, written as `\u{…}`.
    static func safe(_ text: String) -> String {
        var safe = ""
        for scalar in text.unicodeScalars {
            if isControl(scalar) || turnsDirection(scalar) {
                safe += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }

    /// The compact JSON of `value`, on one line; the writer leaves DEL and the C1 controls as
    /// they are, which JSON allows and a terminal obeys.
    static func json(_ value: JSONValue) -> String {
        var json = ""
        for scalar in String(decoding: value.bytes, as: UTF8.self).unicodeScalars {
            if isControl(scalar) {
                let digits = String(scalar.value, radix: 16)
                json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                json.unicodeScalars.append(scalar)
            }
        }
        return json
    }

    /// Prints `value` on a line of its own, for a reader that waits for it.
    static func line(_ value: JSONValue) throws {
        print(json(value))
        guard fflush(nil) == 0 else {
            complain("entitlctl: the output could not be written")
            throw ExitCode.negative
        }
    }

    /// Shows how far something is, on one line that it writes again and again; only to a person.
    static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
    }

    /// Prints a line on standard error.
    static func complain(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    /// Asks a question that only `y` or `yes` answers with yes.
    static func confirms(_ question: String) -> Bool {
        FileHandle.standardError.write(Data("\(question) [y/N] ".utf8))
        let answer = readLine()?.lowercased()
        return answer == "y" || answer == "yes"
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    private static func turnsDirection(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
