import AppStoreSimulator
import AsyncHTTPClient
import CertificateAuthority
import JSON
import NIOCore
import NIOHTTP1

/// Signs events and posts them as Stripe does: again after every answer that is no 2xx.
package struct EventDelivery: Sendable {
    /// What became of one event.
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

    private let url: String
    private let settings: StripeSettings

    /// A delivery to `url` of events of the account that is like `settings`.
    package init(to url: String, _ settings: StripeSettings) {
        self.url = url
        self.settings = settings
    }

    /// The body that an endpoint gets.
    package static func body(_ event: KeptEvent, _ settings: StripeSettings) -> [UInt8] {
        JSONValue.object(event.json(settings, isListed: false)).bytes
    }

    /// The header `Stripe-Signature` of a body that is sent at `now`, in seconds since 1970: a code
    /// for each secret that counts.
    package static func signature(
        over body: [UInt8],
        _ settings: StripeSettings,
        at now: Int64
    ) -> String {
        let message = Array("\(now).".utf8) + body
        let codes = settings.secrets.map { "v1=" + MessageCode.sha256(of: message, secret: $0) }
        return (["t=\(now)"] + codes).joined(separator: ",")
    }

    /// Delivers one event until it is taken, or for so many attempts.
    package func deliver(
        _ event: KeptEvent,
        under fate: Weather.Fate = .init(),
        attempts: Int = 5
    ) async throws -> Record {
        var record = Record()
        try await Task.sleep(for: .milliseconds(fate.delay))
        for number in 0..<max(1, attempts) {
            if number > 0 { try await Task.sleep(for: .milliseconds(min(100 << number, 5_000))) }
            record.attempts += 1
            guard number >= fate.lostAttempts else { continue }
            try await attempt(event, &record)
            guard record.isDelivered else { continue }
            if fate.isDoubled { try await attempt(event, &record) }
            break
        }
        return record
    }

    /// Each attempt has a time, and so a signature, of its own.
    private func attempt(_ event: KeptEvent, _ record: inout Record) async throws {
        let body = Self.body(event, settings)
        let now = StoreTime.now() / 1_000
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(
            name: "Stripe-Signature",
            value: Self.signature(over: body, settings, at: now)
        )
        request.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
        request.headers.add(name: "User-Agent", value: "stripesim")
        request.body = .bytes(ByteBuffer(bytes: body))
        do {
            let response = try await Self.client.execute(request, timeout: .seconds(10))
            let answer = try await response.body.collect(upTo: 64 << 10)
            let value = try? JSONValue.parse(Array(answer.readableBytesView))
            record.status = Int(response.status.code)
            record.word = value?["result"]?.string ?? value?["error"]?.string ?? "-"
            record.isDelivered = (200..<300).contains(Int(response.status.code))
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
