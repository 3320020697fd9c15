// stripesim is the command line of the simulated Stripe.
//
// In reading order:
//   Stripesim      below: the list of commands
//   MintCommand    a new account in a directory; ListCommand what was sold
//   ActCommand     one thing that a customer does, and the events of it
//   RunCommand     many customers at once; ServeCommand the API over HTTP
//
// Its laws:
//   1. An account is a directory: commands share nothing else.
//
// It never serves anybody but loopback, and takes no money.

import ArgumentParser
import SimulatorProgram
import StripeSimulator

/// A local Stripe for demos, tests and a user's own CI.
@main
struct Stripesim: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stripesim",
        abstract: "A local Stripe: signed events, and the API that answers about them.",
        discussion: """
            Exit codes: 0 ok, 1 not delivered or refused by the account, 2 usage, \
            78 the directory cannot be used.
            """,
        version: "stripesim 0.1.0",
        subcommands: [
            MintCommand.self, ActCommand.self, ListCommand.self, RunCommand.self,
            ServeCommand.self,
        ]
    )

    /// Parses, runs, and leaves with an exit code, as `--help` lists them.
    static func main() async {
        await SimulatorProgram.main(Stripesim.self, "stripesim") { $0 is StripeRefusal }
    }
}

extension SoldPrice: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension StripeAction: ExpressibleByArgument {}
extension StripeWords.Naming: ExpressibleByArgument {}

/// Which account.
struct AccountArguments: ParsableArguments {
    @Argument(help: .init("The account's directory, as mint made it.", valueName: "dir"))
    var path: String

    var directory: StripeDirectory { StripeDirectory(path) }
}
