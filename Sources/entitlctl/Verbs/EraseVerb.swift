import ArgumentParser
import EntitlementsClient
import JSON

/// `erase USER`: forgets a person; asks before.
struct EraseVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase everything about a user."
    )

    static let door = Door.admin

    @Argument(help: "The user's id.")
    var user: String

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup(title: "Global options") var global: GlobalOptions

    var callSeconds: Double { 60 }

    func perform(_ session: inout Session) throws {
        let question = "Erase everything about \(Terminal.safe(user))? It does not come back."
        try Terminal.confirm(question, unless: yes, refused: "nothing was erased")
        try session.show(session.call("eraseUser", ["userId": .string(user)]))
    }
}
