import ArgumentParser
import CLinux
import Glibc

/// The daemon's command line.
@main
struct Entitld: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entitld",
        abstract: "Knows, for every user of an app, what they may do right now.",
        version: Build.version,
        subcommands: [Serve.self, CheckConfig.self, Verify.self, Compact.self]
    )

    static func main() async {
        linux_hold_standard_descriptors()
        // First: whatever crashes later is over at once, and can be started again.
        linux_report_crashes("entitld")
        // A peer that is gone is an error of a write, not the end of the daemon.
        signal(SIGPIPE, SIG_IGN)
        // A file that is as large as this process may make it is no reason either: that is
        // storage_full.
        signal(SIGXFSZ, SIG_IGN)
        // Nothing that this process makes is anybody else's to read; LMDB's copies among it.
        umask(0o077)
        do {
            try AddressSpace.prepare()
            var command = try parseAsRoot(Arguments.reordered(CommandLine.arguments))
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let stop as Stop {
            stop.exit()
        } catch {
            let code = exitCode(for: error)
            if code == .success {
                print(fullMessage(for: error))
                Glibc.exit(0)
            }
            Stop.usage(fullMessage(for: error)).exit()
        }
    }
}

/// What this build is.
enum Build {
    static let version = "0.1.0"
}

/// The options of every command.
struct ConfigurationOptions: ParsableArguments {
    static let defaultPath = "/etc/entitld/entitld.yaml"

    @Option(name: .customLong("config"), help: "The configuration file (\(defaultPath)).")
    var path: String?
}

/// Options may stand before the verb; the parser wants them after it.
enum Arguments {
    static func reordered(_ arguments: [String]) -> [String] {
        var rest = Array(arguments.dropFirst())
        var leading: [String] = []
        while let first = rest.first, first.hasPrefix("--config") {
            let count = first == "--config" ? min(2, rest.count) : 1
            leading += rest.prefix(count)
            rest.removeFirst(count)
        }
        guard let verb = rest.first else { return leading }
        return [verb] + leading + rest.dropFirst()
    }
}
