import Foundation
import Glibc
import JSON
import TestSupport

/// A simulated App Store: its directory, and the programs that play it.
///
/// Its books hold every notification that ever was, the lost ones too.
final class PlayedStore {
    /// Two plans of one group, and a pack of credits, as the simulator sells them.
    static let catalog = """
        freeCredits: 0
        creditPacks: { com.example.app.credits.10: 10 }
        plans:
          paid: { rank: 1, tier: paid, unlimited: [render],
                  products: [com.example.app.paid.monthly, com.example.app.paid.yearly] }
          premium: { rank: 2, tier: paid, unlimited: [render],
                     products: [com.example.app.premium.monthly] }
        """

    let directory: String
    /// The port of its API; nobody listens before `serve`.
    let port: UInt16
    private let scratch: Scratch
    /// The section of this store in a daemon's configuration.
    let configuration: String
    private var server: ChildProcess?
    private var read: UInt64 = 0

    /// A new store in which a month takes so long.
    init(month: String, in scratch: Scratch) throws {
        self.scratch = scratch
        directory = scratch.file("apple")
        port = try StreamSocket.freePort()
        let words = ["mint", directory, "--month", month, "--api-port", "\(port)"]
        let minted = try ChildProcess("appstoresim", words, in: scratch)
        guard minted.wait() == .exited(0) else { throw DaemonProblem("mint: \(minted.log)") }
        configuration = minted.output.split(separator: "\n").dropFirst().joined(separator: "\n")
    }

    /// A daemon that trusts this store; it asks its API where `reconcile` says how, or on the port
    /// `askedAt` in the place of it.
    ///
    /// Each period gives so many credits.
    func daemon(
        reconcile: String? = nil,
        creditsPerPeriod: Int = 0,
        askedAt otherPort: UInt16? = nil,
        metrics: UInt16? = nil,
        in place: Scratch? = nil
    ) throws -> TestDaemon {
        var setup = TestDaemon.Setup()
        setup.apple = false
        setup.accounts = "{ userIdIsAppAccountToken: true }"
        setup.catalog = Self.catalog.replacing(
            "[render],",
            with: "[render], creditsPerPeriod: \(creditsPerPeriod),"
        )
        if let reconcile {
            let asked = ":\(otherPort ?? port)"
            setup.extra = configuration.replacing(":\(port)", with: asked)
            setup.extra += "\nreconcile: \(reconcile)\n"
        } else {
            let lines = configuration.split(separator: "\n")
            setup.extra = lines.prefix { $0 != "  api:" }.joined(separator: "\n") + "\n"
        }
        if let metrics { setup.extra += "metrics: { listen: \"127.0.0.1:\(metrics)\" }\n" }
        return try TestDaemon(setup, scratch: place)
    }

    /// Begins to serve the API, in the weather that `words` make, in place of who served it before.
    func serve(_ words: String...) throws { try serve(words) }

    func serve(_ words: [String]) throws {
        server?.signal(SIGTERM)
        server?.wait()
        let arguments = ["serve", directory, "--port", "\(port)"] + words
        let server = try ChildProcess("appstoresim", arguments, in: scratch)
        guard eventually(within: 20, { server.output.contains("\n") }) else {
            throw DaemonProblem("serve: \(server.log)")
        }
        self.server = server
    }

    /// The requests that the API has answered, one a line, the status first.
    var requests: [Substring] {
        Array((server?.output ?? "").split(separator: "\n").dropFirst())
    }

    /// Lets something happen; answers what the simulator said of it.
    @discardableResult
    func act(_ words: String..., to daemon: TestDaemon) throws -> String {
        let url = ["--url", url(of: daemon)]
        let child = try ChildProcess("appstoresim", ["act", directory] + words + url, in: scratch)
        guard child.wait() == .exited(0) else { throw DaemonProblem("\(words): \(child.log)") }
        return child.output
    }

    /// Begins to let customers live by themselves.
    func live(_ words: String..., towards daemon: TestDaemon) throws -> ChildProcess {
        try live(words, towards: daemon)
    }

    func live(_ words: [String], towards daemon: TestDaemon) throws -> ChildProcess {
        let url = ["--url", url(of: daemon)]
        return try ChildProcess("appstoresim", ["run", directory] + words + url, in: scratch)
    }

    private func url(of daemon: TestDaemon) -> String {
        "http://127.0.0.1:\(daemon.port)/webhooks/apple"
    }

    /// The notifications that were signed since this was asked last, in that order.
    func newNotifications() throws -> [String] {
        let path = URL(fileURLWithPath: directory + "/history.jsonl")
        let file = try FileHandle(forReadingFrom: path)
        try file.seek(toOffset: read)
        let bytes = try file.readToEnd() ?? Data()
        guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        read += UInt64(end + 1)
        // A document in a line is letters and dots, and there is much of it: nothing is parsed.
        let name = Data(#""signedPayload":""#.utf8)
        return bytes[..<end].split(separator: UInt8(ascii: "\n"))
            .compactMap { line in
                guard let start = line.range(of: name)?.upperBound else { return nil }
                let document = line[start...].prefix { $0 != UInt8(ascii: "\"") }
                return String(decoding: document, as: UTF8.self)
            }
    }

    /// The tokens of all customers, in the order of names.
    func tokens() throws -> [String] {
        Scratch.names(in: directory + "/subscribers").sorted()
            .compactMap { name in
                let file = directory + "/subscribers/" + name
                let bytes = FileManager.default.contents(atPath: file) ?? Data()
                return try? JSONValue.parse(Array(bytes))["token"]?.string
            }
    }

    /// The number of the transaction that a customer's device shows.
    func transactionID(of customer: String, _ choice: String = "current") throws -> String {
        let words = ["document", directory, customer, "--transaction", choice]
        let child = try ChildProcess("appstoresim", words, in: scratch)
        guard child.wait() == .exited(0) else { throw DaemonProblem("document: \(child.log)") }
        let segments = child.output.split(separator: ".")
        guard segments.count == 3 else { throw DaemonProblem("no document: \(child.output)") }
        var text = String(segments[1]).replacing("-", with: "+").replacing("_", with: "/")
        while text.count % 4 != 0 { text += "=" }
        let payload = try JSONValue.parse(Array(Data(base64Encoded: text) ?? Data()))
        guard let id = payload["transactionId"]?.string else { throw DaemonProblem("no number") }
        return id
    }

    /// When the last completed walk of a daemon that is stopped, or idle, began.
    func mark(of daemon: TestDaemon) throws -> Int64? {
        let path = daemon.storage + "/reconcile.json"
        let bytes = FileManager.default.contents(atPath: path) ?? Data()
        return try JSONValue.parse(Array(bytes))["walks"]?["Production"]?.int64
    }
}
