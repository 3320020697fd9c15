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
        session.show(result) { result in
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

/// `consume USER`: spends credits; exit 1 when there are too few.
struct ConsumeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "consume",
        abstract: "Spend credits: exit 1 when there are too few.",
        discussion: "Repeating a call with the same key never charges twice."
    )

    @Argument(help: "The user's id.")
    var user: String

    @Option(help: "How many.")
    var amount: Int64 = 1

    @OptionGroup var key: KeyOption

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        let result = try key.call(
            "consumeCredit",
            ["userId": .string(user), "amount": .integer(amount)],
            &session
        )
        session.show(result) { TextBlock($0).text }
        guard result["outcome"]?.string != "insufficient" else { throw ExitCode.negative }
    }
}

/// `reserve USER`: sets credits aside; exit 1 when there are too few.
struct ReserveVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reserve",
        abstract: "Set credits aside: exit 1 when there are too few.",
        discussion: "They return by themselves when --ttl is over."
    )

    @Argument(help: "The user's id.")
    var user: String

    @Option(help: "How many.")
    var amount: Int64 = 1

    @Option(help: ArgumentHelp("For how long.", valueName: "seconds"))
    var ttl: Int64 = 300

    @OptionGroup var key: KeyOption

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        let result = try key.call(
            "reserveCredits",
            [
                "userId": .string(user), "amount": .integer(amount), "ttlSeconds": .integer(ttl),
            ],
            &session
        )
        session.show(result) { TextBlock($0).text }
        guard result["outcome"]?.string != "insufficient" else { throw ExitCode.negative }
    }
}

/// `commit RESERVATION`: spends what is held.
struct CommitVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "commit",
        abstract: "Spend what a reservation holds; exit 1 if it ended in another way."
    )

    @Argument(help: "The reservation's name, as reserve printed it.")
    var reservation: String

    @Option(help: "How many of the held credits; all when absent.")
    var amount: Int64?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        var parameters: JSONObject = ["reservation": .string(reservation)]
        parameters["amount"] = amount.map { .integer($0) }
        let result = try session.call("commitReservation", parameters)
        session.show(result) { TextBlock($0).text }
        guard result["outcome"]?.string == "committed" else { throw ExitCode.negative }
    }
}

/// `release RESERVATION`: gives back what is held.
struct ReleaseVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Give back what a reservation holds; exit 1 if it ended in another way."
    )

    @Argument(help: "The reservation's name, as reserve printed it.")
    var reservation: String

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        let parameters: JSONObject = ["reservation": .string(reservation)]
        let result = try session.call("releaseReservation", parameters)
        session.show(result) { TextBlock($0).text }
        guard result["outcome"]?.string == "released" else { throw ExitCode.negative }
    }
}

/// `reverse USER CONSUME-KEY`: puts a charge back.
struct ReverseVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reverse",
        abstract: "Put a charge back where the credits came from; exit 1 if there is none."
    )

    @Argument(help: "The user's id.")
    var user: String

    @Argument(help: "The key of the charge.")
    var consumeKey: String

    @OptionGroup var key: KeyOption

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        let result = try key.call(
            "reverseCredits",
            ["userId": .string(user), "consumeKey": .string(consumeKey)],
            &session
        )
        session.show(result) { TextBlock($0).text }
        guard result["outcome"]?.string == "reversed" else { throw ExitCode.negative }
    }
}
