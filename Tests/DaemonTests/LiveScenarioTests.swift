import Fixtures
import Foundation
import TestSupport
import Testing

/// The stories of `proto/vectors/scenarios` on a running daemon: the last check of each is made
/// now, with all that leads to it moved in time.
///
/// Tests/MethodsTests plays every check of every story at its own moment, in process.
@Suite struct LiveScenarioTests {
    /// The stories that play under the same settings, and so on one daemon.
    struct Stories: Sendable, CustomTestStringConvertible {
        let settings: ScenarioSettings
        var scenarios: [Scenario]

        var testDescription: String {
            let others = scenarios.count > 1 ? " and \(scenarios.count - 1) more" : ""
            return (scenarios.first?.name ?? "none") + others
        }

        /// Those that a daemon lives through, side by side.
        var played: [Scenario] { scenarios.filter(\.isPlayedAsItHappens) }

        /// Those that are rehearsed, check by check.
        var rehearsed: [Scenario] { scenarios.filter { !$0.isPlayedAsItHappens } }

        /// The last check of each of those that are rehearsed which can be put to a daemon.
        func checks() throws -> [(scenario: Scenario, index: Int)] {
            try rehearsed.compactMap { scenario in
                let last = try scenario.steps.indices.last { index in
                    guard scenario.steps[index].verb.isCheck else { return false }
                    return try scenario.isSteady(
                        check: index,
                        forMilliseconds: LiveStage.steadyMilliseconds
                    )
                }
                return last.map { (scenario, $0) }
            }
        }
    }

    private static let directory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "proto/vectors/scenarios")

    private static func read() throws -> [Stories] {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            .filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }.sorted()
        var stories: [Stories] = []
        for name in names {
            let url = directory.appending(path: name + ".txt")
            let text = try String(contentsOf: url, encoding: .utf8)
            let scenario = try Scenario(name: name, parsing: text)
            if let place = stories.firstIndex(where: { $0.settings == scenario.settings }) {
                stories[place].scenarios.append(scenario)
            } else {
                stories.append(Stories(settings: scenario.settings, scenarios: [scenario]))
            }
        }
        return stories
    }

    /// Empty where they cannot be read; then the test of their number fails.
    static let stories = (try? read()) ?? []

    /// How many daemons live through stories side by side: most of their time they wait.
    private static let seats = Seats(3)

    @Test(arguments: stories)
    func `a daemon answers what the stories say`(_ stories: Stories) async throws {
        let faults = try await Self.seats.run { try Self.faults(of: stories) }
        #expect(faults == [])
    }

    private static func faults(of stories: Stories) throws -> [String] {
        var faults: [String] = []
        func note(_ found: [String]?, _ what: String, _ lack: String) {
            guard let found else { return faults.append("\(what): \(lack)") }
            if !found.isEmpty { faults.append("\(what): \(found.joined(separator: "; "))") }
        }
        var stage = try LiveStage(stories.settings)
        for (scenario, index) in try stories.checks() {
            let line = scenario.steps[index].line
            note(
                try stage.differences(inCheck: index, of: scenario),
                "\(scenario.name), check of line \(line)",
                "no rehearsal was fast enough to be judged"
            )
        }
        for scenario in stories.rehearsed where scenario.steps.last?.verb.isCheck == false {
            note(try stage.differences(inDeedsOf: scenario), "\(scenario.name), to its end", "")
        }
        note(
            try stage.differences(playing: stories.played),
            "played as it happens",
            "no playing was fast enough to be judged"
        )
        note(try stage.end(), "at its end", "")
        return faults
    }

    @Test func `nearly all stories are rehearsed or played on a daemon`() throws {
        let count = Self.stories.reduce(0) { $0 + $1.scenarios.count }
        let put = try Self.stories.reduce(0) { $0 + $1.played.count + (try $1.checks().count) }
        #expect(count > 170)
        #expect(put * 100 > count * 85, "\(put) of \(count)")
    }
}
