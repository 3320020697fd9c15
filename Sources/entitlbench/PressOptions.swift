import ArgumentParser
import Foundation
import LoadGenerator

/// Which accounts, and by whom documents are signed.
struct PressOptions: ParsableArguments {
    @Option(help: "How many accounts.")
    var accounts = 1_000_000

    @Option(help: "User ids: user-0000001 and so on, or UUIDs.")
    var names = AccountNames.Form.numbered

    @Option(help: "The number of the first of them.")
    var firstAccount = 1

    @Option(help: "The directory of the signing chain; made where it is missing.")
    var press = "press"

    @Option(help: "The environment that documents name: Production or Sandbox.")
    var environment = "Production"

    @Option(help: "Notifications signed before a run.")
    var documents = 20_000

    @Option(help: "A number that no earlier run had, for keys used once; by default the clock's.")
    var run: UInt64?

    /// Takes these options over.
    func apply(to plan: inout LoadPlan) {
        plan.accounts = accounts
        plan.names = names
        plan.firstAccount = firstAccount
        plan.pressDirectory = press
        plan.environment = environment
        plan.documents = documents
        plan.run = run ?? UInt64(Date().timeIntervalSince1970 * 1_000)
    }
}
