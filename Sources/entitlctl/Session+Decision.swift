import ArgumentParser
import JSON

extension Session {
    /// Shows a yes or no, which the exit code is, too.
    mutating func show(decision answer: JSONObject, named member: String) throws {
        let isYes = answer[member]?.bool == true
        try show(answer) { Self.text(isYes, $0) }
        guard isYes else { throw ExitCode.negative }
    }

    /// `yes, by subscription, next change 2026-04-01T00:00:00.000Z` or `no, expired`.
    private static func text(_ isYes: Bool, _ answer: JSONObject) -> String {
        guard isYes else { return "no, " + TextBlock.word(answer["reason"] ?? .null) }
        let yes = "yes, by " + TextBlock.word(answer["via"] ?? .null)
        guard let change = answer["nextChangeAt"]?.string else { return yes }
        return yes + ", next change " + Terminal.safe(change)
    }
}
