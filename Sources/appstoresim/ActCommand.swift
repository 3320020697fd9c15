import AppStoreSimulator
import ArgumentParser

/// `act DIR SUBSCRIBER ACTION`: one thing happens, and is told.
struct ActCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "act",
        abstract: "Let one thing happen to a subscriber, and deliver the notification of it."
    )

    @OptionGroup var store: StoreArguments

    @Argument(help: "The subscriber; a new name is a new customer.")
    var subscriber: String

    @Argument(help: "What happens.")
    var action: StoreAction

    @OptionGroup(title: "What happens") var words: ActionOptions

    @Option(help: "Sleep until then before anything happens.")
    var waitFor: Milestone?

    @Flag(help: "The notification is lost on its way; the store's API still tells of it.")
    var lose = false

    @OptionGroup(title: "Delivery") var delivery: DeliveryOptions

    func run() async throws {
        let books = try store.books()
        var till = Till(books.settings)
        if let waitFor {
            let customer =
                try store.directory.subscriber(subscriber) ?? Subscriber(subscriber, at: &till)
            try await StoreTime.wait(until: customer.moment(of: waitFor, till))
        }
        // What happened has happened, whether it can be delivered or not.
        let notification = try books.change(subscriber, &till) { customer, till in
            if let token = words.token { customer.token = token }
            return try customer.perform(action, words.words, &till)
        }
        try await delivery.deliver(notification, about: subscriber, isLost: lose, books)
    }
}
