import ArgumentParser
import JSON

/// `reserve USER`: sets credits aside; exit 1 when there are too few.
struct ReserveVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reserve",
        abstract: "Set credits aside: exit 1 when there are too few.",
        discussion: "They return by themselves when --ttl is over."
    )

    @Argument(help: "The user's id.")
    var user: String

    @Option(help: "How many.")
    var amount: Int64 = 1

    @Option(help: ArgumentHelp("For how long.", valueName: "seconds"))
    var ttl: Int64 = 300

    @OptionGroup var key: KeyOption

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        let result = try key.call(
            "reserveCredits",
            [
                "userId": .string(user), "amount": .integer(amount), "ttlSeconds": .integer(ttl),
            ],
            &session
        )
        try session.show(result)
        guard result["outcome"]?.string != "insufficient" else { throw ExitCode.negative }
    }
}
