import AsyncHTTPClient
import Entitlements
import NIOCore
import NIOHTTP1
import NIOSSL
import NetworkErrors
import Synchronization

/// What became of a post.
enum PostResult: Sendable {
    /// The receiver answered 2xx.
    case delivered
    /// It answered 4xx or 500 to this post, as whoever is not away does.
    case refused(String)
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
        if let roots = settings.roots {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .certificates(roots.certificates)
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
        let hearing = HeadHearing()
        let deadline = NIODeadline.now() + .milliseconds(OutboxLimits.attemptMilliseconds)
        client.execute(request: request, delegate: hearing, deadline: deadline).futureResult
            .whenComplete { end in
                // Whatever becomes of its body, the receiver has answered.
                answer(hearing.head.map(Self.result) ?? Self.failure(end))
            }
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

    private static func result(_ head: HTTPResponseHead) -> PostResult {
        if (200..<300).contains(head.status.code) { return .delivered }
        let seconds = head.headers.first(name: "Retry-After").flatMap { Int64($0) }
        let ofAll: Set<UInt> = [408, 421, 425, 429]
        let code = head.status.code
        if (400...500).contains(code), !ofAll.contains(code), seconds == nil {
            return .refused("HTTP \(code)")
        }
        return .failed(
            "HTTP \(code)",
            waiting: seconds.map { max(0, min($0, 86_400)) * 1_000 }
        )
    }

    private static func failure(_ end: Result<Void, any Error>) -> PostResult {
        guard case .failure(let error) = end else {
            return .failed("an answer without a status", waiting: nil)
        }
        let text = NetworkErrors.text(of: error)
        let hint = NetworkErrors.isOfCertificate(error) ? " (caFile)" : ""
        return .failed(text + hint, waiting: nil)
    }
}

/// Hears an answer's status, and reads its body only for the sake of the connection, which serves
/// the next post where the body is short.
private final class HeadHearing: HTTPClientResponseDelegate {
    /// The body is longer than anybody reads.
    private struct TooLong: Error {}

    private let heard = Mutex<(head: HTTPResponseHead?, bytes: Int)>((nil, 0))

    var head: HTTPResponseHead? { heard.withLock { $0.head } }

    func didReceiveHead(
        task: HTTPClient.Task<Void>,
        _ head: HTTPResponseHead
    ) -> EventLoopFuture<Void> {
        heard.withLock { $0.head = head }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(
        task: HTTPClient.Task<Void>,
        _ part: ByteBuffer
    ) -> EventLoopFuture<Void> {
        let bytes = heard.withLock { heard in
            heard.bytes += part.readableBytes
            return heard.bytes
        }
        return bytes <= OutboxLimits.answerBytesMax
            ? task.eventLoop.makeSucceededVoidFuture()
            : task.eventLoop.makeFailedFuture(TooLong())
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) {}
}
