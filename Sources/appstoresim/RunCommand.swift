import AppStoreSimulator
import ArgumentParser
import Foundation
import SimulatorProgram

/// `run DIR`: many subscribers live by themselves.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Let many subscribers live through their months, in any weather.",
        discussion: """
            The same seed gives the same customers and the same weather. Their names are \
            PREFIX-0, PREFIX-1 and so on, their tokens stand in the store's directory.
            """
    )

    @OptionGroup var store: StoreArguments

    @Option(help: "How many.")
    var subscribers = 10

    @Option(help: "How many periods each of them buys at most.")
    var months = 3

    @Option(help: "The seed of everything random.")
    var seed: UInt64 = 1

    @Option(help: "How many notifications are sent in a second at most.")
    var rate: Double?

    @Option(help: "What the subscribers' names begin with; SEED when absent.")
    var prefix: String?

    @Option(help: "How likely an attempt is lost on its way, 0 to 1.")
    var drop = 0.0

    @Option(help: "How likely a notification is late.")
    var delay = 0.0

    @Option(help: "How late at most, for example 250ms.")
    var delayMax: Milliseconds?

    @Option(help: "How likely a notification comes twice.")
    var duplicate = 0.0

    @Option(help: "How likely a notification is overtaken by the next one.")
    var reorder = 0.0

    @Option(help: "A file for one JSON object a line: what became of each notification.")
    var log: String?

    @Flag(
        help: """
            Rarer things happen, too: upgrades while a renewal is announced, partial refunds, \
            refunds of one item, years paid by the month, migrations, customers who come back \
            after a year or with another account of the app.
            """
    )
    var stories = false

    @Flag(help: "Keep no history: the store's API cannot tell what was sent. For load.")
    var noHistory = false

    @OptionGroup(title: "Delivery") var delivery: DeliveryOptions

    func validate() throws {
        guard (1...SimulatorLimits.subscribersMax).contains(subscribers),
            (1...1_000).contains(months)
        else { throw ValidationError("--subscribers or --months is out of range") }
        guard [drop, delay, duplicate, reorder].allSatisfy({ (0...1).contains($0) }) else {
            throw ValidationError("a probability is 0 to 1")
        }
        if let rate, rate <= 0 { throw ValidationError("--rate is more than 0") }
    }

    func run() async throws {
        let settings = try store.settings()
        let weather = Weather(
            drop: drop,
            delay: delay,
            delayMax: delayMax?.count ?? settings.time.milliseconds(days: 3),
            duplicate: duplicate,
            reorder: reorder,
            seed: seed
        )
        let simulated = SimulatedStore(
            settings,
            signedBy: try store.directory.authority(),
            try delivery.delivery(settings),
            weather,
            books: noHistory ? nil : try store.books()
        )
        let log = try log.map { try ReceiptLog($0) }
        let outcome = try await simulated.run(
            try customers(settings),
            months: months,
            seed: seed,
            stories: stories,
            perSecondMax: rate
        ) { receipt in log?.write(receipt) }
        if noHistory {
            for customer in outcome.subscribers { try store.directory.keep(customer) }
        }
        let lost = outcome.receipts.filter { !$0.isDelivered }
        let attempts = outcome.receipts.reduce(0) { $0 + $1.attempts }
        print(
            "\(outcome.receipts.count) notifications in \(attempts) attempts,",
            "\(outcome.delivered.count) delivered, \(lost.count) not"
        )
        // In bad weather some are lost for good, as with Apple; that is what was asked for.
        if !lost.isEmpty, drop == 0 { throw ExitCode.negative }
    }

    private func customers(_ settings: StoreSettings) throws -> [Subscriber] {
        var till = Till(settings)
        return try (0..<subscribers)
            .map { number in
                let name = "\(prefix ?? String(seed))-\(number)"
                guard try store.directory.subscriber(name) == nil else {
                    throw DirectoryFailure(
                        description: "\(name) has lived already; choose a --prefix"
                    )
                }
                let token = UUID().uuidString.lowercased()
                let customer = Subscriber(name, token: token, at: &till)
                // Kept before anything happens, so that whoever watches knows the tokens.
                try store.directory.keep(customer)
                return customer
            }
    }
}
