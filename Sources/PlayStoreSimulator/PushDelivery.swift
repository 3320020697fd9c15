import AppStoreSimulator
import AsyncHTTPClient
import Foundation
import JSON
import NIOCore
import NIOHTTP1

/// Pushes as Pub/Sub does: again after every answer but five, with growing pauses.
package struct PushDelivery: Sendable {
    /// What became of one message.
    package struct Record: Hashable, Sendable {
        /// The last answer's status; nil where there was none.
        package var status: Int?
        /// What it said, in a word.
        package var word = "-"
        /// How often it was sent.
        package var attempts = 0
        /// Whether it was acknowledged.
        package var isDelivered = false
    }

    /// Where to.
    package let url: String
    private let signer: PushSigner

    /// A delivery to `url` of what `signer` signs.
    package init(to url: String, _ signer: PushSigner) {
        self.url = url
        self.signer = signer
    }

    /// Delivers one message until it is acknowledged, or for so many attempts.
    package func deliver(
        _ notice: PlayNotice,
        under fate: Weather.Fate = .init(),
        attempts: Int = 5
    ) async throws -> Record {
        let id = "\(StoreTime.now())\(UInt16.random(in: 10_000...65_535))"
        let body = signer.body(notice, id: id, at: StoreTime.now())
        var record = Record()
        try await Task.sleep(for: .milliseconds(fate.delay))
        for number in 0..<max(1, attempts) {
            if number > 0 { try await Task.sleep(for: .milliseconds(min(100 << number, 5_000))) }
            record.attempts += 1
            guard number >= fate.lostAttempts else { continue }
            try await attempt(body, &record)
            guard record.isDelivered else { continue }
            if fate.isDoubled { try await attempt(body, &record) }
            break
        }
        return record
    }

    private func attempt(_ body: [UInt8], _ record: inout Record) async throws {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        let token = try signer.token(at: StoreTime.now())
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "User-Agent", value: "playstoresim")
        request.body = .bytes(ByteBuffer(bytes: body))
        do {
            let response = try await Self.client.execute(request, timeout: .seconds(10))
            let answer = try await response.body.collect(upTo: 64 << 10)
            let value = try? JSONValue.parse(Array(answer.readableBytesView))
            record.status = Int(response.status.code)
            record.word = value?["result"]?.string ?? value?["error"]?.string ?? "-"
            // Exactly these five, says Google's page "Push subscriptions".
            record.isDelivered = [102, 200, 201, 202, 204].contains(Int(response.status.code))
        } catch let error as HTTPClientError {
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
