import ArgumentParser
import JSON

/// `list`: the users, or the keys of another table, one a line.
struct ListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print the users, or the keys of another table, one a line."
    )

    static let door = Door.admin

    @Argument(help: "The table.")
    var table = "accounts"

    @Option(help: "Only keys that begin with this.")
    var prefix: String?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        var pages = DumpPages(table: table, prefix: prefix, pageRows: DumpPages.rowsMax)
        // The object is printed as the pages come, for a table may be larger than memory.
        var separator = ""
        if session.isJSON {
            try Terminal.show("{\"table\":\(Terminal.json(.string(table))),\"keys\":[", end: "")
        }
        while let rows = try pages.next(&session) {
            guard !rows.isEmpty else { continue }
            if session.isJSON {
                let keys = rows.map { Terminal.json($0["key"] ?? .null) }.joined(separator: ",")
                try Terminal.show(separator + keys, end: "")
                separator = ","
            } else {
                try Terminal.show(rows.map { RowKey.word($0["key"]) }.joined(separator: "\n"))
            }
        }
        if session.isJSON { try Terminal.show("]}") }
    }
}
