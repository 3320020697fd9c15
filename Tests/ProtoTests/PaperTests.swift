import Foundation
import Testing

/// What people read names what there is, and all of it.
struct PaperTests {
    /// Every key of the configuration that the code knows.
    private static func knownKeys() throws -> [String] {
        let path = "Sources/DaemonConfiguration/ConfigurationKey.swift"
        return try Paper.strings(behind: "        key(\"", in: path)
    }

    /// The first cells of the tables in a section, without their backticks.
    private static func rows(of section: String, in path: String) throws -> [String] {
        try #require(try Paper.section(section, of: path))
            .split(separator: "\n")
            .filter { $0.hasPrefix("| `") }
            .compactMap { Paper.quoted($0).first }
    }

    @Test func `the example of a configuration has only keys that there are`() throws {
        let known = try Self.knownKeys()
        let example = try ConfigurationExample("contrib/etc/entitld.yaml").leaves
        #expect(example.count > 30)
        #expect(Set(example).isSubset(of: known))
    }

    @Test func `the page has every key of the catalog`() throws {
        let documented = try Self.rows(of: "Catalog", in: "docs/configuration.md")
        let example = try ConfigurationExample("contrib/etc/catalog.yaml")
        let met = example.paths.compactMap { path -> String? in
            let steps = path.split(separator: ".")
            guard steps.count > 1 else { return path == "plans" ? nil : path }
            guard steps[0] == "plans" else { return nil }
            return steps.count == 3 ? "plans.NAME.\(steps[2])" : nil
        }
        #expect(Set(documented) == Set(met))
        let source = "Sources/DaemonConfiguration/CatalogSettings+Loading.swift"
        let read = try Paper.strings(behind: "        case \"", in: source)
        let words = documented.compactMap { $0.split(separator: ".").last.map(String.init) }
        #expect(Set(read).subtracting(["plans"]) == Set(words))
    }

    @Test func `the page on entitlctl has every verb, and no other`() throws {
        let files = Paper.files("Sources/entitlctl/Verbs", ".swift")
        // The second words of a verb stand in the rows of the first.
        let second: Set = ["retry", "skip", "test"]
        let verbs = try files.flatMap { try Paper.strings(behind: "commandName: \"", in: $0) }
            .filter { !second.contains($0) }
        #expect(verbs.count >= 14)
        let rows = try Paper.text("docs/entitlctl.md").split(separator: "\n")
            .filter { $0.hasPrefix("| `entitlctl ") }
        let mentioned = rows.compactMap { row in
            Paper.quoted(row).first?.split(separator: " ").dropFirst().first.map(String.init)
        }
        #expect(Set(mentioned) == Set(verbs))
    }

    @Test func `every file on the walk through the house exists`() throws {
        let walk = try #require(
            try Paper.section("The walk through the house", of: "CONTRIBUTING.md")
        )
        let files = Paper.quoted(walk).filter { $0.contains("/") }
        #expect(files.count >= 20)
        for file in files { #expect(Paper.exists(file), "\(file)") }
    }

    @Test(arguments: Paper.pages)
    func `every link within the repository leads to a file and a title in it`(page: String) throws {
        let folder = page.split(separator: "/").dropLast().joined(separator: "/")
        for part in try Paper.text(page).components(separatedBy: "](").dropFirst() {
            let link = part.prefix { $0 != ")" }
            guard !link.isEmpty, !link.contains(":") else { continue }
            let halves = link.split(separator: "#", omittingEmptySubsequences: false)
            let file = folder.isEmpty ? "\(halves[0])" : "\(folder)/\(halves[0])"
            let target = halves[0].isEmpty ? page : file
            #expect(Paper.exists(target), "\(link)")
            guard halves.count == 2, Paper.exists(target) else { continue }
            #expect(try Paper.anchors(in: target).contains(String(halves[1])), "\(link)")
        }
    }

    @Test(arguments: ["README.md", "CONTRIBUTING.md", "docs/sizing.md", "contrib/bench/README.md"])
    func `every target of the Makefile that a page names is there`(page: String) throws {
        let makefile = try Paper.text("Makefile")
        let named = Paper.quoted(try Paper.text(page))
            .filter { $0.hasPrefix("make ") }
            .compactMap { $0.split(separator: " ").dropFirst().first }
        #expect(!named.isEmpty)
        for target in named { #expect(makefile.contains("\n\(target):"), "\(target)") }
    }

    @Test func `the README is short, begins with make dev, and leads to all of docs`() throws {
        let text = try Paper.text("README.md")
        #expect(text.split { $0.isWhitespace }.count <= 1_300)
        let quick = try #require(try Paper.section("Try it", of: "README.md"))
        #expect(quick.contains("\nmake dev\n"))
        for page in Paper.files("docs", ".md") where page.split(separator: "/").count == 2 {
            #expect(text.contains("](\(page)"), "\(page)")
        }
    }

    @Test func `the glossary explains words that are in use`() throws {
        let page = "docs/glossary.md"
        for path in ["README.md", "CONTRIBUTING.md"] {
            #expect(try Paper.text(path).contains("](\(page))"), "\(path)")
        }
        let others = ["Sources", "Tests"].flatMap { Paper.files($0, ".swift") } + Paper.pages
        var used: Set<[UInt8]> = []
        for path in others where path != page { used.formUnion(Paper.words(try Paper.text(path))) }
        let rows = try Paper.text(page).split(separator: "\n")
            .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| word ") }
        #expect(rows.count > 50)
        for row in rows {
            let term = String(row.split(separator: "|")[0])
            for word in Paper.words(term) {
                #expect(used.contains(word), "\(String(decoding: word, as: UTF8.self))")
            }
        }
    }

    @Test func `each decision has context, decision and consequences, in at most 25 lines`() throws
    {
        let records = Paper.files("docs/decisions", ".md")
        #expect(!records.isEmpty)
        for path in records {
            let text = try Paper.text(path)
            #expect(text.hasPrefix("# "), "\(path)")
            for heading in ["**Context.**", "**Decision.**", "**Consequences.**"] {
                #expect(text.contains(heading), "\(path)")
            }
            #expect(text.split(separator: "\n").count <= 25, "\(path)")
        }
    }

    @Test func `the drawing of the house has every room`() throws {
        let drawing = try #require(try Paper.section("The floors", of: "docs/house.md"))
        let words = drawing.split { !$0.isLetter }.map(String.init)
        let root = Paper.root.appending(path: "Sources").path
        let rooms = try FileManager.default.contentsOfDirectory(atPath: root)
        for room in rooms { #expect(words.contains(room), "\(room)") }
    }
}
