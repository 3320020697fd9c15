import Foundation
import Testing

/// Whoever reads a citation can open what it cites.
struct CitationTests {
    private static let readable = [
        ".swift", ".py", ".sh", ".c", ".h", ".js", ".ts", ".mjs", ".lua", ".sql", ".yaml", ".conf",
        ".service", ".txt", ".md", "Makefile",
    ]

    /// What a program writes, and the repository does not keep.
    private static let written = ["results.md"]

    /// The files that may cite; this one holds bad examples.
    private static func files(_ folder: String) -> [String] {
        House.files(folder, readable).filter { !$0.hasSuffix("/CitationTests.swift") }
    }

    @Test(arguments: ["Sources", "Tests", "contrib", "proto", "docs"])
    func `nothing cites a document that the repository lacks`(folder: String) throws {
        var citations = try Citations.ofTheHouse()
        citations = Citations(
            files: citations.files.union(Self.written),
            titles: citations.titles
        )
        var count = 0
        for path in Self.files(folder) {
            // Vectors and generated texts hold words of others.
            guard !path.hasPrefix("proto/vectors/"), let text = try? House.text(path),
                !path.hasSuffix(".swift") || !text.contains("swift-format-ignore-file")
            else { continue }
            count += 1
            for fault in citations.faults(in: text) { Issue.record("\(path): \(fault)") }
        }
        #expect(count > 0)
    }

    @Test func `no comment speaks of a document without its name`() throws {
        let words = ["the contract", "threat model", "shared/design"]
        for path in ["Sources", "Tests", "contrib"].flatMap(Self.files) {
            guard let text = try? House.text(path) else { continue }
            for word in words { #expect(!text.contains(word), "\(path): \(word)") }
        }
    }

    @Test(arguments: [
        ("/// As Apple says (apple.md, section 1.4).", 2),
        ("// See ../shared/contract.md \u{A7}5.", 2),
        ("/// The rules of docs/facts.md, \"Merging\".", 1),
        ("/// The rules of docs/facts.md, \"Names\n/// of things\".", 0),
        ("# facts.md says why; RFC 7515, section 4.1, too.", 0),
        ("/// First match wins (section 2.2).", 1),
    ])
    func `a citation that leads nowhere is found, so the check can fail`(text: String, count: Int) {
        let citations = Citations(
            files: ["docs/facts.md"],
            titles: ["docs/facts.md": ["Names of things"]]
        )
        #expect(citations.faults(in: text).count == count)
    }
}
