import ArgumentParser
import JSON

/// `status USER`: all that is said about a user at once.
struct StatusVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Everything about a user: state, access, plan and credits."
    )

    @Argument(help: "The user's id.")
    var user: String

    @Option(help: ArgumentHelp("A past moment.", valueName: "time"))
    var at: String?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        var parameters: JSONObject = ["userId": .string(user)]
        parameters["at"] = at.map { .string($0) }
        try session.show(session.call("getStatus", parameters))
    }
}
