import AsyncHTTPClient
import Foundation
import JSON
import NIOCore
import NIOHTTP1
import NIOSSL
import NetworkErrors

/// The daemon's HTTPS door, for callers that are not on its host: a request a call, on connections
/// that are kept.
package final class RemoteDoor: Sendable {
    /// One request that is under way.
    package struct Sending: Sendable {
        fileprivate let door: RemoteDoor
        fileprivate let id: Int64
        fileprivate let reader: CallReader
        fileprivate let task: HTTPClient.Task<CallReader.Response>

        /// What comes of it: the result, the daemon's error, or what kept it from answering.
        func outcome() async -> Result<JSONValue, ClientError> {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    task.futureResult.whenComplete { continuation.resume(returning: meaning($0)) }
                }
            } onCancel: {
                cancel()
            }
        }

        /// The same, for a thread that may block.
        package func wait() -> Result<JSONValue, ClientError> {
            meaning(Result { try task.wait() })
        }

        func cancel() { task.cancel() }

        private func meaning(
            _ response: Result<CallReader.Response, any Error>
        ) -> Result<JSONValue, ClientError> {
            do {
                return RemoteDoor.outcome(of: try response.get(), id)
            } catch {
                return .failure(door.failure(error, wasSent: reader.wasSent))
            }
        }
    }

    private let url: String
    private let authorization: String
    private let client: HTTPClient
    /// For slow calls, whose connections are others, so that no quick call waits behind them.
    private let slowClient: HTTPClient
    /// For watches, each of which keeps its connection.
    private let watchClient: HTTPClient

    /// A door at `url`; nothing is asked yet.
    ///
    /// - Parameters:
    ///   - url: `https://HOST:PORT`; `http` only to this host (`isURL`).
    ///   - token: Who asks.
    ///   - caFile: The certificate to trust, in PEM; those of the system where absent.
    /// - Throws: `invalid_params` where one of them cannot be.
    package init(_ url: String, token: String, caFile: String?) throws(ClientError) {
        guard Self.isURL(url) else {
            throw .invalid("the URL is https://HOST:PORT; http only to this host")
        }
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalid("the token is empty, or holds what no token does")
        }
        authorization = "Bearer \(token)"
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        // A redirect would carry the token to somebody else.
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.decompression = .disabled
        // What is not reached is asked again by whoever has a deadline.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            ClientLimits.doorConnectionsMax
        configuration.connectionPool.idleTimeout = .seconds(ClientLimits.doorIdleSecondsMax)
        // Calls have deadlines, and whoever watches looks for silence.
        configuration.timeout.read = nil
        if let caFile {
            var tls = TLSConfiguration.makeClientConfiguration()
            guard FileManager.default.isReadableFile(atPath: caFile) else {
                throw .invalid("\(caFile) cannot be read")
            }
            tls.trustRoots = .file(caFile)
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        slowClient = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        watchClient = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        // It can fail only where it was shut down before.
        for each in [client, slowClient, watchClient] { each.shutdown { _ in } }
    }

    /// Whether a door may be at `url`: without TLS a token would be read on the way.
    package static func isURL(_ url: String) -> Bool {
        guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty,
            parts.path.isEmpty || parts.path == "/", parts.query == nil, parts.user == nil
        else { return false }
        let isHere = ["127.0.0.1", "localhost", "::1", "[::1]"].contains(host)
        return parts.scheme == "https" || parts.scheme == "http" && isHere
    }

    /// Sends a request, as `Reply.body` makes it with this `id`; its reply must come by `deadline`.
    package func send(
        _ body: [UInt8],
        id: Int64,
        until deadline: Deadline,
        isSlow: Bool = false
    ) throws(ClientError) -> Sending {
        do {
            var request = try HTTPClient.Request(url: url + "/rpc", method: .POST)
            request.headers.add(name: "Authorization", value: authorization)
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(body)
            let reader = CallReader()
            let carrier = isSlow ? slowClient : client
            let task = carrier.execute(
                request: request,
                delegate: reader,
                deadline: .now() + .milliseconds(Int64(deadline.millisecondsLeft))
            )
            return Sending(door: self, id: id, reader: reader, task: task)
        } catch {
            throw .invalid("\(url) is no address")
        }
    }

    /// Begins to watch `users`, or everybody, behind `fromSeq` or from now on; the events go to
    /// `reader`.
    func watch(
        _ users: [String]?,
        fromSeq: Int64?,
        _ reader: EventReader
    ) throws(ClientError) -> HTTPClient.Task<Void> {
        var names = (users ?? []).map { URLQueryItem(name: "userId", value: $0) }
        if let fromSeq { names.append(URLQueryItem(name: "fromSeq", value: "\(fromSeq)")) }
        var parts = URLComponents(string: url + "/watch")
        parts?.queryItems = names.isEmpty ? nil : names
        // It leaves a plus as it is, which a form reads as a blank.
        let address = (parts?.string ?? url).replacingOccurrences(of: "+", with: "%2B")
        do {
            var request = try HTTPClient.Request(url: address, method: .GET)
            request.headers.add(name: "Authorization", value: authorization)
            return watchClient.execute(request: request, delegate: reader)
        } catch {
            throw .invalid("\(url) is no address")
        }
    }

    /// What a whole response says about the call `id`.
    private static func outcome(
        of response: CallReader.Response,
        _ id: Int64
    ) -> Result<JSONValue, ClientError> {
        guard response.status == .ok else {
            let words = (try? JSONValue.parse(response.body)["error"]?.string) ?? nil
            let pause = response.retryAfterMilliseconds
            return .failure(refusal(response.status, words ?? "", retryAfter: pause))
        }
        do throws(ClientError) {
            guard let reply = try Reply(response.body) else {
                throw .malformedReply("no reply came back")
            }
            if reply.id == id { return reply.outcome }
            if case .failure(let error) = reply.outcome, reply.id == nil {
                return .failure(.unknownOutcome(error))
            }
            throw .malformedReply("the reply to another call came back")
        } catch {
            return .failure(error.withUnknownOutcome)
        }
    }

    /// Why nothing, or nothing more, comes: `error` is what the HTTP client says; where nothing
    /// was sent the daemon has not carried the call out.
    func failure(_ error: any Error, wasSent: Bool) -> ClientError {
        func known(_ failure: ClientError) -> ClientError {
            wasSent ? failure.withUnknownOutcome : failure
        }
        switch error {
        case let error as HTTPClientError where error == .cancelled:
            return known(Exchange.cancelled)
        case let error as HTTPClientError
        where error == .deadlineExceeded || error == .readTimeout || error == .connectTimeout:
            return known(.timedOut())
        case _ where NetworkErrors.isOfCertificate(error):
            let words = NetworkErrors.text(of: error)
            return unreachable("\(words) (see --ca-file)", isPassing: false)
        default:
            return wasSent
                ? known(.connectionLost())
                : unreachable(NetworkErrors.text(of: error), isPassing: true)
        }
    }

    /// What another status than 200 says; `message` are the daemon's own words, if there are any.
    static func refusal(
        _ status: HTTPResponseStatus,
        _ message: String,
        retryAfter: Int64? = nil
    ) -> ClientError {
        switch status.code {
        case 400: return .invalid(message)
        case 401:
            return .denied("the daemon does not know this token")
        case 413:
            return .tooLarge("the daemon takes no request of this length")
        case 429:
            let words = "the daemon takes no more of this token for now (HTTP 429)"
            return ClientError("overloaded", words, retryable: true, retryAfter: retryAfter)
        case 503:  // Also where an answer came too late.
            let words = "the daemon takes no more for now (HTTP 503)"
            return ClientError("overloaded", words, retryable: true, retryAfter: retryAfter)
                .withUnknownOutcome
        case 502, 504:  // Of a proxy, which does not know what became of the call either.
            let words = "a proxy had no answer of the daemon (HTTP \(status.code))"
            return ClientError.connectionLost(words, retryAfter: retryAfter).withUnknownOutcome
        default:
            let words = "HTTP \(status.code) came back, which is no reply of entitld"
            return ClientError.malformedReply(words).withUnknownOutcome
        }
    }

    private func unreachable(_ words: String, isPassing: Bool) -> ClientError {
        .unreachable("\(url) cannot be reached: \(words)", retryable: isPassing)
    }
}

extension ClientError {
    /// An argument that cannot be.
    static func invalid(_ message: String) -> ClientError {
        ClientError("invalid_params", message, retryable: false)
    }
}
