import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// What the store's server said.
struct StoreAnswer: Sendable {
    let status: Int
    /// The header of that name, as it was written.
    let retryAfter: String?
    let body: [UInt8]
}

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
        // Repeats are ours, with pauses; nothing is unpacked, so that bytes stay bounded.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            ReconcilerLimits.connectionsMax
        configuration.decompression = .disabled
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Closes what is open; requests under way fail.
    func stop() async {
        // Stopping twice is all that can be wrong here.
        try? await client.shutdown()
    }

    /// One attempt to get an answer of `endpoint`.
    func answer(
        to request: StoreRequest,
        at endpoint: StoreEndpoint,
        bearer: String,
        milliseconds: Int64
    ) async throws(TransportFailure) -> StoreAnswer {
        var message = HTTPClientRequest(url: endpoint.base + request.target)
        message.method = HTTPMethod(rawValue: request.method.rawValue)
        message.headers.add(name: "Authorization", value: "Bearer \(bearer)")
        message.headers.add(name: "Accept", value: "application/json")
        message.headers.add(name: "User-Agent", value: userAgent)
        if let body = request.body {
            message.headers.add(name: "Content-Type", value: "application/json")
            message.body = .bytes(ByteBuffer(bytes: body))
        }
        do {
            return try await answer(to: message, within: milliseconds)
        } catch is NIOTooManyBytesError {
            let limit = ReconcilerLimits.answerBytesMax
            throw TransportFailure(detail: "an answer of more than \(limit) bytes")
        } catch let error as HTTPClientError {
            throw TransportFailure(detail: error.shortDescription)
        } catch {
            throw TransportFailure(detail: "\(type(of: error))")
        }
    }

    /// The deadline holds for head and body together: whichever child ends first ends the other.
    private func answer(
        to message: HTTPClientRequest,
        within milliseconds: Int64
    ) async throws -> StoreAnswer {
        try await withThrowingTaskGroup(of: StoreAnswer.self) { group in
            defer { group.cancelAll() }
            group.addTask { [client] in
                let response = try await client.execute(
                    message,
                    timeout: .milliseconds(milliseconds)
                )
                let body = try await response.body.collect(upTo: ReconcilerLimits.answerBytesMax)
                return StoreAnswer(
                    status: Int(response.status.code),
                    retryAfter: response.headers.first(name: "Retry-After"),
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
