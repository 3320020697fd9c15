import AppStoreSimulator
import ArgumentParser
import Foundation

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

    @Option(help: "How likely a message is overtaken by the next one of the same customer.")
    package var reorder = 0.0

    @Flag(
        help: """
            The months are over already: moments lie in the past, the last of them now, and the \
            messages are sent as fast as they are taken.
            """
    )
    package var past = false

    @Option(help: "A file with the customers' names, one a line, in place of --customers.")
    package var nameFile: String?

    @Option(help: "Where to; what mint was told when absent.")
    package var url: String?

    package init() {}

    package func validate() throws {
        guard (1...10_000).contains(customers), (1...1_000).contains(months) else {
            throw ValidationError("--customers or --months is out of range")
        }
        guard [drop, delay, duplicate, reorder].allSatisfy({ (0...1).contains($0) }) else {
            throw ValidationError("a probability is 0 to 1")
        }
    }

    /// PREFIX-0 and so on, or what the file says.
    package func names() throws -> [String] {
        guard let nameFile else { return (0..<customers).map { "\(prefix)-\($0)" } }
        guard let data = FileManager.default.contents(atPath: nameFile) else {
            throw DirectoryFailure(description: "\(nameFile) cannot be read")
        }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The weather of a store in which a month takes so long.
    package func weather(month: Int64) -> Weather {
        Weather(
            drop: drop,
            delay: delay,
            delayMax: month / 10,
            duplicate: duplicate,
            reorder: reorder,
            seed: seed
        )
    }

    /// Says what became of the messages; fails where one was neither delivered nor lost.
    package static func report(_ outcome: LifeOutcome) throws {
        let (sent, delivered, lost) = (outcome.sent, outcome.delivered, outcome.lost)
        SimulatorProgram.say("\(sent) messages, \(delivered) delivered, \(lost) lost")
        if sent > delivered + lost { throw ExitCode.negative }
    }
}
