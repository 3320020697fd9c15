import Testing

/// The glossary explains words that are in use, and no others.
struct GlossaryTests {
    @Test func `every word of the glossary is in the source`() throws {
        let glossary = try Glossary(House.text("docs/glossary.md"))
        #expect(glossary.entries.count > 70)
        let kinds = [".swift", ".sh", ".py", ".md"]
        let paths = ["Sources", "Tests", "contrib"].flatMap { House.files($0, kinds) }
        let texts = try paths.filter { !$0.hasPrefix("Tests/HouseTests/") }.map(House.text)
        #expect(glossary.gone(from: texts) == [])
    }

    @Test func `a word that is gone is found, so the check can fail`() {
        let glossary = Glossary(
            """
            | word | meaning |
            |---|---|
            | base, base snapshot | a copy |
            | fold (of facts) | to combine; in the source `Folder` |
            | page sums | a checksum |
            | desk | a table; in the source `Desk` |
            """
        )
        #expect(glossary.entries.count == 4)
        let texts = ["/// The bases\n/// of it.\nclass Folder {}", "let pageSums = 1"]
        #expect(glossary.gone(from: texts) == ["Desk"])
        #expect(glossary.gone(from: ["database"]) == ["base", "Folder", "page sums", "Desk"])
    }
}
