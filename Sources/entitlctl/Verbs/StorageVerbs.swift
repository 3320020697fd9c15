import ArgumentParser
import EntitlementsClient
import Foundation
import JSON

/// `backup PATH`: a copy of everything, made while the daemon works.
struct BackupVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy everything that is kept to a new directory on the daemon's host.",
        discussion: """
            The directory must not be there yet, and the daemon's user must be able to make it. \
            It becomes a data directory, with which a daemon can start. The digest is the \
            SHA-256 of data.mdb, then the journal's segments in their order, then base/data.mdb \
            where there is one.
            """
    )

    static let door = Door.admin

    @Argument(help: "The new directory.")
    var path: String

    @OptionGroup(title: "Global options") var global: GlobalOptions

    /// A large store takes long to copy.
    var callSeconds: Double { 6 * 3_600 }

    func perform(_ session: inout Session) throws {
        // The daemon has another working directory.
        let absolute = URL(fileURLWithPath: path).standardizedFileURL.path
        let result = try session.call("backup", ["path": .string(absolute)])
        session.show(result) { TextBlock($0).text }
    }
}

/// `load [FILE]`: puts rows in that `dump` printed.
struct LoadVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Store rows as dump prints them, one JSON object a line.",
        discussion: """
            Rows go in pages, each of them whole or not at all; a row that is there with the \
            same value is passed over, and one with another value is refused. After a failure \
            the same file can be loaded again.
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
            do {
                let result = try session.call("load", ["entries": .array(page.rows)])
                loaded += result["loaded"]?.int64 ?? 0
            } catch {
                let index = error.object["data"]?["index"]?.int64.map(Int.init)
                let line = index.flatMap { page.lines.indices.contains($0) ? page.lines[$0] : nil }
                Terminal.complain(
                    "entitlctl: \(loaded) rows were loaded; "
                        + (line.map { "line \($0) was refused" }
                            ?? "the page from line \(page.lines.first ?? 0) on failed")
                )
                throw error
            }
            Terminal.progress("\(loaded) rows")
        }
        Terminal.progress("")
        session.show(["loaded": .integer(loaded)]) { TextBlock($0).text }
    }
}

/// `log-level LEVEL`: what the daemon logs from now on.
struct LogLevelVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "log-level",
        abstract: "Set what the daemon logs, until it reads its configuration again."
    )

    static let door = Door.admin

    @Argument(help: "trace, debug, info, notice, warning, error or critical.")
    var level: String

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        let result = try session.call("setLogLevel", ["level": .string(level)])
        session.show(result) { TextBlock($0).text }
    }
}
