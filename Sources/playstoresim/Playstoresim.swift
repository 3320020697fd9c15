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

import ArgumentParser
import PlayStoreSimulator
import SimulatorProgram

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
        await SimulatorProgram.main(Playstoresim.self, "playstoresim") { $0 is PlayRefusal }
    }
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
