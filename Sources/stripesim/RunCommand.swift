import AppStoreSimulator
import ArgumentParser
import SimulatorProgram
import StripeSimulator

/// `run DIR`: many customers live by themselves.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Let many customers live through their months, in any weather.",
        discussion: "The same seed gives the same customers, PREFIX-0 and so on, and weather."
    )

    @OptionGroup var account: AccountArguments
    @OptionGroup(title: "Lives") var lives: LifeOptions

    func run() async throws {
        let settings = try account.directory.books().settings
        guard let url = lives.url ?? settings.url else {
            throw ValidationError("--url is missing, and mint was not told one")
        }
        let delivery = EventDelivery(to: url, settings)
        let life = MonthlyLives(
            of: account.directory,
            in: lives.weather(month: settings.time.milliseconds(days: 30)),
            isPast: lives.past,
            deliver: { try await delivery.deliver($0, under: $1) }
        )
        try LifeOptions.report(
            try await life.run(try lives.names(), months: lives.months, seed: lives.seed)
        )
    }
}

/// `serve DIR`: Stripe's API, as far as a daemon asks it.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve Stripe's API about what was sold.",
        discussion: """
            On loopback; prints its base URL once it listens, and ends with SIGTERM or SIGINT. \
            Probabilities are 0 to 1; the same seed gives the same faults to the same requests.
            """
    )

    @OptionGroup var account: AccountArguments

    @Option(help: "The port of 127.0.0.1; 0 is one that is free.")
    var port = 8_091

    @OptionGroup(title: "Weather") var weather: ServeOptions

    func run() async throws {
        _ = try account.directory.books()
        let api = AccountAPI(account.directory, weather: weather.weather)
        try await ServeOptions.serve(api, port: port)
    }
}
