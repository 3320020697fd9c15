import ArgumentParser

/// `entitld serve`: the daemon.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Keep entitlements, and answer app servers and stores, until told to stop."
    )

    @OptionGroup var options: ConfigurationOptions

    @Flag(
        help: """
            Start although the clock is more than an hour behind the journal: it is right now, and \
            was ahead when the journal was last written.
            """
    )
    var allowClockBehind = false

    func run() async throws {
        // Before anything can be lost: a signal that comes while parts start is kept until then.
        let signals = try SignalStream.signals()
        let configured = try Configured(options)
        let daemon = try await Daemon(configured, allowsClockBehind: allowClockBehind)
        try await daemon.serve(options, signals)
    }
}
