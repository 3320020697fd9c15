/// Text that may stand on a terminal: it shows what a terminal would obey instead of sending it.
///
/// Ids, products and file contents come from outside, and a terminal takes ESC, the C1 controls and
/// the marks that turn the direction of writing for commands. It lies in this room because every
/// program sees it, and because one of the two ways to show a character is JSON's.
package enum VisibleText {
    /// `text` on one line, with what is not to be sent written as `\u{…}`.
    package static func line(_ text: String) -> String {
        guard needsCare(text) else { return text }
        return rewritten(text) { "\\u{\(String($0.value, radix: 16))}" }
    }

    /// The same of a message of several lines, whose own line breaks stay.
    ///
    /// What stands in `quoted`, such as the words of a command line, is shown on one line wherever
    /// the message repeats it.
    package static func lines(_ message: String, quoted: [String] = []) -> String {
        guard needsCare(message) else { return message }
        var message = message
        // A word of white space alone would be found between the message's own lines.
        let words = quoted.filter { needsCare($0) && !$0.allSatisfy(\.isWhitespace) }
        for word in words.sorted(by: { $0.utf8.count > $1.utf8.count }) {
            message.replace(word, with: line(word))
        }
        return message.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line(String($0)) }.joined(separator: "\n")
    }

    /// Compact JSON with the same characters escaped as `\uXXXX`, which means the same text.
    ///
    /// JSON's writer escapes C0 alone, as the format demands.
    package static func json(_ json: String) -> String {
        guard needsCare(json) else { return json }
        return rewritten(json) { scalar in
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    /// Whether a terminal would do something with `scalar` instead of showing it; none is above
    /// U+FFFF.
    package static func isCommand(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // C0, DEL and C1.
        case ..<0x20, 0x7F...0x9F: true
        // Arabic letter mark, left-to-right and right-to-left mark.
        case 0x061C, 0x200E, 0x200F: true
        // Line and paragraph separator, embeddings and overrides, isolates.
        case 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func rewritten(
        _ text: String,
        _ escape: (Unicode.Scalar) -> String
    ) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            if isCommand(scalar) {
                result += escape(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Whether some byte may begin what must not be sent: nearly all text has none.
    private static func needsCare(_ text: String) -> Bool {
        text.utf8.contains { byte in
            byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2
        }
    }
}
