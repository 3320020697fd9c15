import ArgumentParser
import JSON

/// `timeline USER`: the history, drawn for a person.
struct TimelineVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: "Draw a user's history.",
        discussion: "● somebody did something, ○ time alone changed something. Times are in UTC."
    )

    @Argument(help: "The user's id.")
    var user: String

    @OptionGroup(title: "Global options") var global: GlobalOptions

    var callSeconds: Double { 30 }

    func perform(_ session: inout Session) throws {
        var pages = HistoryPages(of: user, after: nil)
        var timeline = Timeline()
        var told: [JSONValue] = []
        while true {
            let events = try pages.next(&session)
            guard !events.isEmpty else { break }
            if session.isJSON {
                told += events
            } else {
                for event in events {
                    for line in timeline.lines(of: event) { try Terminal.show(line) }
                }
            }
        }
        var whole: JSONObject = ["events": .array(told)]
        whole["oldest"] = pages.oldest.map { .string($0) }
        try Terminal.show(
            session.isJSON ? Terminal.json(.object(whole)) : timeline.end(since: pages.oldest)
        )
    }
}
