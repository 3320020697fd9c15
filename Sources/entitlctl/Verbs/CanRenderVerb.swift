import ArgumentParser
import JSON

/// `can-render USER`: the question that everything is built for, answered by the exit code too.
struct CanRenderVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "can-render",
        abstract: "Whether a user may render: exit 0 for yes, 1 for no."
    )

    @Argument(help: "The user's id.")
    var user: String

    @Option(help: "The price in credits, where credits pay.")
    var cost: Int64?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        var parameters: JSONObject = ["userId": .string(user)]
        parameters["cost"] = cost.map { .integer($0) }
        let answer = try session.call("canRender", parameters)
        try session.show(decision: answer, named: "canRender")
    }
}

/// `can USER FEATURE`: the same for any feature.
struct CanVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "can",
        abstract: "Whether a user may use a feature: exit 0 for yes, 1 for no."
    )

    @Argument(help: "The user's id.")
    var user: String

    @Argument(help: "The feature, as plans of the catalog name it.")
    var feature: String

    @Option(help: "The price in credits, where credits pay.")
    var cost: Int64?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        var parameters: JSONObject = ["userId": .string(user), "feature": .string(feature)]
        parameters["cost"] = cost.map { .integer($0) }
        let answer = try session.call("can", parameters)
        try session.show(decision: answer, named: "allowed")
    }
}

extension Session {
    /// Shows a yes or no, which the exit code is, too.
    fileprivate mutating func show(decision answer: JSONObject, named member: String) throws {
        let isYes = answer[member]?.bool == true
        show(answer) { Self.text(isYes, $0) }
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
