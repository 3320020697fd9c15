import ArgumentParser
import EntitlementsClient
import JSON

/// `load [FILE]`: puts rows in that `dump` printed.
struct LoadVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Store rows as dump prints them, one JSON object a line.",
        discussion: """
            Rows go in pages, each of them whole or not at all. A row that is there with the \
            same value counts as loaded, and one with another value is refused. Rows of meta, \
            alarms, ticks and tombstones, which the daemon makes itself, are passed over. After \
            a failure the same file can be loaded again.
            """
    )

    static let door = Door.admin

    @Argument(help: "The file; - or nothing reads standard input.")
    var file = "-"

    @OptionGroup(title: "Global options") var global: GlobalOptions

    var callSeconds: Double { 60 }

    func perform(_ session: inout Session) throws {
        var pages = try LoadPages(file)
        var loaded: Int64 = 0
        while let page = try pages.next() {
            do throws(ClientError) {
                let rows = JSONValue.array(page.map(\.value))
                loaded += try session.call("load", ["entries": rows])["loaded"]?.int64 ?? 0
            } catch {
                // The daemon's frames are shorter, and it has closed the connection.
                if error.name == "invalid_request", pages.halve(page) {
                    session = try global.session(to: Self.door, callSeconds)
                    continue
                }
                let index = error.object["data"]?["index"]?.int64.map(Int.init)
                let line = index.flatMap { page.indices.contains($0) ? page[$0].line : nil }
                Terminal.complain(
                    "entitlctl: \(loaded) rows were loaded; "
                        + (line.map { "line \($0) was refused" }
                            ?? "the page from line \(page[0].line) on failed")
                )
                throw error
            }
            Terminal.progress("\(loaded) rows")
        }
        Terminal.progress("")
        try session.show(["loaded": .integer(loaded)])
    }
}
