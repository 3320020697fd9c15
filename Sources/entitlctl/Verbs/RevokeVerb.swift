import ArgumentParser
import JSON

/// `revoke USER GRANT`: takes a grant back.
struct RevokeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Take a grant back."
    )

    static let door = Door.admin

    @Argument(help: "The user's id.")
    var user: String

    @Argument(help: "The grant's name, as grant printed it.")
    var grant: String

    @Option(help: "The reason, for the history.")
    var reason: String?

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        let question = "Revoke the grant \(Terminal.safe(grant)) of \(Terminal.safe(user))?"
        try Terminal.confirm(question, unless: yes, refused: "nothing was revoked")
        var parameters: JSONObject = ["userId": .string(user), "grant": .string(grant)]
        parameters["reason"] = reason.map { .string($0) }
        let result = try session.call("revokeGrant", parameters)
        try session.show(result) { result in
            var shown: JSONObject = ["revoked": .string(grant)]
            for member in ["state", "plan"] { shown[member] = result["status"]?[member] }
            shown["seq"] = result["seq"]
            return TextBlock(shown).text
        }
    }
}
