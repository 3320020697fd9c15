import ArgumentParser

/// `ping`: whether the daemon answers.
struct PingVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "ping",
        abstract: "Whether the daemon answers."
    )

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        try session.show(session.call("ping")) { _ in "pong" }
    }
}
