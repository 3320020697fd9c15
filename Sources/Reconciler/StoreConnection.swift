import AsyncHTTPClient
import Entitlements
import NIOCore
import NIOHTTP1
import NIOPosix
import NetworkErrors

/// Why there was no answer, in words for the log.
struct TransportFailure: Error, Sendable {
    let detail: String
}

/// Sends requests over HTTPS, one attempt each; bounded in time and in bytes.
final class StoreConnection: Sendable {
    /// The connections of each event loop.
    ///
    /// A notification is answered on the event loop where it came in. Asking the store on that loop
    /// wakes no other thread.
    private let clients: [(loop: any EventLoop, client: HTTPClient)]
    private let userAgent: String

    init(userAgent: String) {
        self.userAgent = userAgent
        // A redirect would carry the token to somebody else.
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // `ScopeClient` makes the repeats, with pauses. Answers are not decompressed, so that their
        // size stays bounded.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            ReconcilerLimits.connectionsMax
        configuration.decompression = .disabled
        clients = MultiThreadedEventLoopGroup.singleton.makeIterator()
            .map { [configuration] loop in
                let provider = HTTPClient.EventLoopGroupProvider.shared(loop)
                return (
                    loop,
                    HTTPClient(eventLoopGroupProvider: provider, configuration: configuration)
                )
            }
    }

    /// The client of the event loop on which this runs; elsewhere, always the same one.
    private var client: HTTPClient {
        let current = MultiThreadedEventLoopGroup.currentEventLoop
        return (clients.first { $0.loop === current } ?? clients[0]).client
    }

    /// Closes the connections; requests under way fail.
    func stop() async {
        // The only possible failure is a second stop.
        for (_, client) in clients { try? await client.shutdown() }
    }

    /// Sends `request` once and returns the reply.
    func reply(
        to request: StoreRequest,
        authorization: String?,
        milliseconds: Int64
    ) async throws(TransportFailure) -> StoreReply {
        do {
            let message = try message(for: request, authorization)
            return try await reply(to: message, within: milliseconds)
        } catch is ResponseAccumulator.ResponseTooBigError {
            let limit = ReconcilerLimits.answerBytesMax
            throw TransportFailure(detail: "an answer of more than \(limit) bytes")
        } catch {
            throw TransportFailure(detail: NetworkErrors.text(of: error))
        }
    }

    private func message(
        for request: StoreRequest,
        _ authorization: String?
    ) throws -> HTTPClient.Request {
        var message = try HTTPClient.Request(
            url: request.url,
            method: HTTPMethod(rawValue: request.method.rawValue)
        )
        if let authorization {
            message.headers.add(name: "Authorization", value: authorization)
        }
        message.headers.add(name: "Accept", value: "application/json")
        message.headers.add(name: "User-Agent", value: userAgent)
        if let body = request.body {
            message.headers.add(name: "Content-Type", value: body.mediaType)
            message.body = .bytes(body.bytes)
        }
        for field in request.fields { message.headers.add(name: field.name, value: field.value) }
        return message
    }

    /// The reply, head and body within the time.
    ///
    /// The whole exchange stays on one event loop, which also watches the time: a task for each of
    /// the two would wake threads for each request.
    private func reply(
        to message: HTTPClient.Request,
        within milliseconds: Int64
    ) async throws -> StoreReply {
        let task = client.execute(
            request: message,
            delegate: ResponseAccumulator(
                request: message,
                maxBodySize: ReconcilerLimits.answerBytesMax
            ),
            deadline: .now() + .milliseconds(milliseconds)
        )
        let response = try await withTaskCancellationHandler {
            try await task.get()
        } onCancel: {
            task.fail(reason: CancellationError())
        }
        return StoreReply(
            status: Int(response.status.code),
            fields: response.headers.map { HTTPField($0.name, $0.value) },
            body: response.body.map { Array($0.readableBytesView) } ?? []
        )
    }
}
