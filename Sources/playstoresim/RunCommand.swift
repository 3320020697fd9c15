import AppStoreSimulator
import ArgumentParser
import PlayStoreSimulator
import SimulatorProgram

/// `run DIR`: many customers live by themselves.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Let many customers live through their months, in any weather.",
        discussion: """
            The same seed gives the same customers, PREFIX-0 and so on, and weather. Their names \
            are their account ids, too.
            """
    )

    @OptionGroup var store: StoreArguments
    @OptionGroup(title: "Lives") var lives: LifeOptions

    func run() async throws {
        let settings = try store.directory.books().settings
        guard let url = lives.url ?? settings.url else {
            throw ValidationError("--url is missing, and mint was not told one")
        }
        let delivery = PushDelivery(to: url, try store.directory.pushSigner())
        let life = MonthlyLives(
            of: store.directory,
            in: lives.weather(month: settings.time.milliseconds(days: 30)),
            isPast: lives.past,
            deliver: { try await delivery.deliver($0, under: $1) }
        )
        try LifeOptions.report(
            try await life.run(try lives.names(), months: lives.months, seed: lives.seed)
        )
    }
}
