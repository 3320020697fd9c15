// entitlbench is the command line of the load generator, for contrib/bench.
//
// In reading order:
//   Entitlbench   below: the list of commands
//   SeedCommand   accounts to ask about
//   RunCommand    one load; WatchCommands has those that watch
//
// Its laws:
//   1. A run prints its figures as text, or as one JSON object for scripts.
//
// It never measures anything itself: LoadGenerator does.

import ArgumentParser
import Foundation
import JSON
import LoadGenerator

/// The load generator behind `make bench`.
@main
struct Entitlbench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entitlbench",
        abstract: "Load a daemon, or one of the servers that it is compared with.",
        discussion: """
            One thread, one epoll loop, no allocation for a request: the client's cost is the same \
            for every server.

            Exit codes: 0 ok, 1 a reply was an error, 2 usage, 69 the server cannot be reached or \
            left.
            """,
        version: "entitlbench 0.1.0",
        subcommands: [
            RunCommand.self, SeedCommand.self, SignCommand.self, WatchExpiryCommand.self,
            WatchCrowdCommand.self,
        ],
        defaultSubcommand: RunCommand.self
    )

    /// Parses, runs, and leaves with an exit code (docs/operating.md, "Exit codes").
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let failure as LoadFailure {
            leave(.unreachable, "entitlbench: \(failure)")
        } catch {
            let code = exitCode(for: error)
            let message = fullMessage(for: error)
            if code == .success { print(message) }
            leave(code == .validationFailure ? .usage : code, code == .success ? "" : message)
        }
    }

    private static func leave(_ code: ExitCode, _ message: String) -> Never {
        let shown = VisibleText.lines(message, quoted: CommandLine.arguments)
        // Nobody need listen any more.
        if !message.isEmpty {
            try? FileHandle.standardError.write(contentsOf: Data((shown + "\n").utf8))
        }
        fflush(nil)
        Foundation.exit(code.rawValue)
    }
}

extension ExitCode {
    /// A reply was an error.
    static let negative = ExitCode(1)
    /// The command line is wrong.
    static let usage = ExitCode(2)
    /// The server cannot be reached.
    static let unreachable = ExitCode(69)
}

extension Endpoint: ExpressibleByArgument {
    /// The endpoint that a command line names.
    public init?(argument: String) { self.init(argument) }
}

extension LoadPlan.Load: ExpressibleByArgument {}
extension KeySequence.Distribution: ExpressibleByArgument {}
extension Seeding.Access: ExpressibleByArgument {}
extension AccountNames.Form: ExpressibleByArgument {}
