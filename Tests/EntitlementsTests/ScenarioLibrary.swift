import Fixtures
import Foundation

/// The files in `proto/vectors/scenarios`.
enum ScenarioLibrary {
    /// Whether `ENTITLD_REWRITE=1` asks for right-hand sides to be written instead of compared.
    static var isRewriting: Bool {
        ProcessInfo.processInfo.environment["ENTITLD_REWRITE"] == "1"
    }

    private static let directory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "proto/vectors/scenarios")

    /// The names of all of them, sorted.
    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path)
            .filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }.sorted()
    }

    /// The scenario in `name`.txt.
    static func scenario(_ name: String) throws -> Scenario {
        let url = directory.appending(path: name + ".txt")
        return try Scenario(name: name, parsing: String(contentsOf: url, encoding: .utf8))
    }

    /// Writes what was met in place of what was expected.
    static func rewrite(
        _ scenario: Scenario,
        _ met: [Int: [ScenarioStep.Expectation]]
    ) throws {
        let url = directory.appending(path: scenario.name + ".txt")
        try Data(scenario.rewritten(met).utf8).write(to: url)
    }
}
