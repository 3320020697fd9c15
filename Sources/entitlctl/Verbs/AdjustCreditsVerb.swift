import ArgumentParser
import JSON

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
