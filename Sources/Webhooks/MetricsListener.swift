import DaemonConfiguration
import HTTPServer
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Telemetry

/// One thing that must be right for the daemon to be ready.
package struct ReadinessCheck: Sendable, Equatable {
    /// Its name, such as `lmdb`.
    package let name: String
    /// Whether it is right.
    package let isOK: Bool
    /// Whether it needs a look but does not keep the daemon from being ready.
    package let isWarning: Bool
    /// What there is to say about it.
    package let note: String

    /// The outcome of a check.
    package init(name: String, isOK: Bool, note: String = "") {
        self.name = name
        self.isOK = isOK
        self.note = note
        isWarning = false
    }

    /// A check that found something to look at; the daemon is ready all the same.
    package init(name: String, warning: String) {
        self.name = name
        isOK = true
        note = warning
        isWarning = true
    }

    /// Its line, as `/readyz` shows it.
    fileprivate func line(isVerbose: Bool) -> String {
        let sign = isWarning ? "!" : isOK ? "+" : "-"
        let word = isWarning ? "warning" : isOK ? "ok" : "failed"
        let note = (isVerbose || isWarning) && !note.isEmpty ? ": \(note)" : ""
        return "[\(sign)]\(name) \(word)\(note)\n"
    }
}

/// The listener for metrics and health, on an address of its own: `GET /metrics`, `/livez`,
/// `/readyz` and `/readyz?verbose`.
package final class MetricsListener: Sendable {
    private let listener: HTTPListener

    /// The port it is bound to.
    package let boundPort: Int

    private init(listener: HTTPListener, boundPort: Int) {
        self.listener = listener
        self.boundPort = boundPort
    }

    /// Binds, and serves until drained.
    ///
    /// `refresh` runs before each page of metrics, to set the gauges that nobody keeps current;
    /// `readiness` runs for each `/readyz`, which is 200 only while every check is right.
    package static func start(
        listen: ListenAddress,
        metrics: Metrics,
        limits: HTTPLimits = HTTPLimits(),
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        refresh: @escaping @Sendable () async -> Void,
        readiness: @escaping @Sendable () async -> [ReadinessCheck]
    ) async throws -> MetricsListener {
        let service = MetricsService(metrics: metrics, refresh: refresh, readiness: readiness)
        let listener = HTTPListener(
            name: "metrics",
            service: service,
            limits: limits,
            tls: nil,
            metrics: metrics
        ) { _ in .welcome }
        try await listener.start(at: listen, group: group)
        return MetricsListener(
            listener: listener,
            boundPort: listener.boundPort ?? listen.port
        )
    }

    /// Accepts no more connections, lets requests that have begun end within `seconds`, then
    /// closes.
    package func drain(seconds: Double) async {
        await listener.drain(seconds: seconds)
    }
}

private struct MetricsService: HTTPService {
    let metrics: Metrics
    let refresh: @Sendable () async -> Void
    let readiness: @Sendable () async -> [ReadinessCheck]

    func verdict(on head: HTTPRequestHead, from peer: IPAddress) -> HeadVerdict {
        if let refusal = HeadRules.refusal(of: head) { return .refuse(refusal) }
        let (path, query) = HeadRules.split(head.uri)
        guard ["/metrics", "/livez", "/readyz"].contains(path) else { return .refuse(.notFound) }
        guard head.method == .GET else { return .refuse(.methodNotAllowed(allow: "GET")) }
        guard !head.headers.contains(name: "expect") else { return .refuse(.expectation) }
        if let refusal = HeadRules.lengthRefusal(of: head.headers, bytesMax: 0) {
            return .refuse(refusal)
        }
        let request = HTTPRequest(
            path: path,
            query: query,
            source: "\(peer)",
            keepsAlive: head.isKeepAlive && head.version.minor == 1,
            bodyBytesMax: 0
        )
        return .accept(request, wantsContinue: false)
    }

    /// Off the event loop: a page of metrics takes its time.
    func reply(to request: HTTPRequest, on loop: any EventLoop) async -> HTTPReply {
        await withTaskExecutorPreference(globalConcurrentExecutor) { await page(for: request) }
    }

    private func page(for request: HTTPRequest) async -> HTTPReply {
        switch request.path {
        case "/metrics":
            await refresh()
            return HTTPReply(
                status: 200,
                mediaType: Metrics.mediaType,
                body: Array(metrics.exposition().utf8)
            )
        case "/livez":
            // Says only that this process answers: a restart would mend nothing else.
            return text(200, "ok\n")
        default:
            return readiness(await readiness(), isVerbose: isVerbose(request.query))
        }
    }

    func noteRefusal(_ refusal: HTTPRefusal) {}

    func noteClose(_ reason: CloseReason) {}

    private func readiness(_ checks: [ReadinessCheck], isVerbose: Bool) -> HTTPReply {
        let isReady = checks.allSatisfy(\.isOK)
        var page = ""
        for check in checks where isVerbose || !check.isOK || check.isWarning {
            page += check.line(isVerbose: isVerbose)
        }
        return text(isReady ? 200 : 503, page + (isReady ? "ok\n" : "not ready\n"))
    }

    private func isVerbose(_ query: String) -> Bool {
        query.split(separator: "&").contains { $0 == "verbose" || $0.hasPrefix("verbose=") }
    }

    private func text(_ status: Int, _ page: String) -> HTTPReply {
        HTTPReply(
            status: status,
            mediaType: "text/plain; charset=utf-8",
            body: Array(page.utf8)
        )
    }
}
