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

    @Flag(help: "The download of the app (an app transaction) instead.")
    var appTransaction = false

    @Option(help: "Which transaction: current, previous, announced, purchase or a number.")
    var transaction = TransactionChoice.current

    func validate() throws {
        guard !renewal || !appTransaction else {
            throw ValidationError("--renewal and --app-transaction are two documents")
        }
    }

    func run() throws {
        let books = try store.books()
        // Downloading the app makes somebody a customer.
        guard try appTransaction || store.directory.subscriber(subscriber) != nil else {
            throw StoreRefusal("there is no subscriber \(subscriber)")
        }
        var till = Till(books.settings)
        let document = try books.change(subscriber, &till) { customer, till in
            if renewal { return try customer.signedRenewal(by: books.authority, till) }
            if appTransaction {
                return try customer.signedAppTransaction(by: books.authority, till)
            }
            return try customer.signedTransaction(transaction, by: books.authority, till)
        }
        print(document)
    }
}
