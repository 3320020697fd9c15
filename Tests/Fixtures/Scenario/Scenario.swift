import Entitlements

/// A life story as a text file: one line, one step (proto/vectors/scenarios/README.md).
package struct Scenario: Sendable {
    /// The file's name without `.txt`.
    package let name: String
    /// The first line: what the story shows.
    package let title: String
    /// What it plays under.
    package let settings: ScenarioSettings
    /// What happens, in order.
    package let steps: [ScenarioStep]
    private let lines: [String]

    /// The scenario that `text` writes.
    package init(name: String, parsing text: String) throws(ScenarioFailure) {
        self.name = name
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let first = lines.first, first.hasPrefix("# ") else {
            throw ScenarioFailure(line: 1, "the first line says what the story shows")
        }
        title = String(first.dropFirst(2))
        var settings = ScenarioSettings()
        var steps: [ScenarioStep] = []
        for (index, line) in lines.enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            if try settings.take(line, line: index + 1) {
                guard steps.isEmpty else {
                    throw ScenarioFailure(line: index + 1, "the catalog stands above the steps")
                }
                continue
            }
            let step = try ScenarioStep(parsing: line, line: index + 1)
            if let last = steps.last, step.at < last.at {
                throw ScenarioFailure(line: index + 1, "time does not go back")
            }
            steps.append(step)
        }
        self.settings = settings
        self.steps = steps
    }

    /// A story that takes no longer is played as it happens.
    ///
    /// A longer one is rehearsed check by check, with everything that leads to it done at once.
    package static let playedMillisecondsMax: Int64 = 10_000

    /// Whether a daemon can be asked to live through it: each step at its moment.
    package var isPlayedAsItHappens: Bool {
        guard let first = steps.first, let last = steps.last else { return false }
        return last.at.milliseconds - first.at.milliseconds <= Self.playedMillisecondsMax
    }

    /// The story as it happens from `start` on, about users and ids that no other playing has;
    /// every step comes so much too late.
    package func playing(
        from start: Moment,
        unique: Int,
        lateByMilliseconds lateness: Int64 = 0
    ) throws(ScenarioFailure) -> [ScenarioAct] {
        guard let first = steps.first else { return [] }
        var acts = try acts(under: ScenarioNames(unique: unique, moving: first.at, to: start))
        for index in acts.indices {
            acts[index].at = acts[index].at.advanced(byMilliseconds: lateness)
        }
        return acts
    }

    /// Every step as it happens under `names`.
    package func acts(under names: ScenarioNames) throws(ScenarioFailure) -> [ScenarioAct] {
        try acts(of: steps[...], under: names)
    }

    /// What must happen so that the check at `index` can be made at `now`, without waiting.
    ///
    /// Every earlier step that changes something, then the check, all moved in time so that the
    /// check's moment is `now`, and about users and ids that no other rehearsal has. Nil where the
    /// step is no check. The answer is compared with `ScenarioAct.mismatches(in:)`, which moves it
    /// back.
    package func rehearsal(
        ofCheck index: Int,
        at now: Moment,
        unique: Int
    ) throws(ScenarioFailure) -> [ScenarioAct]? {
        let check = steps[index]
        guard check.verb.isCheck else { return nil }
        let names = ScenarioNames(unique: unique, moving: check.at, to: now)
        return try acts(of: steps[...index], under: names)
            .filter { !$0.step.verb.isCheck || $0.step.line == check.line }
    }

    /// Whether the check at `index` has the same answer so many milliseconds after its moment.
    ///
    /// Judged by the core: a daemon with a clock of its own can be asked where it is steady.
    package func isSteady(
        check index: Int,
        forMilliseconds milliseconds: Int64
    ) throws(ScenarioFailure) -> Bool {
        let acts = try acts(of: steps[...index], under: .written)
        guard var later = acts.last, later.step.verb.isCheck else { return false }
        var stage = CoreStage(settings)
        for act in acts { _ = try stage.perform(act) }
        later.at = later.at.advanced(byMilliseconds: milliseconds)
        return later.mismatches(in: try stage.perform(later)).isEmpty
    }

    /// The story with other right-hand sides, by line; everything else stays byte by byte.
    package func rewritten(_ right: [Int: [ScenarioStep.Expectation]]) -> String {
        var lines = lines
        for step in steps {
            guard let right = right[step.line] else { continue }
            let words = right.map { $0.word.isEmpty ? $0.value : "\($0.word)=\($0.value)" }
            lines[step.line - 1] = step.left + "=> " + words.joined(separator: " ")
        }
        return lines.joined(separator: "\n")
    }

    private func acts(
        of steps: ArraySlice<ScenarioStep>,
        under names: ScenarioNames
    ) throws(ScenarioFailure) -> [ScenarioAct] {
        var acts: [ScenarioAct] = []
        var settings = settings
        for step in steps {
            if step.verb == .pack {
                settings.name(pack: step.subject, credits: try step.number("credits") ?? 1)
            }
            acts.append(try ScenarioAct(step, after: acts, under: names, settings))
        }
        return acts
    }
}
