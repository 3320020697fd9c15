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

    @OptionGroup(title: "Delivery") var delivery: DeliveryOptions

    func run() async throws {
        let settings = try store.settings()
        var till = Till(settings)
        var customer =
            try store.directory.subscriber(subscriber) ?? Subscriber(subscriber, at: &till)
        if let waitFor { try await StoreTime.wait(until: customer.moment(of: waitFor, till)) }
        till.advance()
        if let token = words.token { customer.token = token }
        let notification = try customer.perform(action, words.words, &till)
        // What happened has happened, whether it can be delivered or not.
        try store.directory.keep(customer)
        try await delivery.deliver(notification, store, settings)
    }
}
