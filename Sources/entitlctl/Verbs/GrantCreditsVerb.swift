import ArgumentParser
import JSON

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
