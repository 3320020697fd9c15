import ArgumentParser
import JSON

/// `find TEXT`: whose something is that support has from a mail, a log or a receipt.
struct FindVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find the user who has an id, a token or a store's number; exit 1 if none has."
    )

    static let door = Door.admin

    @Argument(help: "A user id, a token, an account id, an order, transaction or purchase number.")
    var text: String

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        let result = try session.call("find", ["text": .string(text)])
        let matches = (result["matches"]?.array ?? []).compactMap(\.object)
        try session.show(result) { _ in
            matches.isEmpty
                ? "nothing is called so"
                : matches.map { TextBlock($0).text }.joined(separator: "\n\n")
        }
        if matches.isEmpty { throw ExitCode.negative }
    }
}
