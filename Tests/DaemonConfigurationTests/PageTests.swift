import Foundation
import Testing

@testable import DaemonConfiguration

/// The table of keys in docs/configuration.md is made of the list in the code.
struct PageTests {
    private static let page = "docs/configuration.md"
    private static let head = "|---|---|---|---|---|"

    @Test func `the table of keys is the list in the code; make docs writes it`() throws {
        let old = try repositoryFile(Self.page)
        var lines = old.components(separatedBy: "\n")
        let first = try #require(lines.firstIndex(of: Self.head)) + 1
        let end = try #require(lines[first...].firstIndex { !$0.hasPrefix("|") })
        lines.replaceSubrange(first..<end, with: ConfigurationKey.all.map(Self.row))
        let new = lines.joined(separator: "\n")
        if ProcessInfo.processInfo.environment["ENTITLD_WRITE_DOCS"] != nil {
            try Data(new.utf8).write(to: repositoryURL(Self.page))
        }
        #expect(try repositoryFile(Self.page) == new)
    }

    @Test func `every key says what it is for, and which values are good`() {
        for key in ConfigurationKey.all {
            #expect(!Self.range(of: key).isEmpty, "\(key.path)")
            #expect(!key.meaning.isEmpty || key.path == "log.format", "\(key.path)")
        }
    }

    private static func row(of key: ConfigurationKey) -> String {
        let shown =
            switch key.fallback {
            case .value(let text), .absent(let text): text
            }
        let cells = ["`\(key.path)`", shown, range(of: key), key.meaning, key.reload]
        return "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
    }

    /// What the list says, or what follows from the kind.
    private static func range(of key: ConfigurationKey) -> String {
        guard key.range.isEmpty else { return key.range }
        switch key.kind {
        case .integer(let range): return "\(range.lowerBound) to \(range.upperBound)"
        case .boolean: return "true, false"
        case .choice(let names): return names.joined(separator: ", ")
        case .text, .texts, .choices, .access, .apps, .outboxes: return ""
        }
    }
}
