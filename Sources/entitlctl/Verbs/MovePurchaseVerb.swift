import ArgumentParser
import JSON

/// `move-purchase USER STORE ID --reason WHY`: gives a purchase to a user.
struct MovePurchaseVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "move-purchase",
        abstract: "Give a purchase to a user, whoever has it now."
    )

    static let door = Door.admin

    @Argument(help: "Who is to have it.")
    var user: String

    @Argument(help: "The store: app_store, google_play or stripe.")
    var store: String

    @Argument(help: "The original transaction id.")
    var purchase: String

    @Option(help: "Why, for the history.")
    var reason: String

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        let question =
            "Move the purchase \(Terminal.safe(purchase)) to \(Terminal.safe(user))?"
        try Terminal.confirm(question, unless: yes, refused: "nothing was moved")
        let result = try session.call(
            "movePurchase",
            [
                "store": .string(store), "originalTransactionId": .string(purchase),
                "toUserId": .string(user), "reason": .string(reason),
            ]
        )
        try session.show(result) { result in
            var shown: JSONObject = ["moved": .string(purchase)]
            for member in ["userId", "state", "plan"] { shown[member] = result["status"]?[member] }
            shown["seq"] = result["seq"]
            return TextBlock(shown).text
        }
    }
}
