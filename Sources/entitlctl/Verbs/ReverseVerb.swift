import ArgumentParser
import JSON

/// `reverse USER CONSUME-KEY`: puts a charge back.
struct ReverseVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reverse",
        abstract: "Put a charge back where the credits came from; exit 1 if there is none."
    )

    @Argument(help: "The user's id.")
    var user: String

    @Argument(help: "The key of the charge.")
    var consumeKey: String

    @OptionGroup var key: KeyOption

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        let result = try key.call(
            "reverseCredits",
            ["userId": .string(user), "consumeKey": .string(consumeKey)],
            &session
        )
        try session.show(result)
        guard result["outcome"]?.string == "reversed" else { throw ExitCode.negative }
    }
}
