import ArgumentParser
import EntitlementsClient
import JSON

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
        try session.show(session.call("setLogLevel", ["level": .string(level)]))
    }
}
