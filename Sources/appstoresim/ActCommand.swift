import AppStoreSimulator
import ArgumentParser
import SimulatorProgram

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

    @Option(help: "Sleep so many days of the store's calendar before anything happens.")
    var waitDays: Int64?

    @Flag(help: "The notification is lost on its way; the store's API still tells of it.")
    var lose = false

    @OptionGroup(title: "Delivery") var delivery: DeliveryOptions

    func validate() throws {
        if let waitDays, !(1...3_600).contains(waitDays) {
            throw ValidationError("--wait-days is 1 to 3600")
        }
        if waitDays != nil, waitFor != nil {
            throw ValidationError("--wait-days and --wait-for are two moments")
        }
    }

    func run() async throws {
        let books = try store.books()
        // Where to is asked before anything happens.
        if !lose { _ = try delivery.delivery(books.settings) }
        var till = Till(books.settings)
        if let waitFor {
            let customer =
                try store.directory.subscriber(subscriber) ?? Subscriber(subscriber, at: &till)
            try await StoreTime.wait(until: customer.moment(of: waitFor, till))
        }
        if let waitDays {
            try await StoreTime.wait(
                until: StoreTime.now() + books.settings.time.milliseconds(days: waitDays)
            )
        }
        // What happened has happened, whether it can be delivered or not.
        let notification = try books.change(subscriber, &till) { customer, till in
            if let token = words.token { customer.token = token }
            return try customer.perform(action, words.words, &till)
        }
        try await delivery.deliver(notification, about: subscriber, isLost: lose, books)
    }
}
