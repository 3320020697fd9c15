// playstoresim is the command line of the simulated Google Play.
//
// In reading order:
//   Playstoresim   below: the list of commands
//   MintCommand    a new store in a directory
//   ActCommand     one thing that a customer does, and the push of it; TestCommand a push alone
//   ListCommand    what was bought
//   RunCommand     many customers at once
//   ServeCommand   Google's servers over HTTP, as far as a daemon asks them
//
// Its laws:
//   1. A store is a directory: commands share nothing else.
//
// It never serves anybody but loopback, and is no store for real customers.

import AppStoreSimulator
import ArgumentParser
import Foundation
import JSON
import PlayStoreSimulator

/// A local Google Play for demos, tests and a user's own CI.
@main
struct Playstoresim: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "playstoresim",
        abstract: "A local Google Play: signed pushes, access tokens, the Android Publisher API.",
        discussion: """
            Exit codes: 0 ok, 1 not delivered or refused by the store, 2 usage, \
            78 the directory cannot be used.
            """,
        version: "playstoresim 0.1.0",
        subcommands: [
            MintCommand.self, ActCommand.self, TestCommand.self, ListCommand.self,
            RunCommand.self, ServeCommand.self,
        ]
    )

    /// Parses, runs, and leaves with an exit code, as `--help` lists them.
    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let refusal as PlayRefusal {
            leave(.negative, "playstoresim: \(refusal)")
        } catch let failure as DirectoryFailure {
            leave(.environment, "playstoresim: \(failure)")
        } catch {
            let code = exitCode(for: error)
            let message = fullMessage(for: error)
            if code == .success {
                print(message)
                leave(code, "")
            }
            leave(code == .validationFailure ? .usage : code, message)
        }
    }

    private static func leave(_ code: ExitCode, _ message: String) -> Never {
        let shown = VisibleText.lines(message, quoted: CommandLine.arguments)
        if !message.isEmpty { FileHandle.standardError.write(Data((shown + "\n").utf8)) }
        fflush(nil)
        Foundation.exit(code.rawValue)
    }

    /// Whole and at once, whatever the output is.
    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((VisibleText.line(line) + "\n").utf8))
    }
}

extension ExitCode {
    /// Not delivered, or refused by the store.
    static let negative = ExitCode(1)
    /// The command line is wrong.
    static let usage = ExitCode(2)
    /// The directory cannot be used.
    static let environment = ExitCode(78)
}

extension StoreTime: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension PlayItem: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension PlayAction: ExpressibleByArgument {}

/// Which store.
struct StoreArguments: ParsableArguments {
    @Argument(help: .init("The store's directory, as mint made it.", valueName: "dir"))
    var path: String

    var directory: PlayDirectory { PlayDirectory(path) }
}
