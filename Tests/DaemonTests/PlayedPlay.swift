import Foundation
import Glibc
import JSON
import TestSupport

/// A simulated Google Play: its directory, and the programs that play it.
final class PlayedPlay {
    static let catalog = """
        freeCredits: 0
        creditPacks: { credits_10: 10 }
        plans:
          paid: { rank: 1, tier: paid, unlimited: [render], products: [paid] }
          premium: { rank: 2, tier: paid, unlimited: [render], products: [premium] }
        """

    let directory: String
    private let port: UInt16
    private let scratch: Scratch
    private let configuration: String
    private var server: ChildProcess?

    /// A new store in which a month takes so long.
    init(month: String, in scratch: Scratch) throws {
        self.scratch = scratch
        directory = scratch.file("google")
        port = try StreamSocket.freePort()
        let words = ["mint", directory, "--month", month, "--port", "\(port)"]
        let minted = try ChildProcess("playstoresim", words, in: scratch)
        guard minted.wait() == .exited(0) else { throw DaemonProblem("mint: \(minted.log)") }
        configuration = minted.output
    }

    /// A daemon of this store's app; it asks on its own at its start alone.
    func daemon() throws -> TestDaemon {
        var setup = TestDaemon.Setup()
        setup.apple = false
        setup.catalog = Self.catalog
        let reconcile = "{ failuresEverySeconds: 36000, askBeforeEndSeconds: 0 }"
        setup.extra = configuration + "\nreconcile: \(reconcile)\n"
        return try TestDaemon(setup)
    }

    /// Begins to serve the API, in the weather that `words` make.
    func serve(_ words: String...) throws {
        stop()
        let arguments = ["serve", directory, "--port", "\(port)"] + words
        let server = try ChildProcess("playstoresim", arguments, in: scratch)
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

    /// Lets something happen; answers what the simulator said of it, the purchase token first.
    @discardableResult
    func act(_ words: [String], to daemon: TestDaemon) throws -> [Substring] {
        let url = ["--url", "http://127.0.0.1:\(daemon.port)/webhooks/google"]
        let child = try ChildProcess("playstoresim", ["act", directory] + words + url, in: scratch)
        guard child.wait() == .exited(0) else {
            throw DaemonProblem("\(words): \(child.output) \(child.log)")
        }
        return child.output.split(separator: "\n")
    }

    /// What the store knows of a customer's purchases.
    func purchases(of customer: String) throws -> [JSONValue] {
        let child = try ChildProcess("playstoresim", ["list", directory], in: scratch)
        guard child.wait() == .exited(0) else { throw DaemonProblem("list: \(child.log)") }
        return try child.output.split(separator: "\n").map { try JSONValue.parse(Array($0.utf8)) }
            .filter { $0["customer"]?.string == customer }
    }
}
