import ArgumentParser
import JSON

/// `restore USER --jws FILE…`: links what a device knows of its user's purchases; exit 1 when all
/// are refused.
struct RestoreVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Link signed transactions to a user; exit 1 when all are refused."
    )

    @Argument(help: "The user's id.")
    var user: String

    @Option(
        name: .customLong("jws"),
        help: ArgumentHelp(
            "A signed transaction; - is standard input; repeatable.",
            valueName: "file"
        )
    )
    var documents: [String]

    @Option(help: "The token in the documents, if it is this user's and no account has it yet.")
    var appAccountToken: String?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        guard (1...100).contains(documents.count), documents.count(where: { $0 == "-" }) < 2
        else { throw ValidationError("--jws names 1 to 100 files, one of them standard input") }
    }

    func perform(_ session: inout Session) throws {
        let texts = try documents.map { JSONValue.string(try DocumentFile.text($0)) }
        var parameters: JSONObject = [
            "userId": .string(user), "signedTransactions": .array(texts),
        ]
        parameters["appAccountToken"] = appAccountToken.map { .string($0) }
        let result = try session.call("restorePurchases", parameters)
        try session.show(result) { result in
            var lines = (result["results"]?.array ?? [])
                .map { one in
                    let id = TextBlock.word(one["originalTransactionId"] ?? .null)
                    return "\(id)  \(TextBlock.word(one["outcome"] ?? .null))"
                }
            var shown: JSONObject = ["state": result["status"]?["state"] ?? .null]
            shown["plan"] = result["status"]?["plan"]
            lines.append(TextBlock(shown).text)
            return lines.joined(separator: "\n")
        }
        let outcomes = (result["results"]?.array ?? []).map { $0["outcome"] }
        // Packs of credits are not listed.
        let isRefused = !outcomes.isEmpty && outcomes.allSatisfy { $0 == "refused" }
        if isRefused { throw ExitCode.negative }
    }
}
