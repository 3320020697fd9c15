/// The functions of a Swift file that have a body: where each begins, and how long it is.
struct Functions {
    /// One function, initializer, subscript, or computed property.
    struct Function: Equatable {
        let name: String
        /// The line on which it begins, without what stands above it.
        let line: Int
        /// From there to its closing brace.
        let lineCount: Int
    }

    private(set) var all: [Function] = []

    private static let beginnings: Set<Substring> = ["func", "init", "deinit", "subscript", "var"]
    /// Words before which a declaration without a body has ended.
    private static let ends: Set<Substring> = [
        "func", "init", "deinit", "subscript", "var", "let", "case", "struct", "enum", "class",
        "actor", "protocol", "extension", "typealias", "static", "package", "private", "public",
        "fileprivate", "mutating", "associatedtype", "}", "=",
    ]

    private let text: SwiftText

    init(_ text: String) {
        self.text = SwiftText(text)
        let tokens = self.text.tokens
        for place in tokens.indices where Self.beginnings.contains(tokens[place]) {
            guard place == 0 || tokens[place - 1] != ".", let open = body(behind: place) else {
                continue
            }
            let end = closing(open)
            let first = self.text.lines[place]
            all.append(
                Function(
                    name: String(tokens[Self.isNamed(tokens[place]) ? place + 1 : place]),
                    line: first,
                    lineCount: self.text.lines[end] - first + 1
                )
            )
        }
    }

    /// Whether a name follows the word that begins a declaration.
    private static func isNamed(_ beginning: Substring) -> Bool {
        beginning == "func" || beginning == "var"
    }

    /// The brace that opens the body of what is declared at `place`; none where it has none.
    private func body(behind place: Int) -> Int? {
        let tokens = text.tokens
        var depth = 0
        // The name may be an operator or any word in backticks: it ends nothing.
        let nameCount = Self.isNamed(tokens[place]) ? 1 : 0
        for next in tokens.indices.dropFirst(place + 1 + nameCount) {
            switch tokens[next] {
            case "(", "[": depth += 1
            case ")", "]":
                depth -= 1
                // It stands in a pattern, and declares nothing that has a body.
                if depth < 0 { return nil }
            case "{" where depth == 0: return next
            // Two of them are an operator.
            case "=" where isTwice(next): break
            case let token where depth == 0 && Self.ends.contains(token): return nil
            default: break
            }
        }
        return nil
    }

    /// Whether the token at `place` has the same one beside it.
    private func isTwice(_ place: Int) -> Bool {
        let tokens = text.tokens
        return tokens[place - 1] == tokens[place]
            || (place + 1 < tokens.count && tokens[place + 1] == tokens[place])
    }

    /// The brace that closes the one at `open`.
    private func closing(_ open: Int) -> Int {
        var depth = 0
        for place in text.tokens.indices.dropFirst(open) {
            if text.tokens[place] == "{" { depth += 1 }
            if text.tokens[place] == "}" { depth -= 1 }
            if depth == 0 { return place }
        }
        return text.tokens.count - 1
    }
}
