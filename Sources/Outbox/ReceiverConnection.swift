import AsyncHTTPClient
import Entitlements
import NIOCore
import NIOHTTP1
import NIOSSL
import NetworkErrors

/// What became of a post.
enum PostResult: Sendable {
    /// The receiver answered 2xx.
    case delivered
    /// It did not; with how many milliseconds it asks to wait, where it says so.
    case failed(String, waiting: Int64?)
}

/// Posts to one receiver over HTTPS, one attempt each; bounded in time and in bytes.
final class ReceiverConnection: Sendable {
    private let client: HTTPClient
    private let settings: ReceiverSettings
    private let userAgent: String

    init(_ settings: ReceiverSettings, userAgent: String) {
        self.settings = settings
        self.userAgent = userAgent
        // A redirect would carry a user's status to somebody else.
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            OutboxLimits.underWayMax
        configuration.decompression = .disabled
        if let caFile = settings.caFile {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(caFile)
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Closes the connections; posts under way fail.
    func stop() {
        // The only possible failure is a second stop.
        try? client.syncShutdown()
    }

    /// Posts `body` once, signed at `now`, and says what became of it, on a thread of NIO's.
    func post(
        _ body: [UInt8],
        _ id: LetterID,
        at now: Moment,
        _ answer: @escaping @Sendable (PostResult) -> Void
    ) {
        let request: HTTPClient.Request
        do {
            request = try message(body, id, at: now)
        } catch {
            answer(.failed("\(type(of: error))", waiting: nil))
            return
        }
        let collected = ResponseAccumulator(
            request: request,
            maxBodySize: OutboxLimits.answerBytesMax
        )
        let deadline = NIODeadline.now() + .milliseconds(OutboxLimits.attemptMilliseconds)
        client.execute(request: request, delegate: collected, deadline: deadline).futureResult
            .whenComplete { answer(Self.result($0)) }
    }

    private func message(
        _ body: [UInt8],
        _ id: LetterID,
        at now: Moment
    ) throws -> HTTPClient.Request {
        let seconds = now.milliseconds / 1_000
        let signatures = settings.secrets.map { $0.signature(of: body, id: id, seconds: seconds) }
        var message = try HTTPClient.Request(url: settings.url, method: .POST)
        message.headers.add(name: "Content-Type", value: "application/json")
        message.headers.add(name: "User-Agent", value: userAgent)
        message.headers.add(name: "webhook-id", value: id.description)
        message.headers.add(name: "webhook-timestamp", value: "\(seconds)")
        message.headers.add(
            name: "webhook-signature",
            value: signatures.joined(separator: " ")
        )
        message.body = .bytes(body)
        return message
    }

    private static func result(_ result: Result<HTTPClient.Response, any Error>) -> PostResult {
        switch result {
        case .success(let response) where (200..<300).contains(response.status.code):
            return .delivered
        case .success(let response):
            let seconds = response.headers.first(name: "Retry-After").flatMap { Int64($0) }
            return .failed(
                "HTTP \(response.status.code)",
                waiting: seconds.map { max(0, min($0, 86_400)) * 1_000 }
            )
        case .failure(let error):
            let text = NetworkErrors.text(of: error)
            let hint = NetworkErrors.isOfCertificate(error) ? " (caFile)" : ""
            return .failed(text + hint, waiting: nil)
        }
    }
}
