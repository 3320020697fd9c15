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
