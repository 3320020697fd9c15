import ArgumentParser
import EntitlementsClient
import JSON

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
            try Terminal.show(rows: events)
        }
    }
}
