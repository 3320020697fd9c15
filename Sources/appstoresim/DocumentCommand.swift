import AppStoreSimulator
import ArgumentParser

/// `document DIR SUBSCRIBER`: what the app would hand to its server.
struct DocumentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "document",
        abstract: "Print a subscriber's signed transaction, as an app gets it on a device."
    )

    @OptionGroup var store: StoreArguments

    @Argument(help: "The subscriber.")
    var subscriber: String

    @Flag(help: "The renewal information instead.")
    var renewal = false

    @Option(help: "Which transaction: current, previous, purchase or a number.")
    var transaction = TransactionChoice.current

    func run() throws {
        let till = Till(try store.settings())
        guard var customer = try store.directory.subscriber(subscriber) else {
            throw DirectoryFailure(description: "there is no subscriber \(subscriber)")
        }
        let authority = try store.directory.authority()
        if renewal {
            print(try customer.signedRenewal(by: authority, till))
        } else {
            print(try customer.signedTransaction(transaction, by: authority, till))
        }
        try store.directory.keep(customer)
    }
}
