import ArgumentParser
import DaemonConfiguration
import Logging
import Telemetry

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
        // Before anything can be lost. While parts start, which may mean a long replay, a signal
        // ends the process: nobody was answered yet.
        EarlyEnd.begin {}
        let signals = try SignalStream.signals()
        let configured = try Configured(options)
        let log = configured.settings.log
        EarlyEnd.begin {
            let level = Logger.Level(rawValue: log.level.rawValue) ?? .info
            LogSink(format: log.format == .json ? .json : .text, level: level)
                .announce("stopped", [.reason: "it was told to end before it was ready"])
        }
        let daemon = try await Daemon(configured, allowsClockBehind: allowClockBehind)
        EarlyEnd.isOver()
        try await daemon.serve(options, signals)
    }
}
