import ArgumentParser
import JSON

/// `register USER`: begins an account.
struct RegisterVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Begin a user's account, or link another token to it."
    )

    @Argument(help: "The user's id.")
    var user: String

    @Option(help: "The appAccountToken, a UUID; derived from the user when absent.")
    var token: String?

    @Option(
        help: ArgumentHelp(
            "The signed app transaction, for free credits; - is standard input.",
            valueName: "file"
        )
    )
    var appTransaction: String?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        var parameters: JSONObject = ["userId": .string(user)]
        parameters["appAccountToken"] = token.map { .string($0) }
        parameters["signedAppTransaction"] = try appTransaction.map {
            .string(try DocumentFile.text($0))
        }
        try session.show(session.call("registerAccount", parameters))
    }
}
