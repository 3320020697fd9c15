import ArgumentParser
import JSON

/// `dump`: everything that is kept, one row a line.
struct DumpVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Print what is kept, one JSON object a line.",
        discussion: """
            Each line is {"table": …, "key": …, "value": …}. Pages are asked for one after the \
            other, so rows that change meanwhile may be seen before or after the change.
            """
    )

    static let door = Door.admin

    @Option(help: "Only this table.")
    var table: String?

    @Option(help: "Only keys that begin with this.")
    var prefix: String?

    @Option(help: "How many rows to ask for at once, 1 to \(DumpPages.rowsMax).")
    var limit = DumpPages.rowsMax

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        guard (1...DumpPages.rowsMax).contains(limit) else {
            throw ValidationError("--limit is 1 to \(DumpPages.rowsMax)")
        }
    }

    func perform(_ session: inout Session) throws {
        var pages = DumpPages(table: table, prefix: prefix, pageRows: limit)
        while let rows = try pages.next(&session) { try Terminal.show(rows: rows) }
    }
}
