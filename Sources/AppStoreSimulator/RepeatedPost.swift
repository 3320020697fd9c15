import AsyncHTTPClient
import JSON
import NIOCore
import NIOHTTP1

/// A message that a store posts until it is taken: again after every other answer, with growing
/// pauses.
package struct RepeatedPost: Sendable {
    /// What became of one message.
    package struct Record: Hashable, Sendable {
        /// The last answer's status; nil where there was none.
        package var status: Int?
        /// What it said, in a word.
        package var word = "-"
        /// How often it was sent.
        package var attempts = 0
        /// Whether it was taken.
        package var isDelivered = false
    }

    private let isTaken: @Sendable (_ status: Int) -> Bool
    private let request: @Sendable () throws -> HTTPClientRequest

    /// A message that counts as taken with the statuses that `isTaken` accepts; `request` makes
    /// each attempt, whose signature may have a time of its own.
    package init(
        isTaken: @escaping @Sendable (_ status: Int) -> Bool,
        request: @escaping @Sendable () throws -> HTTPClientRequest
    ) {
        self.isTaken = isTaken
        self.request = request
    }

    /// Delivers it until it is taken, or for so many attempts.
    package func deliver(under fate: Weather.Fate, attempts: Int) async throws -> Record {
        var record = Record()
        try await Task.sleep(for: .milliseconds(fate.delay))
        for number in 0..<max(1, attempts) {
            if number > 0 { try await Task.sleep(for: .milliseconds(min(100 << number, 5_000))) }
            record.attempts += 1
            guard number >= fate.lostAttempts else { continue }
            try await attempt(&record)
            guard record.isDelivered else { continue }
            if fate.isDoubled { try await attempt(&record) }
            break
        }
        return record
    }

    private func attempt(_ record: inout Record) async throws {
        let request = try request()
        do {
            let response = try await Self.client.execute(request, timeout: .seconds(10))
            let answer = try await response.body.collect(upTo: 64 << 10)
            let value = try? JSONValue.parse(Array(answer.readableBytesView))
            record.status = Int(response.status.code)
            record.word = value?["result"]?.string ?? value?["error"]?.string ?? "-"
            record.isDelivered = isTaken(Int(response.status.code))
        } catch let error as CancellationError {
            throw error
        } catch {
            // Also what NIO throws, as where a connection is refused.
            record.status = nil
            record.word = "\(error)"
        }
    }

    /// One for the process, never shut down.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}
