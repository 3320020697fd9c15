import AsyncHTTPClient
import Entitlements
import NIOCore
import NIOHTTP1

/// Why there was no answer, in words for the log.
struct TransportFailure: Error, Sendable {
    let detail: String
}

/// Sends requests over HTTPS, one attempt each; bounded in time and in bytes.
final class StoreConnection: Sendable {
    private let client: HTTPClient
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
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Closes the connections; requests under way fail.
    func stop() async {
        // The only possible failure is a second stop.
        try? await client.shutdown()
    }

    /// Sends `request` once and returns the reply.
    func reply(
        to request: StoreRequest,
        authorization: String?,
        milliseconds: Int64
    ) async throws(TransportFailure) -> StoreReply {
        var message = HTTPClientRequest(url: request.url)
        message.method = HTTPMethod(rawValue: request.method.rawValue)
        if let authorization {
            message.headers.add(name: "Authorization", value: authorization)
        }
        message.headers.add(name: "Accept", value: "application/json")
        message.headers.add(name: "User-Agent", value: userAgent)
        if let body = request.body {
            message.headers.add(name: "Content-Type", value: body.mediaType)
            message.body = .bytes(ByteBuffer(bytes: body.bytes))
        }
        for field in request.fields { message.headers.add(name: field.name, value: field.value) }
        do {
            return try await reply(to: message, within: milliseconds)
        } catch is NIOTooManyBytesError {
            let limit = ReconcilerLimits.answerBytesMax
            throw TransportFailure(detail: "an answer of more than \(limit) bytes")
        } catch let error as HTTPClientError {
            throw TransportFailure(detail: error.shortDescription)
        } catch {
            throw TransportFailure(detail: "\(type(of: error))")
        }
    }

    /// Applies the deadline to head and body together: the child task that ends first cancels the
    /// other.
    private func reply(
        to message: HTTPClientRequest,
        within milliseconds: Int64
    ) async throws -> StoreReply {
        try await withThrowingTaskGroup(of: StoreReply.self) { group in
            defer { group.cancelAll() }
            group.addTask { [client] in
                let response = try await client.execute(
                    message,
                    timeout: .milliseconds(milliseconds)
                )
                let body = try await response.body.collect(upTo: ReconcilerLimits.answerBytesMax)
                return StoreReply(
                    status: Int(response.status.code),
                    fields: response.headers.map { HTTPField($0.name, $0.value) },
                    body: Array(body.readableBytesView)
                )
            }
            group.addTask {
                try await Task.sleep(for: .milliseconds(milliseconds))
                throw HTTPClientError.deadlineExceeded
            }
            guard let first = try await group.next() else {
                preconditionFailure("there are two children")
            }
            return first
        }
    }
}
