import ArgumentParser
import JSON

/// What `grant-credits` and `adjust-credits` have in common.
struct CreditingOptions: ParsableArguments {
    @OptionGroup var key: KeyOption

    @Option(help: ArgumentHelp("When they end; never when absent.", valueName: "time"))
    var expiresAt: String?

    @Option(help: "Their source, as the command credits shows it.")
    var source: String?

    @Option(help: "The reason, for the history.")
    var reason: String?

    func call(
        _ method: String,
        _ user: String,
        _ amount: Int64,
        _ session: inout Session
    ) throws {
        var parameters: JSONObject = ["userId": .string(user), "amount": .integer(amount)]
        parameters["expiresAt"] = expiresAt.map { .string($0) }
        parameters["source"] = source.map { .string($0) }
        parameters["reason"] = reason.map { .string($0) }
        let result = try key.call(method, parameters, &session)
        session.show(result) { TextBlock($0).text }
    }
}

/// `grant-credits USER AMOUNT`: gives credits.
struct GrantCreditsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "grant-credits",
        abstract: "Give a user credits.",
        discussion: "Repeating a call with the same key never counts twice."
    )

    static let door = Door.admin

    @Argument(help: "The user's id.")
    var user: String

    @Argument(help: "How many.")
    var amount: Int64

    @OptionGroup var options: CreditingOptions

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        try options.call("grantCredits", user, amount, &session)
    }
}

/// `adjust-credits USER AMOUNT`: corrects the credits; asks before it takes any.
struct AdjustCreditsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "adjust-credits",
        abstract: "Correct a user's credits, up or down; stops at 0.",
        discussion: "To take credits, give a negative amount: adjust-credits alice -5"
    )

    static let door = Door.admin

    @Argument(help: "The user's id.")
    var user: String

    @Argument(help: "How many; a negative number takes credits away.")
    var amount: Int64

    @OptionGroup var options: CreditingOptions

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        let question = "Take \(amount.magnitude) credits from \(Terminal.safe(user))?"
        try Terminal.confirm(question, unless: amount >= 0 || yes, refused: "nothing was taken")
        try options.call("adjustCredits", user, amount, &session)
    }
}
