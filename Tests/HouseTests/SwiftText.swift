/// The names in Swift source, without comments and texts.
struct SwiftText {
    /// A word, or a character that is none.
    private(set) var tokens: [Substring] = []
    /// The line of each token, the first of them 1.
    private(set) var lines: [Int] = []

    private let bytes: [UInt8]
    private var place = 0 {
        didSet { line += bytes[oldValue..<max(oldValue, place)].count { $0 == 10 } }
    }
    private var line = 1

    init(_ text: String) {
        bytes = Array(text.utf8)
        code(until: nil)
    }

    /// Reads code up to its end, or to the parenthesis that closes it.
    private mutating func code(until end: UInt8?) {
        var depth = 0
        while place < bytes.count {
            let byte = bytes[place]
            if Self.isOfWord(byte) {
                word()
            } else if isNext("//") {
                while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { place += 1 }
            } else if isNext("/*") {
                comment()
            } else if byte == UInt8(ascii: "\"") || isNext("#\"") {
                text()
            } else {
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                place += 1
                if byte == end, depth < 0 { return }
                if byte > 32 { add(place - 1) }
            }
        }
    }

    private mutating func word() {
        let start = place
        while place < bytes.count, Self.isOfWord(bytes[place]) { place += 1 }
        add(start)
    }

    /// Keeps what was read since `start`, all of it on one line.
    private mutating func add(_ start: Int) {
        tokens.append(Substring(decoding: bytes[start..<place], as: UTF8.self))
        lines.append(line)
    }

    private mutating func comment() {
        var depth = 0
        repeat {
            if isNext("/*") {
                depth += 1
                place += 2
            } else if isNext("*/") {
                depth -= 1
                place += 2
            } else {
                place += 1
            }
        } while depth > 0 && place < bytes.count
    }

    /// Passes a text over, but for the code in it.
    private mutating func text() {
        var marks = 0
        while bytes[place] == UInt8(ascii: "#") {
            marks += 1
            place += 1
        }
        let quotes = isNext("\"\"\"") ? 3 : 1
        place += quotes
        let sharps = String(repeating: "#", count: marks)
        let end = String(repeating: "\"", count: quotes) + sharps
        while place < bytes.count, !isNext(end) {
            if isNext("\\" + sharps + "(") {
                place += 2 + marks
                code(until: UInt8(ascii: ")"))
            } else {
                place += marks == 0 && isNext("\\") ? 2 : 1
            }
        }
        place += end.utf8.count
    }

    private func isNext(_ text: String) -> Bool {
        bytes[place...].starts(with: text.utf8)
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 128...255:
            true
        default: false
        }
    }
}
