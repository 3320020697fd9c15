import AppStoreSimulator
import ArgumentParser
import SimulatorProgram
import StripeSimulator

/// `act DIR CUSTOMER ACTION`: one thing happens, and is told.
struct ActCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "act",
        abstract: "Let one thing happen to a customer, and send the events that tell of it.",
        discussion: "Prints the subscription's id first, where the customer has one."
    )

    @OptionGroup var account: AccountArguments

    @Argument(help: "The customer; a new name is a new customer.")
    var customer: String

    @Argument(help: "What happens.")
    var action: StripeAction

    @Option(
        help: """
            The price, by its lookup key (subscribe, subscribe-unpaid, change, propose-change, \
            buy, buy-later, leave).
            """
    )
    var price: String?

    @Option(
        help: """
            The user of the app; the customer's name when absent (subscribe, subscribe-unpaid, \
            buy, buy-later, leave).
            """
    )
    var user: String?

    @Option(
        help: "Where that is written (subscribe, buy, buy-later; subscribe-unpaid: no reference)."
    )
    var naming = StripeWords.Naming.metadata

    @Option(help: "How many (buy, buy-later).")
    var quantity: Int64 = 1

    @Flag(help: "Begin with a free month (subscribe).")
    var trial = false

    @Option(help: "Where to; what mint was told when absent.")
    var url: String?

    @Flag(help: "The events are lost on their way; the API still tells of what happened.")
    var lose = false

    @Flag(help: "Each event comes twice.")
    var twice = false

    func validate() throws {
        guard (1...1_000).contains(quantity) else {
            throw ValidationError("--quantity is 1 to 1000")
        }
    }

    func run() async throws {
        var words = StripeWords()
        words.price = price
        words.user = user
        words.naming = naming
        words.quantity = quantity
        words.isTrial = trial
        let delivery = try delivery()
        let now = StoreTime.now() / 1_000
        let (events, id) = try account.directory.change { books in
            let events = try books.perform(action, customer, words, at: now)
            return (events, books.newest(of: customer)?.id)
        }
        if let id { SimulatorProgram.say(id) }
        try await send(events, by: delivery)
    }

    /// The way to the receiver, which is to be known before anything happens; nil where events are
    /// lost.
    private func delivery() throws -> EventDelivery? {
        guard !lose else { return nil }
        let settings = try account.directory.books().settings
        guard let url = url ?? settings.url else {
            throw ValidationError("--url is missing, and mint was not told one")
        }
        return EventDelivery(to: url, settings)
    }

    /// Delivers each of them and prints a line; fails when one was not delivered.
    private func send(_ events: [KeptEvent], by delivery: EventDelivery?) async throws {
        var isWhole = true
        for event in events {
            guard let delivery else {
                SimulatorProgram.say("\(event.type) -> lost")
                continue
            }
            var fate = Weather.Fate()
            fate.isDoubled = twice
            let record = try await delivery.deliver(event, under: fate)
            let status = record.status.map { "\($0)" } ?? "no answer"
            SimulatorProgram.say("\(event.type) -> \(status) \(record.word)")
            if !record.isDelivered { isWhole = false }
        }
        if !isWhole { throw ExitCode.negative }
    }
}
