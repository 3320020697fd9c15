import AppStoreSimulator
import ArgumentParser
import PlayStoreSimulator

/// `run DIR`: many customers live by themselves.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Let many customers live through their months, in any weather.",
        discussion: "The same seed gives the same customers, PREFIX-0 and so on, and weather."
    )

    @OptionGroup var store: StoreArguments

    @Option(help: "How many.")
    var customers = 10

    @Option(help: "How many months.")
    var months = 3

    @Option(help: "The seed of everything random.")
    var seed: UInt64 = 1

    @Option(help: "What the customers' names, and their account ids, begin with.")
    var prefix = "customer"

    @Option(help: "How likely a message is lost for good, 0 to 1.")
    var drop = 0.0

    @Option(help: "How likely a message is late, by up to a tenth of a month.")
    var delay = 0.0

    @Option(help: "How likely a message comes twice.")
    var duplicate = 0.0

    func validate() throws {
        guard (1...10_000).contains(customers), (1...1_000).contains(months) else {
            throw ValidationError("--customers or --months is out of range")
        }
        guard [drop, delay, duplicate].allSatisfy({ (0...1).contains($0) }) else {
            throw ValidationError("a probability is 0 to 1")
        }
    }

    func run() async throws {
        let settings = try store.directory.books().settings
        guard let url = settings.url else { throw ValidationError("mint was told no --url") }
        let month = settings.time.milliseconds(days: 30)
        let weather = Weather(
            drop: drop,
            delay: delay,
            delayMax: month / 10,
            duplicate: duplicate,
            seed: seed
        )
        let life = PlayLife(
            store.directory,
            PushDelivery(to: url, try store.directory.pushSigner()),
            weather
        )
        let names = (0..<customers).map { "\(prefix)-\($0)" }
        let outcome = try await life.run(names, months: months, seed: seed)
        Playstoresim.say(
            "\(outcome.sent) messages, \(outcome.delivered) delivered, \(outcome.lost) lost"
        )
        if outcome.sent > outcome.delivered + outcome.lost { throw ExitCode.negative }
    }
}
