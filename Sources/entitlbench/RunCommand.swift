import ArgumentParser
import Foundation
import JSON
import LoadGenerator

/// `run`: one load.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run one load and print what it measured."
    )

    @Option(help: "What is asked.")
    var load = LoadPlan.Load.canRender

    @Option(
        name: [.customLong("to"), .customLong("socket")],
        help: "Where the server listens: the path of a Unix socket, or 127.0.0.1:8080."
    )
    var endpoint: Endpoint

    @Option(help: "Connections that ask.")
    var connections = 50

    @Option(help: "Further connections that are open and say nothing.")
    var idle = 0

    @Option(help: "Requests of each connection that wait for their answers.")
    var inFlight = 1

    @Option(name: .customLong("duration"), help: "Seconds that are measured.")
    var seconds = 5.0

    @Option(name: .customLong("warm-up"), help: "Seconds that are run before.")
    var warmUpSeconds = 1.0

    @Option(help: "End after so many requests; 0: when the time is over.")
    var requests = 0

    @Option(help: "Open loop: so many requests a second, answered or not; 0: closed loop.")
    var rate = 0.0

    @Option(help: "How requests are spread over the accounts.")
    var keys = KeySequence.Distribution.uniform

    @Option(help: "The seed of everything random.")
    var seed: UInt64 = 1

    @Option(help: "Requests in a batch.")
    var batch = 10

    @Option(help: "The plan that grants give.")
    var plan = "paid"

    @Option(help: "redis-consume: the digest that SCRIPT LOAD answered.")
    var script = ""

    @Option(help: "The server's process, to say what it uses.")
    var serverPid: Int32?

    @Option(help: "The file in which the server counts what it allocates.")
    var counter: String?

    @Flag(name: .customLong("background"), help: "Leave the processor to a client that measures.")
    var isBackground = false

    @Flag(help: "One JSON object instead of text.")
    var json = false

    @OptionGroup var press: PressOptions

    func validate() throws {
        if let fault = wanted().fault { throw ValidationError(fault) }
    }

    func run() throws {
        let result = try LoadRun.result(of: wanted())
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            print(VisibleText.json(String(decoding: try encoder.encode(result), as: UTF8.self)))
        } else {
            print(VisibleText.lines(result.text))
        }
        if result.errors > 0 { throw ExitCode.negative }
    }

    private func wanted() -> LoadPlan {
        var wanted = LoadPlan(load, at: endpoint)
        press.apply(to: &wanted)
        wanted.connections = connections
        wanted.idleConnections = idle
        wanted.inFlight = inFlight
        wanted.seconds = seconds
        wanted.warmUpSeconds = warmUpSeconds
        wanted.requests = requests
        wanted.rate = rate
        wanted.distribution = keys
        wanted.seed = seed
        wanted.isBackground = isBackground
        wanted.batch = batch
        wanted.grantedPlan = plan
        wanted.script = script
        wanted.server = serverPid.map { ServerMeter(process: $0, counter: counter) }
        return wanted
    }
}
