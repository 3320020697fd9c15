import ArgumentParser
import EntitlementsClient
import JSON

/// `explain USER`: why a status is what it is.
struct ExplainVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Why a user's status is what it is, now or at a past moment."
    )

    @Argument(help: "The user's id.")
    var user: String

    @Option(help: ArgumentHelp("A past moment.", valueName: "time"))
    var at: String?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        var parameters: JSONObject = ["userId": .string(user)]
        parameters["at"] = at.map { .string($0) }
        let result = try session.call("explain", parameters)
        try session.show(result) { result in
            var shown: JSONObject = ["at": result["at"] ?? .null]
            for member in ["rule", "because", "catalogVersion", "credits"] {
                shown[member] = result[member]
            }
            for member in ["state", "canRender", "plan", "nextChangeAt"] {
                shown[member] = result["status"]?[member]
            }
            shown["facts"] = .array(
                (result["facts"]?.array ?? [])
                    .map { fact in
                        let id = fact["originalTransactionId"]?.string ?? ""
                        return .string("\(id) \(fact["standing"]?.string ?? "no standing")")
                    }
            )
            let grants = result["grants"]?.array ?? []
            if !grants.isEmpty { shown["grants"] = .array(grants.map(Self.line)) }
            shown["seq"] = result["seq"]
            return TextBlock(shown).text
        }
    }

    private static func line(_ grant: JSONValue) -> JSONValue {
        func word(_ name: String, or other: String) -> String { grant[name]?.string ?? other }
        let holds = grant["holds"] == true ? "holds" : "does not hold"
        let plan = word("plan", or: "a plan that is no more")
        return .string("\(word("grant", or: "")) \(plan) until \(word("until", or: "")), \(holds)")
    }
}
