import Foundation
import Testing

/// What people read names what there is, and all of it.
struct PaperTests {
    /// Every key of the configuration that the code knows.
    private static func knownKeys() throws -> [String] {
        let path = "Sources/DaemonConfiguration/ConfigurationKey.swift"
        return try Paper.strings(behind: ".init(\"", in: path)
    }

    /// The first cells of the tables in a section, without their backticks.
    private static func rows(of section: String, in path: String) throws -> [String] {
        try #require(try Paper.section(section, of: path))
            .split(separator: "\n")
            .filter { $0.hasPrefix("| `") }
            .compactMap { Paper.quoted($0).first }
    }

    @Test func `the operator's page and the example have every key of the configuration`() throws {
        let known = try Self.knownKeys()
        #expect(known.count > 30)
        let example = try ConfigurationExample("contrib/etc/entitld.yaml")
        let documented = try Self.rows(of: "Configuration", in: "docs/operating.md")
        #expect(Set(documented) == Set(known))
        #expect(documented.count == known.count)
        #expect(Set(example.leaves) == Set(known))
    }

    @Test func `the operator's page has every key of the catalog`() throws {
        let documented = try Self.rows(of: "Catalog", in: "docs/operating.md")
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

    @Test func `the README mentions every verb of entitlctl, and no other`() throws {
        let files = Paper.files("Sources/entitlctl/Verbs", ".swift")
        let verbs = try files.flatMap { try Paper.strings(behind: "commandName: \"", in: $0) }
        #expect(verbs.count >= 14)
        let rows = try Paper.text("README.md").split(separator: "\n")
            .filter { $0.hasPrefix("| `entitlctl ") }
        let mentioned = rows.compactMap { row in
            Paper.quoted(row).first?.split(separator: " ").dropFirst().first.map(String.init)
        }
        #expect(Set(mentioned) == Set(verbs))
    }

    @Test func `every file on the walk through the house exists`() throws {
        let walk = try #require(
            try Paper.section("The walk through the house", of: "README.md")
        )
        let files = Paper.quoted(walk).filter { $0.contains("/") }
        #expect(files.count >= 20)
        for file in files { #expect(Paper.exists(file), "\(file)") }
    }

    @Test(
        arguments: ["README.md", "SECURITY.md", "CONTRIBUTING.md", "proto/README.md"]
            + Paper.files("docs", ".md") + Paper.files("contrib", ".md")
    )
    func `every link within the repository leads to a file`(page: String) throws {
        let folder = page.split(separator: "/").dropLast().joined(separator: "/")
        for part in try Paper.text(page).components(separatedBy: "](").dropFirst() {
            let target = part.prefix { $0 != ")" && $0 != "#" }
            guard !target.isEmpty, !target.contains(":") else { continue }
            #expect(Paper.exists(folder.isEmpty ? "\(target)" : "\(folder)/\(target)"), "\(target)")
        }
    }

    @Test func `every target of the Makefile that the README names is there`() throws {
        let makefile = try Paper.text("Makefile")
        let named = Paper.quoted(try Paper.text("README.md"))
            .filter { $0.hasPrefix("make ") }
            .compactMap { $0.split(separator: " ").dropFirst().first }
        #expect(named.contains("demo"))
        #expect(named.contains("test"))
        for target in named { #expect(makefile.contains("\n\(target):"), "\(target)") }
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
