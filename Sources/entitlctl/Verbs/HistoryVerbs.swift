import ArgumentParser
import EntitlementsClient
import JSON

/// The pages of a user's history.
struct HistoryPages {
    private let user: String
    private var after: Int64

    init(of user: String, after: Int64?) {
        self.user = user
        self.after = after ?? 0
    }

    /// The next events; empty at the end.
    mutating func next(_ session: inout Session) throws(ClientError) -> [JSONValue] {
        let result = try session.call(
            "getHistory",
            ["userId": .string(user), "afterSeq": .integer(after), "limit": .integer(100)]
        )
        let events = result["events"]?.array ?? []
        guard let last = events.last else { return events }
        // A position that stands still would be walked for ever.
        guard let seq = last["seq"]?.int64, seq > after else {
            throw ClientError(
                ClientError.LocalName.malformedReply,
                "the history does not move",
                retryable: false
            )
        }
        after = seq
        return events
    }
}

/// `history USER`: what changed, one JSON object a line.
struct HistoryVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Print what changed for a user, one JSON object a line."
    )

    @Argument(help: "The user's id.")
    var user: String

    @Option(help: ArgumentHelp("Only what came after this position.", valueName: "seq"))
    var after: Int64?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    var callSeconds: Double { 30 }

    func perform(_ session: inout Session) throws {
        var pages = HistoryPages(of: user, after: after)
        while true {
            let events = try pages.next(&session)
            guard !events.isEmpty else { return }
            for event in events { Terminal.show(Terminal.json(event)) }
        }
    }
}

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
        session.show(result) { result in
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
            shown["seq"] = result["seq"]
            return TextBlock(shown).text
        }
    }
}
