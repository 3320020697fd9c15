import CertificateAuthority
import EntitlementsClient
import Fixtures
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// A daemon with its configuration, directory and sockets, as an operator would run it.
final class TestDaemon {
    /// What a test changes of the configuration.
    struct Setup {
        var environments = "[Production]"
        var accounts = "{}"
        var access = "[]"
        var logLevel = "info"
        var sandbox = "all"
        /// Behind `listen` in the webhook section.
        var webhook = "plaintext: true"
        var extra = ""
        /// Instead of `store` in the scratch directory.
        var storage: String?
        var retentionDays = 0
        var apple = true
        /// How many files it may have open.
        var descriptorsMax: Int?
        /// What else it may have no more of, in the shell's words.
        var ulimits: [String] = []
        /// Behind `serve --config FILE`.
        var flags: [String] = []
        /// More lines of the section `apple`.
        var receipts = ""
        var catalog = """
            freeCredits: 0
            plans:
              free: { limits: { storageBytes: 250 } }
              paid: { rank: 1, tier: paid, products: [com.example.monthly], unlimited: [render],
                      limits: { storageBytes: 5000 } }
              premium: { rank: 2, tier: paid, products: [com.example.premium],
                         unlimited: [render], limits: { retentionDays: null } }
            """

        /// Serves metrics and readiness at a port of this host, and answers which.
        mutating func servingMetrics() throws -> UInt16 {
            let port = try StreamSocket.freePort()
            extra = "metrics: { listen: \"127.0.0.1:\(port)\" }"
            return port
        }
    }

    static let bundleID = "com.example.app"
    static let appAppleID: Int64 = 1_234_567_890

    let scratch: Scratch
    let voice: StoreVoice
    private(set) var port: UInt16 = 0
    private(set) var child: ChildProcess?
    /// What earlier processes of this daemon logged.
    private var earlierLog = ""
    private var setup: Setup

    /// Makes everything, and starts the daemon.
    static func started(_ setup: Setup = Setup()) throws -> TestDaemon {
        let daemon = try TestDaemon(setup)
        try daemon.start()
        return daemon
    }

    /// Makes everything but starts nothing.
    init(_ setup: Setup = Setup(), scratch: Scratch? = nil) throws {
        self.setup = setup
        self.scratch = try scratch ?? Scratch()
        voice = try StoreVoice()
        try self.scratch.write(voice.authority.rootPEM, to: "root.pem")
        try configure { _ in }
    }

    var storage: String { setup.storage ?? scratch.file("store") }
    var socket: String { scratch.file("app.sock") }
    var adminSocket: String { scratch.file("admin.sock") }
    var configPath: String { scratch.file("entitld.yaml") }

    /// Changes the setup and writes configuration and catalog anew.
    func configure(_ change: (inout Setup) -> Void) throws {
        change(&setup)
        try scratch.write(setup.catalog, to: "catalog.yaml")
        var text = """
            storage:
              directory: \(storage)
              mapSizeGiB: 1
              journalRetentionDays: \(setup.retentionDays)
            rpc:
              socket: \(socket)
              adminSocket: \(adminSocket)
              access: \(setup.access)
            webhook: { listen: "127.0.0.1:0", \(setup.webhook) }
            accounts: \(setup.accounts)
            catalog: \(scratch.file("catalog.yaml"))
            log: { level: \(setup.logLevel), format: json }

            """
        if setup.apple {
            text += """
                apple:
                  bundleId: \(Self.bundleID)
                  appAppleId: \(Self.appAppleID)
                  environments: \(setup.environments)
                  sandboxAccess: \(setup.sandbox)
                  rootCertificateFiles: [\(scratch.file("root.pem"))]
                  \(setup.receipts)

                """
        }
        try scratch.write(text + setup.extra + "\n", to: "entitld.yaml")
    }

    /// Starts the daemon and waits until its doors are open.
    func start(environment: [String: String] = [:]) throws {
        let child = try spawn(environment: environment)
        self.child = child
        let isOpen = eventually(within: 120) {
            if let line = Self.event("ready", in: child.log) {
                port = line["port"]?.string.flatMap { UInt16($0) } ?? 0
                return true
            }
            return child.wait(seconds: 0) != .stillRunning
        }
        guard isOpen, child.wait(seconds: 0) == .stillRunning else {
            throw DaemonProblem("not ready: \(child.wait(seconds: 0)): \(child.log)")
        }
    }

