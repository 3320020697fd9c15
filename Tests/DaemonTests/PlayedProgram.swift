import Foundation
import Glibc
import JSON
import TestSupport

/// A simulated Google Play or Stripe: its directory, and the programs that play it.
final class PlayedProgram {
    let directory: String
    private let program: String
    /// What the webhook's path ends with.
    private let name: String
    private let catalog: String
    private let port: UInt16
    private let scratch: Scratch
    /// The section of this store in a daemon's configuration.
    let configuration: String
    private var server: ChildProcess?

    private init(
        _ program: String,
        _ name: String,
        _ catalog: String,
        _ words: [String],
        in scratch: Scratch
    ) throws {
        self.program = program
        self.name = name
        self.catalog = catalog
        self.scratch = scratch
        directory = scratch.file(name)
        port = try StreamSocket.freePort()
        let words = ["mint", directory, "--port", "\(port)"] + words
        let minted = try ChildProcess(program, words, in: scratch)
        guard minted.wait() == .exited(0) else { throw DaemonProblem("mint: \(minted.log)") }
        configuration = minted.output
    }

    /// A new Google Play in which a month takes so long.
    static func googlePlay(
        month: String,
        _ words: [String] = [],
        in scratch: Scratch
    ) throws -> PlayedProgram {
        let catalog = """
            freeCredits: 0
            creditPacks: { credits_10: 10 }
            plans:
              paid: { rank: 1, tier: paid, unlimited: [render], products: [paid] }
              premium: { rank: 2, tier: paid, unlimited: [render], products: [premium] }
            """
        return try PlayedProgram(
            "playstoresim",
            "google",
            catalog,
            ["--month", month] + words,
            in: scratch
        )
    }

    /// A new Stripe account in live mode in which a month takes so long.
    static func stripe(
        month: String,
        _ words: [String] = [],
        in scratch: Scratch
    ) throws -> PlayedProgram {
        let catalog = """
            freeCredits: 0
            creditPacks: { "stripe:prod_credits_10": 10 }
            plans:
              paid: { rank: 1, tier: paid, unlimited: [render], products: ["stripe:prod_paid"] }
              premium:
                { rank: 2, tier: paid, unlimited: [render], products: ["stripe:prod_premium"] }
            """
        let words = ["--month", month, "--live"] + words
        return try PlayedProgram("stripesim", "stripe", catalog, words, in: scratch)
    }

    /// A daemon of this store's app; it asks on its own at its start alone.
    func daemon(metrics: UInt16? = nil) throws -> TestDaemon {
        var setup = TestDaemon.Setup()
        setup.apple = false
        setup.catalog = catalog
        let reconcile = "{ failuresEverySeconds: 36000, askBeforeEndSeconds: 0 }"
        setup.extra = configuration + "\nreconcile: \(reconcile)\n"
        if let metrics { setup.extra += "metrics: { listen: \"127.0.0.1:\(metrics)\" }\n" }
        return try TestDaemon(setup)
    }

    /// Begins to serve the API, in the weather that `words` make.
    func serve(_ words: String...) throws { try serve(words) }

    func serve(_ words: [String]) throws {
        stop()
        let arguments = ["serve", directory, "--port", "\(port)"] + words
        let server = try ChildProcess(program, arguments, in: scratch)
        guard eventually(within: 20, { server.output.contains("\n") }) else {
            throw DaemonProblem("serve: \(server.log)")
        }
        self.server = server
    }

    /// Serves no more.
    func stop() {
        server?.signal(SIGTERM)
        server?.wait()
        server = nil
    }

    /// Lets something happen; answers what the simulator said of it: the purchase token or the
    /// subscription's id first, where there is one.
    @discardableResult
    func act(_ words: [String], to daemon: TestDaemon) throws -> [Substring] {
        let url = ["--url", url(of: daemon)]
        let child = try ChildProcess(program, ["act", directory] + words + url, in: scratch)
        guard child.wait() == .exited(0) else {
            throw DaemonProblem("\(words): \(child.output) \(child.log)")
        }
        return child.output.split(separator: "\n")
    }

    /// Lets something happen without anywhere to send what is told; how that ended.
    func act(unaddressed words: String...) throws -> ChildProcess.Ending {
        try ChildProcess(program, ["act", directory] + words, in: scratch).wait()
    }

    /// Begins to let customers live by themselves.
    func live(_ words: [String], towards daemon: TestDaemon) throws -> ChildProcess {
        let url = ["--url", url(of: daemon)]
        return try ChildProcess(program, ["run", directory] + words + url, in: scratch)
    }

    private func url(of daemon: TestDaemon) -> String {
        "http://127.0.0.1:\(daemon.port)/webhooks/\(name)"
    }

    /// What the store knows of a customer's purchases.
    func purchases(of customer: String) throws -> [JSONValue] {
        try purchases().filter { $0["customer"]?.string == customer }
    }

    /// What the store knows of all purchases.
    func purchases() throws -> [JSONValue] {
        let child = try ChildProcess(program, ["list", directory], in: scratch)
        guard child.wait() == .exited(0) else { throw DaemonProblem("list: \(child.log)") }
        return try child.output.split(separator: "\n").map { try JSONValue.parse(Array($0.utf8)) }
    }
}
