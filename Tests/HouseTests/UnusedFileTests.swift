import Testing

/// A file that nobody uses is not kept.
struct UnusedFileTests {
    @Test func `every file of Sources declares something that another file names`() throws {
        var texts: [String: String] = [:]
        for path in House.swiftFiles("Sources") { texts[path] = try House.text(path) }
        #expect(texts.count > 500)
        let unused = Self.unused(texts)
        for path in unused where Exceptions.unusedFiles[path] == nil {
            Issue.record("\(path): nothing that it declares is named elsewhere")
        }
        for path in Exceptions.unusedFiles.keys where !unused.contains(path) {
            Issue.record("\(path) is used, or gone: take it off the exceptions")
        }
    }

    @Test func `a file that nobody names is found, so the check can fail`() {
        let texts = [
            "Sources/A/Stone.swift": "struct Stone { let weight = 1 }",
            "Sources/A/Wall.swift": "struct Wall { let stones: [Stone] } // Mud",
            "Sources/A/Wall+height.swift": "extension Wall { var height: Int { 1 } }",
            "Sources/A/Stone+colour.swift": "extension Stone { var colour: Int { 1 } }",
            "Sources/A/Mud.swift": "enum Mud { case wet }",
            "Sources/A/Clay.swift": "struct Clay {}\nextension Wall { var clay: Clay? { nil } }",
            "Sources/B/Main.swift": "@main struct Program { let x = (Wall().height, Wall().clay) }",
        ]
        let unused = Self.unused(texts)
        #expect(unused == ["Sources/A/Mud.swift", "Sources/A/Stone+colour.swift"])
    }

    /// The files of which neither a type nor a member of an extension is named elsewhere, or, where
    /// they declare none of these, nothing else.
    private static func unused(_ texts: [String: String]) -> [String] {
        let house = Folders(texts)
        let isMain = Set(texts.filter { $0.value.contains("@main") }.map(\.key))
        var users: [String: Set<String>] = [:]
        for file in house.files {
            for name in file.words.union(file.asked) { users[name, default: []].insert(file.path) }
        }
        return house.files
            .filter { file in
                // A type that is only inferred, as `.active` is of a Standing, is used by a member.
                let choices = [file.types.union(file.members), file.others]
                // What only conforms or only makes is used where nobody can see it.
                guard !isMain.contains(file.path), let names = choices.first(where: { !$0.isEmpty })
                else { return false }
                return names.allSatisfy { users[$0, default: []].subtracting([file.path]).isEmpty }
            }
            .map(\.path)
    }
}
