import ArgumentParser
import EntitlementsClient
import JSON

/// `watch`: every change as it happens, one JSON object a line.
struct WatchVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print every change as it happens, one JSON object a line, until stopped."
    )

    @Option(name: .customLong("user"), help: "Only this user; repeatable.")
    var users: [String] = []

    @Option(help: ArgumentHelp("Also what came after this position.", valueName: "seq"))
    var fromSeq: Int64?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        var parameters: JSONObject = [:]
        if !users.isEmpty { parameters["userIds"] = .array(users.map { .string($0) }) }
        parameters["fromSeq"] = fromSeq.map { .integer($0) }
        let result = try session.call("watch", parameters)
        print(Terminal.json(.object(result)))
        while true {
            let notification = try session.notification()
            print(Terminal.json(notification))
        }
    }
}
