import AppStoreSimulator
import ArgumentParser

/// `wait DIR SUBSCRIBER MILESTONE`: sleeps until the moment has passed.
struct WaitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Sleep until a moment in a subscription's life has passed."
    )

    @OptionGroup var store: StoreArguments

    @Argument(help: "The subscriber.")
    var subscriber: String

    @Argument(help: "Which moment.")
    var milestone: Milestone

    func run() async throws {
        let till = Till(try store.settings())
        guard let customer = try store.directory.subscriber(subscriber) else {
            throw StoreRefusal("there is no subscriber \(subscriber)")
        }
        try await StoreTime.wait(until: customer.moment(of: milestone, till))
    }
}
