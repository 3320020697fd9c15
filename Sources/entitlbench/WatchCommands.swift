import ArgumentParser
import Foundation
import JSON
import LoadGenerator

/// `watch-expiry`: how late a watcher hears of what time alone has ended.
struct WatchExpiryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch-expiry",
        abstract: "Measure how late a watcher hears that access has ended by time alone."
    )

    @Option(help: "The admin's socket.")
    var admin: Endpoint

    @Option(help: "Users whose access ends.")
    var expiries = 1_000

    @Option(help: "Seconds over which their ends are spread; 0: all at once.")
    var over = 5.0

    @Option(help: "Seconds until the first end; the grants must be given by then.")
    var lead = 3.0

    @Option(help: "The plan that grants give.")
    var plan = "paid"

    @Flag(help: "One JSON object instead of text.")
    var json = false

    func validate() throws {
        if expiries < 1 { throw ValidationError("--expiries is at least 1") }
        if over < 0 || lead <= 0 { throw ValidationError("--over and --lead are durations") }
    }

    func run() throws {
        var watch = ExpiryWatch(at: admin)
        watch.count = expiries
        watch.spreadSeconds = over
        watch.leadSeconds = lead
        watch.plan = plan
        watch.run = UInt64(Date().timeIntervalSince1970 * 1_000)
        let result = try watch.measure()
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            print(VisibleText.json(String(decoding: try encoder.encode(result), as: UTF8.self)))
        } else {
            print(VisibleText.lines(result.text))
        }
        if result.heard < expiries || result.early > 0 { throw ExitCode.negative }
    }
}

/// `watch-crowd`: many that watch, and some who never read.
struct WatchCrowdCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch-crowd",
        abstract: "Open connections that watch; some read what they are told, others never do."
    )

    @Option(
        name: [.customLong("to"), .customLong("socket")],
        help: "The daemon's socket."
    )
    var endpoint: Endpoint

    @Option(help: "Connections that read.")
    var readers = 500

    @Option(help: "Connections that never read.")
    var sleepers = 500

    @Option(name: .customLong("duration"), help: "Seconds for which they watch.")
    var seconds = 10.0

    func run() throws {
        var crowd = WatchCrowd(at: endpoint)
        crowd.readers = readers
        crowd.sleepers = sleepers
        crowd.seconds = seconds
        let (bytes, lost) = try crowd.watch()
        print("\(readers) readers were told \(bytes) bytes, \(lost) of them were cut off")
        if lost > 0 { throw ExitCode.negative }
    }
}
