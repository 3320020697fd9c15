import ArgumentParser
import JSON

/// `merge FROM INTO`: what an anonymous account has goes to the one that logged in.
struct MergeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Give what an anonymous account has to the one that logged in.",
        discussion: "It cannot be undone, and asks before; the first account is gone after it."
    )

    @Argument(help: "The anonymous account.")
    var from: String

    @Argument(help: "The account that logged in.")
    var into: String

    @OptionGroup var key: KeyOption

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        let question =
            "Give all that \(Terminal.safe(from)) has to \(Terminal.safe(into)), for good?"
        try Terminal.confirm(question, unless: yes, refused: "nothing was merged")
        let users: JSONObject = ["fromUserId": .string(from), "intoUserId": .string(into)]
        let result = try key.call("mergeAccounts", users, &session)
        try session.show(result) { result in
            var shown: JSONObject = ["merged": .string(from)]
            for member in ["userId", "state", "creditsRemaining", "plan"] {
                shown[member] = result["status"]?[member]
            }
            for member in ["replayed", "seq", "idempotencyKey"] { shown[member] = result[member] }
            return TextBlock(shown).text
        }
    }
}
