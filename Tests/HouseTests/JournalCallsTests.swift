import Testing

/// The ledger knows its journal by six calls: what keeps the groups is nobody's business but the
/// room's of the journal.
struct JournalCallsTests {
    private static let calls = ["append", "read", "entry", "rewrite", "drop", "export"]

    /// What the calls take and answer.
    private static let values: Set<String> = [
        "Journal", "JournalEntry", "JournalGroup", "JournalFailure", "JournalPosition",
        "JournalVersions", "JournalMemory", "DropExtent",
    ]

    /// What only those name who put a ledger together: how a journal is opened.
    private static let assembly: [String: Set<String>] = [
        "Ledger.swift": ["JournalLocation", "SegmentLocation", "JournalLimits", "OpenJournal"],
        "Writing/LedgerWriter.swift": ["OpenJournal"],
        // A crash may have come between the journal's rewriting and its own.
        "Writing/Base.swift": ["JournalLocation"],
    ]

    /// The types that files of the room declare for others.
    private static func declared(_ texts: [String]) -> Set<String> {
        let words: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias", "actor"]
        var names: Set<String> = []
        for text in texts {
            let tokens = SwiftText(text).tokens
            for (place, token) in tokens.enumerated() where words.contains(token) {
                guard place + 1 < tokens.count, tokens[place + 1].first?.isUppercase == true,
                    tokens[max(0, place - 2)..<place].contains("package")
                else { continue }
                names.insert(String(tokens[place + 1]))
            }
        }
        return names
    }

    /// The types of the journal that a file of the ledger names and must not.
    private static func leaks(_ file: String, _ text: String, _ types: Set<String>) -> Set<String> {
        types.subtracting(values).subtracting(assembly[file] ?? [])
            .intersection(SwiftText(text).tokens.map(String.init))
    }

    /// The functions that a protocol asks for, from the text that declares it.
    private static func requirements(of name: String, in text: String) -> [String] {
        let tokens = SwiftText(text).tokens
        guard
            let start = tokens.indices.first(where: { place in
                tokens[place] == "protocol" && place + 1 < tokens.count && tokens[place + 1] == name
            })
        else { return [] }
        var depth = 0
        var found: [String] = []
        for place in tokens.indices[start...] {
            if tokens[place] == "{" { depth += 1 }
            if tokens[place] == "}" {
                depth -= 1
                if depth == 0 { break }
            }
            if depth == 1, tokens[place] == "func" || tokens[place] == "var" {
                found.append(String(tokens[place + 1]))
            }
        }
        return found
    }

    @Test func `a journal is asked six things`() throws {
        let text = try House.text("Sources/Journal/Journal.swift")
        #expect(Self.requirements(of: "Journal", in: text) == Self.calls)
        let one = "protocol Journal { func a(_ f: () -> Int); var b: Int { get } }; func c() {}"
        #expect(Self.requirements(of: "Journal", in: one) == ["a", "b"])
    }

    @Test func `the ledger names nothing of the journal but the calls and what they take`() throws {
        let texts = try House.swiftFiles("Sources/Journal").map { try House.text($0) }
        // Words of both rooms are each room's own.
        let own = try Self.declared(House.swiftFiles("Sources/Ledger").map { try House.text($0) })
        let types = Self.declared(texts).subtracting(own)
        #expect(types.count > 15 && Self.values.isSubset(of: types))
        for path in House.swiftFiles("Sources/Ledger") {
            let file = String(path.dropFirst("Sources/Ledger/".count))
            let leaks = Self.leaks(file, try House.text(path), types)
            #expect(leaks.isEmpty, "\(path) names \(leaks.sorted())")
        }
        let sample = "let writer = try SegmentWriter.open(directory: path)"
        #expect(Self.leaks("Upkeep/Eraser.swift", sample, types) == ["SegmentWriter"])
        #expect(Self.leaks("Upkeep/Eraser.swift", "// SegmentWriter", types).isEmpty)
        #expect(Self.leaks("Ledger.swift", "SegmentLocation(path)", types).isEmpty)
        #expect(!Self.leaks("Upkeep/Eraser.swift", "SegmentLocation(path)", types).isEmpty)
    }
}
