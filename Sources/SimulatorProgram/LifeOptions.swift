import AppStoreSimulator
import ArgumentParser

/// How many customers live by themselves, for how long, and in which weather.
package struct LifeOptions: ParsableArguments {
    @Option(help: "How many.")
    package var customers = 10

    @Option(help: "How many months.")
    package var months = 3

    @Option(help: "The seed of everything random.")
    package var seed: UInt64 = 1

    @Option(help: "What the customers' names begin with.")
    package var prefix = "customer"

    @Option(help: "How likely a message is lost for good, 0 to 1.")
    package var drop = 0.0

    @Option(help: "How likely a message is late, by up to a tenth of a month.")
    package var delay = 0.0

    @Option(help: "How likely a message comes twice.")
    package var duplicate = 0.0

    package init() {}

    package func validate() throws {
        guard (1...10_000).contains(customers), (1...1_000).contains(months) else {
            throw ValidationError("--customers or --months is out of range")
        }
        guard [drop, delay, duplicate].allSatisfy({ (0...1).contains($0) }) else {
            throw ValidationError("a probability is 0 to 1")
        }
    }

    /// PREFIX-0 and so on.
    package var names: [String] { (0..<customers).map { "\(prefix)-\($0)" } }

    /// The weather of a store in which a month takes so long.
    package func weather(month: Int64) -> Weather {
        Weather(drop: drop, delay: delay, delayMax: month / 10, duplicate: duplicate, seed: seed)
    }

    /// Says what became of the messages; fails where one was neither delivered nor lost.
    package static func report(_ outcome: LifeOutcome) throws {
        let (sent, delivered, lost) = (outcome.sent, outcome.delivered, outcome.lost)
        SimulatorProgram.say("\(sent) messages, \(delivered) delivered, \(lost) lost")
        if sent > delivered + lost { throw ExitCode.negative }
    }
}
