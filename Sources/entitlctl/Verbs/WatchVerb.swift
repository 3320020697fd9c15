import ArgumentParser
import EntitlementsClient
import JSON

/// `watch`: every change as it happens, one JSON object a line.
struct WatchVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print every change as it happens, one JSON object a line, until stopped.",
        discussion: """
            The first line is {"seq": …}, how far the journal is now; each other line names its \
            event: entitlementChanged, storeEvent (what a store said that changed no status), \
            catalogChanged, heartbeat, or resync when changes were missed. A lost connection is \
            made again, and the watch goes on where it was.
            """
    )

    @Argument(
        help: ArgumentHelp("Only these users; everybody if none is named.", valueName: "user")
    )
    var users: [String] = []

    @Option(name: .customLong("user"), help: "One more user; repeatable.")
    var more: [String] = []

    @Option(help: ArgumentHelp("Also what came after this position.", valueName: "seq"))
    var fromSeq: Int64?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if let fromSeq, fromSeq < 0 { throw ValidationError("--from-seq is 0 or more") }
    }

    func run() throws {
        try global.reporting {
            var feed = WatchFeed(
                WatchFeed.Subject(
                    at: try global.place(of: .app),
                    users: users.isEmpty && more.isEmpty ? nil : users + more,
                    fromSeq: fromSeq,
                    timeout: global.patience(5),
                    frameBytesMax: ClientLimits.frameBytesCeiling
                )
            )
            var hasBegun = false
            var isLost = false
            while true {
                switch try feed.next() {
                case .joined(let seq):
                    if isLost { Terminal.complain("entitlctl: connected again") }
                    if !hasBegun { try Terminal.show(Terminal.json(["seq": .integer(seq)])) }
                    (hasBegun, isLost) = (true, false)
                case .told(let method, let parameters):
                    try Self.show(method, parameters)
                case .lost(let error):
                    if !isLost { Terminal.complain("entitlctl: \(Terminal.safe(error.message))") }
                    isLost = true
                case .rung: break
                }
            }
        }
    }

    /// One event, on a line of its own.
    private static func show(_ method: String, _ parameters: JSONObject) throws {
        var shown: JSONObject = ["event": .string(method)]
        for member in parameters.members { shown[member.key] = member.value }
        try Terminal.show(Terminal.json(.object(shown)))
    }
}
