import DaemonConfiguration
import Foundation
import HTTPServer
import JSON
import Ledger
import Logging
import Methods
import Signatures
import Telemetry
import TestSupport
import Threads
import Wire

@testable import RemoteAPI
@testable import entitld

/// The HTTPS door with real methods behind it: configuration, ledger and listener, as `entitld`
/// puts them together.
final class Gate: Sendable {
    /// The tokens of the file, by role.
    static let tokens = [
        "reader": "entitld_reader", "app": "entitld_app", "support": "entitld_support",
    ]

    let listener: APIListener
    let metrics: Metrics
    private let scratch: Scratch

    private init(listener: APIListener, metrics: Metrics, scratch: Scratch) {
        self.listener = listener
        self.metrics = metrics
        self.scratch = scratch
    }

    var port: Int { listener.boundPort }

    func replies(_ status: Int) -> Int { metrics.apiReplies.series("\(status)").value }

    /// How many replies were measured.
    var durations: Int { metrics.apiDuration.cumulativeCounts.last ?? 0 }

    /// Runs `body` against a door over a ledger of its own, then drains it.
    static func open<Result>(
        _ change: (inout APIConfiguration) -> Void = { _ in },
        _ body: (Gate) async throws -> Result
    ) async throws -> Result {
        let scratch = try Scratch()
        let configured = try configured(in: scratch)
        let metrics = Metrics(version: "test", methods: Calls.names)
        let ledger = try Ledger.open(
            try configured.ledgerOptions(),
            source: configured.policy,
            onFailure: { print("the ledger gave up: \($0)") }
        )
        let installed = BlockingQueue<Bool>(countMax: 1)
        ledger.install(configured.policy, configured.policy.stamp) { _ in
            _ = installed.offer(true)
        }
        _ = try await onThread { installed.take(1, waiting: 30_000) }
        let service = try MethodService(
            Calls.all,
            ledger: ledger,
            storefronts: try configured.stores().map(\.storefront),
            settings: MethodSettings(
                tokenNamespace: configured.settings.accounts.tokenNamespace,
                frameBytesMax: configured.settings.rpc.maxFrameBytes,
                version: "test"
            ),
            metrics: metrics
        )
        service.phase = .serving
        defer {
            service.phase = .stopping
            ledger.finish()
            service.stop()
            ledger.stop()
        }
        guard let settings = configured.settings.api else { throw GateProblem.noSection }
        return try await open(service, settings, scratch, metrics, change, body)
    }

    /// The same with any service in the place of the methods.
    static func open(
        over service: any FrameService,
        _ change: (inout APIConfiguration) -> Void = { _ in },
        _ body: (Gate) async throws -> Void
    ) async throws {
        let scratch = try Scratch()
        guard let settings = try configured(in: scratch).settings.api else {
            throw GateProblem.noSection
        }
        let metrics = Metrics(version: "test", methods: Calls.names)
        try await open(service, settings, scratch, metrics, change, body)
    }

    private static func open<Result>(
        _ service: any FrameService,
        _ settings: Settings.API,
        _ scratch: Scratch,
        _ metrics: Metrics,
        _ change: (inout APIConfiguration) -> Void,
        _ body: (Gate) async throws -> Result
    ) async throws -> Result {
        var configuration = APIConfiguration(settings, frameBytesMax: 1 << 20)
        change(&configuration)
        let listener = try await APIListener(
            configuration,
            service,
            metrics: metrics,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let gate = Gate(listener: listener, metrics: metrics, scratch: scratch)
        do {
            let result = try await body(gate)
            await listener.drain(seconds: 5)
            return result
        } catch {
            await listener.drain(seconds: 0)
            throw error
        }
    }

    /// The tokens of the file, and more lines.
    static func lines() -> String {
        tokens.map { "\($0.key)-1 \($0.key) \(hex($0.value))\n" }.joined()
    }

    /// The hash of a token as the file has it.
    static func hex(_ token: String) -> String {
        Digest.sha256(token).map { String(format: "%02x", $0) }.joined()
    }

    private static func configured(in scratch: Scratch) throws -> Configured {
        let catalog = try scratch.write("freeCredits: 5", to: "catalog.yaml")
        let tokens = try scratch.write(lines(), to: "tokens", mode: 0o644)
        let text = """
            storage: { directory: \(scratch.file("store")), mapSizeGiB: 1 }
            catalog: \(catalog)
            api: { listen: "127.0.0.1:0", plaintext: true, tokensFile: \(tokens) }

            """
        var options = ConfigurationOptions()
        options.path = try scratch.write(text, to: "entitld.yaml")
        return try Configured(options)
    }
}

enum GateProblem: Error {
    case noSection
    case notJSON(String)
}

/// A request to the door; `token` nil: without a token.
func post(
    _ body: String,
    token: String? = "entitld_app",
    path: String = "/rpc",
    method: String = "POST",
    fields: [String] = [],
    close: Bool = true
) -> String {
    let authorization = token.map { ["Authorization: Bearer \($0)"] } ?? []
    let all =
        ["\(method) \(path) HTTP/1.1", "Host: localhost", "Content-Length: \(body.utf8.count)"]
        + authorization + fields + (close ? ["Connection: close"] : [])
    return all.joined(separator: "\r\n") + "\r\n\r\n" + body
}

/// One request of JSON-RPC.
func call(_ method: String, _ params: String = "{}", id: String? = "1") -> String {
    let id = id.map { "\"id\":\($0)," } ?? ""
    return "{\"jsonrpc\":\"2.0\",\(id)\"method\":\"\(method)\",\"params\":\(params)}"
}

/// What stands behind the head of an answer.
func body(of answer: String) -> String {
    guard let end = answer.range(of: "\r\n\r\n") else { return "" }
    return String(answer[end.upperBound...])
}

/// The same as JSON.
func json(of answer: String) throws -> JSONValue {
    do {
        return try JSONValue.parse(Array(body(of: answer).utf8))
    } catch {
        throw GateProblem.notJSON(answer)
    }
}

extension Gate {
    /// Sends a body with a token, and gives the reply as JSON.
    func ask(_ body: String, token: String = "entitld_app") async throws -> JSONValue {
        try json(of: try await exchange(port, post(body, token: token)))
    }
}
