import ArgumentParser
import JSON

/// `outbox`: the systems that are told of changes.
struct OutboxVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "Look at the systems that are told of changes, and help where one is stuck.",
        subcommands: [List.self, Retry.self, Skip.self, Test.self],
        defaultSubcommand: List.self
    )

    /// `outbox list`: exit 1 where something is parked, or nothing goes through.
    struct List: Verb {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "How far each outbox is: exit 1 where one is down or has parked changes."
        )

        static let door = Door.admin

        @OptionGroup(title: "Global options") var global: GlobalOptions

        func perform(_ session: inout Session) throws {
            let result = try session.call("getOutboxes")
            let outboxes = (result["outboxes"]?.array ?? []).compactMap(\.object)
            try session.show(result) { _ in
                outboxes.isEmpty
                    ? "no system is told of changes"
                    : outboxes.map { TextBlock($0).text }.joined(separator: "\n\n")
            }
            let isWell = outboxes.allSatisfy { $0["state"] != "down" && $0["parked"] == 0 }
            guard isWell else { throw ExitCode.negative }
        }
    }

    /// `outbox retry`: tells again what was given up; exit 1 where some of it stays parked, or
    /// where nothing has the id.
    struct Retry: Verb {
        static let configuration = CommandConfiguration(
            commandName: "retry",
            abstract: "Tell a system again what was given up, or the state of every account.",
            discussion: """
                What failed and waits for its next attempt is tried at once. Of a user the newest \
                change alone is told again, or the present state: these say all. An erasure stays \
                parked, because nothing says any more whose it was: erase the person again.
                """
        )

        static let door = Door.admin

        @Argument(help: "The outbox, as the configuration calls it.")
        var name: String

        @Argument(help: "One parked change alone, by its id.")
        var id: String?

        @Flag(help: "Tell the state of every account, as for a system that begins empty.")
        var everything = false

        @OptionGroup(title: "Global options") var global: GlobalOptions

        func validate() throws {
            guard id == nil || !everything else {
                throw ValidationError("--everything goes without an id")
            }
        }

        func perform(_ session: inout Session) throws {
            var asked: JSONObject = ["name": .string(name)]
            asked["id"] = id.map { .string($0) }
            if everything { asked["everything"] = true }
            let result = try session.call("retryOutbox", asked)
            try session.show(result) { result in
                everything
                    ? "The state of every account is told now: entitlctl outbox shows how far."
                    : TextBlock(result).text
            }
            if let id, result["retried"] == 0, result["stillParked"] == 0 {
                Terminal.complain("entitlctl: nothing with the id \(id) is parked")
                throw ExitCode.negative
            }
            guard let stillParked = result["stillParked"]?.int64, stillParked > 0 else { return }
            Terminal.complain(
                "entitlctl: \(stillParked) stay parked: an erasure is told anew when you erase "
                    + "the person again; try the others once more, or skip them"
            )
            throw ExitCode.negative
        }
    }

    /// `outbox skip`: gives up one change.
    struct Skip: Verb {
        static let configuration = CommandConfiguration(
            commandName: "skip",
            abstract: "Give up a change that a system never takes, so that the next one is told."
        )

        static let door = Door.admin

        @Argument(help: "The outbox, as the configuration calls it.")
        var name: String

        @Argument(help: "The change, by its id.")
        var id: String

        @Flag(help: "Do not ask.")
        var yes = false

        @OptionGroup(title: "Global options") var global: GlobalOptions

        func perform(_ session: inout Session) throws {
            let (change, system) = (Terminal.safe(id), Terminal.safe(name))
            let question = "Give up \(change)? \(system) is never told of it."
            try Terminal.confirm(question, unless: yes, refused: "nothing was given up")
            let asked: JSONObject = ["name": .string(name), "id": .string(id)]
            try session.show(session.call("skipOutbox", asked)) { _ in "skipped" }
        }
    }

    /// `outbox test`: posts a message that says nothing.
    struct Test: Verb {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Post a test message to a system, now: exit 1 when it is not taken."
        )

        static let door = Door.admin

        @Argument(help: "The outbox, as the configuration calls it.")
        var name: String

        @OptionGroup(title: "Global options") var global: GlobalOptions

        var callSeconds: Double { 30 }

        func perform(_ session: inout Session) throws {
            let result = try session.call("testOutbox", ["name": .string(name)])
            try session.show(result)
            guard result["delivered"] == true else { throw ExitCode.negative }
        }
    }
}
