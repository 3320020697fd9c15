import Foundation

/// The words of docs/glossary.md, and where the source has them.
struct Glossary {
    /// One line of its tables.
    struct Entry: Equatable {
        /// The word and those beside it, in small letters.
        let words: [String]
        /// What it is called in the source, where the line says so.
        let names: [String]
    }

    let entries: [Entry]

    init(_ text: String) {
        entries = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
            .compactMap { line in
                let cells = line.split(separator: "|")
                    .map { $0.trimmingCharacters(in: .whitespaces) }
                guard cells.count == 2, cells[0] != "word" else { return nil }
                let word = cells[0].replacing(#/\s*\(.*?\)/#, with: "").replacing("`", with: "")
                let source = cells[1].components(separatedBy: "in the source `").dropFirst()
                return Entry(
                    words: word.lowercased().components(separatedBy: ", "),
                    names: source.map { String($0.prefix { $0 != "`" }) }
                )
            }
    }

    /// The entries of which no word is in `texts`, and the names that no text has.
    func gone(from texts: [String]) -> [String] {
        let said = Self.prose(texts)
        return entries.flatMap { entry -> [String] in
            let names = entry.names.filter { !Self.has(said, Self.prose([$0])) }
            let isSaid = entry.words.contains { word in
                Self.has(said, Self.prose([word])) || Self.has(said, Self.prose([word + "s"]))
            }
            return names + (isSaid || !entry.names.isEmpty ? [] : [entry.words[0]])
        }
    }

    private static func has(_ said: Data, _ words: Data) -> Bool { said.range(of: words) != nil }

    /// The words in small letters, with a space before and behind each; those of a name, too.
    private static func prose(_ texts: [String]) -> Data {
        let space = UInt8(ascii: " ")
        var prose: [UInt8] = [space]
        for text in texts {
            var wasSmall = false
            for byte in text.utf8 {
                let isCapital = (65...90).contains(byte)
                let isSmall = (97...122).contains(byte) || (48...57).contains(byte) || byte > 127
                let isWord = isCapital || isSmall || byte == UInt8(ascii: "-")
                if !isWord || (isCapital && wasSmall), prose[prose.count - 1] != space {
                    prose.append(space)
                }
                if isWord { prose.append(isCapital ? byte + 32 : byte) }
                wasSmall = isSmall
            }
            if prose[prose.count - 1] != space { prose.append(space) }
        }
        return Data(prose)
    }
}
