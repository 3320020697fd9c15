// appstoresim is the command line of the simulated App Store.
//
// In reading order:
//   Appstoresim    below: the list of commands
//   MintCommand    a new store in a directory
//   ActCommand     one thing that a customer does; WaitCommand waits for what follows
//   RunCommand     many customers at once
//   ServeCommand   the store's API over HTTP
//
// Its laws:
//   1. A store is a directory: commands share nothing else.
//
// It never serves anybody but loopback, and is no store for real customers.

import AppStoreSimulator
import ArgumentParser
import SimulatorProgram

/// A local App Store for demos, tests and a user's own CI.
@main
struct Appstoresim: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "appstoresim",
        abstract: "A local App Store: own certificates, real signatures, short months.",
        discussion: """
            A daemon trusts it only where its configuration names DIR/root.pem in \
            apple.rootCertificateFiles.

            Exit codes: 0 ok, 1 not delivered or refused by the store, 2 usage, \
            78 the directory cannot be used.
            """,
        version: "appstoresim 0.1.0",
        subcommands: [
            MintCommand.self, ActCommand.self, WaitCommand.self, DocumentCommand.self,
            AnnounceCommand.self, RunCommand.self, ServeCommand.self, TokenCommand.self,
        ]
    )

    /// Parses, runs, and leaves with an exit code, as `--help` lists them.
    static func main() async {
        await SimulatorProgram.main(Appstoresim.self, "appstoresim") { $0 is StoreRefusal }
    }
}
