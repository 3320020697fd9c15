import AppStoreSimulator
import ArgumentParser
import PlayStoreSimulator
import SimulatorProgram

/// How pushes go out.
struct PushOptions: ParsableArguments {
    @Option(help: "Where to; what mint was told when absent.")
    var url: String?

    @Flag(help: "They are lost on their way; the API still tells of what happened.")
    var lose = false

    @Flag(help: "Each comes twice.")
    var twice = false

    /// The way to the receiver, which is to be known before anything happens; nil where pushes are
    /// lost.
    func delivery(of directory: PlayDirectory) throws -> PushDelivery? {
        guard !lose else { return nil }
        guard let url = try url ?? directory.books().settings.url else {
            throw ValidationError("--url is missing, and mint was not told one")
        }
        return PushDelivery(to: url, try directory.pushSigner())
    }

    /// Delivers each of them and prints a line; fails when one was not delivered.
    func deliver(_ notices: [PlayNotice], by delivery: PushDelivery?) async throws {
        var isWhole = true
        for notice in notices {
            guard let delivery else {
                SimulatorProgram.say("\(notice.word) -> lost")
                continue
            }
            var fate = Weather.Fate()
            fate.isDoubled = twice
            let record = try await delivery.deliver(notice, under: fate)
            let status = record.status.map { "\($0)" } ?? "no answer"
            SimulatorProgram.say("\(notice.word) -> \(status) \(record.word)")
            if !record.isDelivered { isWhole = false }
        }
        if !isWhole { throw ExitCode.negative }
    }
}

/// `act DIR CUSTOMER ACTION`: one thing happens, and is told.
struct ActCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "act",
        abstract: "Let one thing happen to a customer, and push what Google tells of it.",
        discussion: "Prints the purchase token first."
    )

    @OptionGroup var store: StoreArguments

    @Argument(help: "The customer; a new name is a new customer.")
    var customer: String

    @Argument(help: "What happens.")
    var action: PlayAction

    @Option(
        help: """
            The product, ID or ID:BASEPLAN (buy, buy-pending, upgrade, upgrade-pending, downgrade, \
            resubscribe, resubscribe-out-of-app, top-up, add-item).
            """
    )
    var product: String?

    @Option(help: "The obfuscated account id that the app gives (buy, buy-pending).")
    var account: String?

    @Option(help: "How many (buy, buy-pending), or how many are refunded (refund-units).")
    var quantity: Int64 = 1

    @Flag(help: "Begin with a free trial (buy).")
    var trial = false

    @Flag(help: "As a licence tester (buy, buy-pending).")
    var test = false

    @OptionGroup(title: "Delivery") var push: PushOptions

    func validate() throws {
        guard (1...1_000).contains(quantity) else {
            throw ValidationError("--quantity is 1 to 1000")
        }
    }

    func run() async throws {
        var words = PlayWords()
        words.product = product
        words.accountID = account
        words.quantity = quantity
        words.isTrial = trial
        words.isTest = test
        let delivery = try push.delivery(of: store.directory)
        let (notices, token) = try store.directory.change { books in
            let notices = try books.perform(action, customer, words, at: StoreTime.now())
            return (notices, notices.first?.token ?? books.newest(of: customer)?.token)
        }
        if let token { SimulatorProgram.say(token) }
        try await push.deliver(notices, by: delivery)
    }
}

/// `test DIR`: "Send test notification" of the Play Console.
struct TestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Push a test notification, as the button in the Play Console does."
    )

    @OptionGroup var store: StoreArguments
    @OptionGroup(title: "Delivery") var push: PushOptions

    func run() async throws {
        try await push.deliver([.test], by: push.delivery(of: store.directory))
    }
}