    /// Starts `serve` and waits for nothing; its log goes to `errors`, or a file.
    func spawn(environment: [String: String] = [:], errors: Int32? = nil) throws -> ChildProcess {
        try ChildProcess(
            "entitld",
            ["serve", "--config", configPath] + setup.flags,
            in: scratch,
            environment: environment,
            errors: errors,
            descriptorsMax: setup.descriptorsMax,
            ulimits: setup.ulimits
        )
    }

    /// Ends the process at once, as a crash does.
    func killAtOnce() { _ = end(SIGKILL) }

    /// Asks it to stop; answers how it ended.
    func stop(within seconds: Double = 120) -> ChildProcess.Ending { end(SIGTERM, within: seconds) }

    private func end(_ signal: Int32, within seconds: Double = 120) -> ChildProcess.Ending {
        guard let child else { return .stillRunning }
        child.signal(signal)
        let ending = child.wait(seconds: seconds)
        earlierLog += child.log
        self.child = nil
        return ending
    }

    /// Stops it and starts it again.
    func restart() throws {
        let ending = stop()
        guard ending == .exited(0) else { throw DaemonProblem("stopped with \(ending): \(log)") }
        try start()
    }

    /// Everything it logged.
    var log: String { earlierLog + (child?.log ?? "") }

    /// Runs `entitld` with these words after the configuration, to its end.
    func run(
        _ words: String...,
        within seconds: Double = 120
    ) throws -> (ending: ChildProcess.Ending, said: String) {
        let child = try ChildProcess("entitld", words + ["--config", configPath], in: scratch)
        let ending = child.wait(seconds: seconds)
        return (ending, child.output + child.log)
    }

    /// Calls `method` on the app socket, or on the admin socket.
    func call(
        _ method: String,
        _ parameters: JSONObject = [:],
        admin: Bool = false
    ) throws -> JSONValue {
        var connection = try Connection(
            to: admin ? adminSocket : socket,
            timeout: .seconds(120)
        )
        let result = try connection.call(method, parameters)
        #expect(OpenRPC.document.faults(inResult: result, of: method) == [])
        return result
    }

    /// The error that `method` answers; nil where it answers a result.
    func refusal(
        of method: String,
        _ parameters: JSONObject = [:],
        admin: Bool = false
    ) throws -> ClientError? {
        do {
            _ = try call(method, parameters, admin: admin)
            return nil
        } catch let error as ClientError {
            return error
        }
    }

    func status(_ user: String) throws -> JSONValue {
        try call("getStatus", ["userId": .string(user)])
    }

    func canRender(_ user: String) throws -> JSONValue {
        try call("canRender", ["userId": .string(user)])
    }

    /// Delivers a notification; answers the status and the word of the result.
    func deliver(_ body: [UInt8]) throws -> (status: Int, result: String?) {
        let reply = try HTTPExchange.post(body, port: port)
        return (reply.status, reply.json?["result"]?.string)
    }

    /// Every row of `table`, page by page.
    func rows(of table: String? = nil, limit: Int64 = 1_000) throws -> [JSONValue] {
        var rows: [JSONValue] = []
        var cursor: String?
        repeat {
            var parameters: JSONObject = ["limit": .integer(limit)]
            if let table { parameters["table"] = .string(table) }
            if let cursor { parameters["cursor"] = .string(cursor) }
            let page = try call("dump", parameters, admin: true)
            rows += page["entries"]?.array ?? []
            cursor = page["cursor"]?.string
        } while cursor != nil
        return rows
    }

    /// The first line of the log that announces `event`.
    static func event(_ event: String, in log: String) -> JSONValue? {
        for line in log.split(separator: "\n") where line.contains("\"msg\":\"\(event)\"") {
            if let value = try? JSONValue.parse(Array(line.utf8)) { return value }
        }
        return nil
    }
}
