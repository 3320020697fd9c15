/// Where Swift code does what neither the compiler nor a check at run time guards, and whether it
/// says why that is safe.
///
/// Meant are: what the compiler is told to believe (`@unchecked Sendable`, `nonisolated(unsafe)`),
/// references that are counted by hand, memory that is made or named anew, and pointers and buffers
/// that are made from a place and a length. A buffer that is lent to a closure is not among them;
/// what the closure does with it is.
struct UnsafeCode {
    /// One such place.
    struct Place: Equatable {
        let line: Int
        let word: String
        /// Whether a comment with "SAFETY:" stands on the line, above it in the same function,
        /// right above its declaration, or first in the type that it declares.
        let isExplained: Bool
    }

    private(set) var all: [Place] = []

    private static let mark = "/ SAFETY:"
    private static let words: Set<Substring> = [
        "unchecked", "Unmanaged", "assumingMemoryBound", "bindMemory", "withMemoryRebound",
        "unsafeUninitializedCapacity", "unsafelyUnwrapped", "unsafeBitCast",
    ]
    private static let makers: Set<Substring> = ["start", "rebasing", "mutating", "bitPattern"]

    private let tokens: [Substring]
    private let lines: [Substring]
    private let functions: [Functions.Function]

    init(_ text: String) {
        let swift = SwiftText(text)
        tokens = swift.tokens
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        functions = Functions(text).all
        for place in tokens.indices where isUnsafe(place) {
            let line = swift.lines[place]
            guard all.last?.line != line else { continue }
            let word = String(tokens[place])
            // The first words in a type may speak of the type.
            let isTold =
                word == "unchecked" && line < lines.count && lines[line].contains(Self.mark)
            all.append(
                Place(line: line, word: word, isExplained: isTold || isExplained(line))
            )
        }
    }

    private func isUnsafe(_ place: Int) -> Bool {
        let token = tokens[place]
        if token == "unchecked" { return isNext(place, "Sendable") }
        if token == "unsafe" { return place > 1 && tokens[place - 2] == "nonisolated" }
        if Self.words.contains(token) { return true }
        guard token.hasPrefix("Unsafe"), token.hasSuffix("Pointer") else { return false }
        var next = place + 1
        var depth = 0
        while next < tokens.count, depth > 0 || tokens[next] == "<" {
            if tokens[next] == "<" { depth += 1 }
            if tokens[next] == ">" { depth -= 1 }
            next += 1
        }
        guard next + 3 < tokens.count else { return false }
        if tokens[next] == "." { return tokens[next + 1] == "allocate" }
        return tokens[next] == "(" && Self.makers.contains(tokens[next + 1])
            && tokens[next + 2] == ":" && tokens[next + 3] != "nil"
    }

    private func isNext(_ place: Int, _ word: Substring) -> Bool {
        place + 1 < tokens.count && tokens[place + 1] == word
    }

    private func isExplained(_ line: Int) -> Bool {
        let around = functions.filter { ($0.line..<$0.line + $0.lineCount).contains(line) }
        let start = around.map(\.line).min() ?? line
        var first = start - 1
        if around.isEmpty {
            while first > 0, !lines[first - 1].allSatisfy(\.isWhitespace) { first -= 1 }
        } else {
            while first > 0, isAbove(lines[first - 1]) { first -= 1 }
        }
        return lines[first..<line].contains { $0.contains(Self.mark) }
    }

    /// Whether a line is a comment or an attribute.
    private func isAbove(_ line: Substring) -> Bool {
        let text = line.drop { $0 == " " }
        return text.hasPrefix("//") || text.hasPrefix("@")
    }
}
