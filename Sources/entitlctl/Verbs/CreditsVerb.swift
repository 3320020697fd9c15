import ArgumentParser
import JSON

/// `credits USER`: what can be spent, and where it comes from.
struct CreditsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "credits",
        abstract: "A user's credits."
    )

    @Argument(help: "The user's id.")
    var user: String

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        let result = try session.call("getCredits", ["userId": .string(user)])
        try session.show(result) { result in
            var shown: JSONObject = ["balance": result["balance"] ?? .null]
            shown["held"] = result["held"]
            var lines = [TextBlock(shown).text]
            for bucket in result["buckets"]?.array ?? [] {
                let amount = TextBlock.word(bucket["amount"] ?? .null)
                let source = TextBlock.word(bucket["source"] ?? .null)
                let end = bucket["expiresAt"]?.string.map { " until " + Terminal.safe($0) } ?? ""
                lines.append("  \(amount) from \(source)\(end)")
            }
            return lines.joined(separator: "\n")
        }
    }
}
