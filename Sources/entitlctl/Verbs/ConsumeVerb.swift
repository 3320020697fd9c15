import ArgumentParser
import JSON

/// `consume USER`: spends credits; exit 1 when there are too few.
struct ConsumeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "consume",
        abstract: "Spend credits: exit 1 when there are too few.",
        discussion: "Repeating a call with the same key never charges twice."
    )

    @Argument(help: "The user's id.")
    var user: String

    @Option(help: "How many.")
    var amount: Int64 = 1

    @OptionGroup var key: KeyOption

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        let result = try key.call(
            "consumeCredit",
            ["userId": .string(user), "amount": .integer(amount)],
            &session
        )
        try session.show(result)
        guard result["outcome"]?.string != "insufficient" else { throw ExitCode.negative }
    }
}
