import Fixtures
import Foundation
import Testing

/// The stories of `proto/vectors/scenarios` on a running daemon: every check is made now, with all
/// that leads to it moved in time.
@Suite(.serialized) struct LiveScenarioTests {
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

        /// Every check of those that are rehearsed, and whether it can be put to a daemon.
        func checks() throws -> [(scenario: Scenario, index: Int, isSteady: Bool)] {
            try rehearsed.flatMap { scenario in
                try scenario.steps.indices.filter { scenario.steps[$0].verb.isCheck }
                    .map { index in
                        let isSteady = try scenario.isSteady(
                            check: index,
                            forMilliseconds: LiveStage.steadyMilliseconds
                        )
                        return (scenario, index, isSteady)
                    }
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

    /// Empty where they cannot be read; the test of their number says why.
    static let stories = (try? read()) ?? []

    @Test(arguments: stories)
    func `a daemon answers what the stories say`(_ stories: Stories) throws {
        var stage = try LiveStage(stories.settings)
        for (scenario, index, isSteady) in try stories.checks() where isSteady {
            let differences = try #require(
                try stage.differences(inCheck: index, of: scenario),
                "\(scenario.name): no rehearsal was fast enough to be judged"
            )
            let line = scenario.steps[index].line
            #expect(
                differences.isEmpty,
                "\(scenario.name), check of line \(line): \(differences.joined(separator: "; "))"
            )
        }
        for scenario in stories.rehearsed where scenario.steps.last?.verb.isCheck == false {
            let differences = try stage.differences(inDeedsOf: scenario)
            #expect(
                differences.isEmpty,
                "\(scenario.name), to its end: \(differences.joined(separator: "; "))"
            )
        }
        let differences = try #require(
            try stage.differences(playing: stories.played),
            "no playing was fast enough to be judged"
        )
        #expect(differences.isEmpty, "\(differences.joined(separator: "; "))")
        #expect(try stage.end() == [])
    }

    @Test func `nearly all checks can be put to a daemon`() throws {
        let stories = try Self.read()
        let checks = try stories.flatMap { try $0.checks() }
        let skipped = checks.filter { !$0.isSteady }
        let count = stories.reduce(0) { $0 + $1.scenarios.count }
        let played = stories.reduce(0) { $0 + $1.played.count }
        print(
            "\(count) stories under \(stories.count) settings, \(played) of them played as they"
                + " happen; in the others \(checks.count) checks, \(skipped.count) skipped"
        )
        for check in skipped {
            print("skipped: \(check.scenario.name), line \(check.scenario.steps[check.index].line)")
        }
        #expect(count > 0)
        #expect(stories.count == Self.stories.count)
        #expect(skipped.count * 100 < checks.count * 15, "\(skipped.count) of \(checks.count)")
    }
}
