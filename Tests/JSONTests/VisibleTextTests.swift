import Chance
import JSON
import Testing

/// What may be sent to a terminal.
struct VisibleTextTests {
    /// C0, DEL, C1, the marks and turns of direction, and the two separators of lines.
    private static let commands: [Unicode.Scalar] = {
        let ranges: [ClosedRange<UInt32>] = [
            0x00...0x1F, 0x7F...0x9F, 0x061C...0x061C, 0x200E...0x200F, 0x2028...0x202E,
            0x2066...0x2069,
        ]
        return ranges.flatMap { $0 }.compactMap { Unicode.Scalar($0) }
    }()

    private func isClean(_ text: String, but allowed: [Unicode.Scalar] = []) -> Bool {
        text.unicodeScalars.allSatisfy { !Self.commands.contains($0) || allowed.contains($0) }
    }

    @Test func `every command is shown and nothing else is changed`() {
        for scalar in Self.commands {
            let hex = String(scalar.value, radix: 16)
            #expect(VisibleText.line("a\(scalar)b") == "a\\u{\(hex)}b")
            let digits = String(repeating: "0", count: 4 - hex.count) + hex
            #expect(VisibleText.json("\"\(scalar)\"") == "\"\\u\(digits)\"")
        }
        for text in ["", "plain", "é Ünïcödé 日本語 👩‍👩‍👧 \u{a0}\u{2027}\u{202f}\u{2065}\u{206a}", "؀"] {
            #expect(VisibleText.line(text) == text)
            #expect(VisibleText.json(text) == text)
        }
    }

    /// Any text, also one in which only some bytes look like the beginning of a command.
    @Test func `what is shown is clean, and as JSON means the same`() throws {
        var random = SplitMix64(seed: Seed.told())
        let others = "aé\u{c0}ØÙ؀\u{2000}\u{2027}\u{202f}\u{2070}日👩\\\"".unicodeScalars.map { $0 }
        for _ in 0..<2_000 {
            var text = ""
            for _ in 0..<random.pick(0..<12) {
                text.unicodeScalars.append(
                    random.pick(random.isOne(in: 3) ? Self.commands : others)
                )
            }
            #expect(isClean(VisibleText.line(text)))
            #expect(isClean(VisibleText.lines(text), but: ["\n"]))
            let json = VisibleText.json(
                String(decoding: JSONValue.string(text).bytes, as: UTF8.self)
            )
            #expect(isClean(json))
            #expect(try JSONValue.parse(Array(json.utf8)) == .string(text))
        }
    }

    @Test func `a message keeps its own lines, and a quoted word gets none of its own`() {
        let word = "al\nice\u{1B}[2J"
        let message = "Error: unknown word '\(word)'\nUsage: x\r"
        let shown = VisibleText.lines(message, quoted: ["x", word, "al\n", "\n"])
        #expect(shown == "Error: unknown word 'al\\u{a}ice\\u{1b}[2J'\nUsage: x\\u{d}")
        #expect(
            VisibleText.lines(message) == "Error: unknown word 'al\nice\\u{1b}[2J'\nUsage: x\\u{d}"
        )
    }
}
