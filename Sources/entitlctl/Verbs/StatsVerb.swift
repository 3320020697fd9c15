import ArgumentParser

/// `stats`: figures about the daemon.
struct StatsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Figures about the daemon."
    )

    static let door = Door.admin

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        try session.show(session.call("stats"))
    }
}
