import ArgumentParser
import JSON

/// `status USER`: all that is said about a user at once.
struct StatusVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "All that is said about a user."
    )

    @Argument(help: "The user's id.")
    var user: String

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        let status = try session.call("getStatus", ["userId": .string(user)])
        session.show(status) { TextBlock($0).text }
    }
}
