import AsyncHTTPClient
import Foundation
import JSON
import NIOCore
import NIOHTTP1
import NIOSSL

/// Posts notifications as the App Store does: a repeat of the same bytes after every answer that is
/// not 2xx, on Apple's schedule in Production, never in the sandbox.
package struct Delivery: Sendable {
    /// Where to.
    package let url: String
    /// How long it waits between attempts.
    package let retryDelays: [Int64]
    /// A PEM file with the only certificates that are trusted at an https URL; nil: the system's.
    package var rootFile: String?

    /// A delivery to `url` with this schedule, in milliseconds after the attempt before.
    package init(to url: String, retryDelays: [Int64]) {
        precondition(retryDelays.count < SimulatorLimits.attemptsMax, "five repeats at most")
        self.url = url
        self.retryDelays = retryDelays
    }

    /// A delivery to `url` with Apple's schedule, as short as time is in this store.
    package init(to url: String, _ settings: StoreSettings) {
        self.init(to: url, retryDelays: settings.time.retryDelays(settings.environment))
    }

    /// One attempt to deliver.
    package struct Attempt: Hashable, Sendable {
        /// When it was made.
        package let date: Int64
        /// Under Apple's names.
        package let result: AttemptResult
        /// The answer's status; nil where there was none.
        package let status: Int?
        /// What the answer said.
        package let body: String

        package init(date: Int64, result: AttemptResult, status: Int?, body: String) {
            self.date = date
            self.result = result
            self.status = status
            self.body = body
        }

        /// One that was lost on its way, now.
        static var lost: Attempt {
            Attempt(date: StoreTime.now(), result: .noResponse, status: nil, body: "")
        }
    }

    /// How an attempt ended, under Apple's names.
    package enum AttemptResult: String, Sendable {
        case success = "SUCCESS"
        case timedOut = "TIMED_OUT"
        case tlsIssue = "TLS_ISSUE"
        case noResponse = "NO_RESPONSE"
        case socketIssue = "SOCKET_ISSUE"
        case unsuccessful = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
        case other = "OTHER"
    }

    /// All attempts to deliver one notification.
    package struct Record: Sendable {
        /// What was delivered.
        package let notification: SignedNotification
        /// Every attempt, in order; a doubled notification has one more after success.
        package internal(set) var attempts: [Attempt] = []

        /// Whether some attempt was answered 2xx.
        package var isDelivered: Bool { attempts.contains { $0.result == .success } }

        /// The attempt that counts: the first that was answered 2xx, else the last.
        package var telling: Attempt? {
            attempts.first { $0.result == .success } ?? attempts.last
        }

        /// `DID_RENEW/BILLING_RECOVERY -> 200 applied`.
        package var line: String {
            let answer = telling.map { attempt in
                attempt.status.map { "\($0) \(Self.word(in: attempt.body))" }
                    ?? "no answer (\(attempt.result.rawValue))"
            }
            return "\(notification.kind) -> \(answer ?? "not sent")"
        }

        /// What an answer says in one word: its `result`, or its `error`.
        static func word(in body: String) -> String {
            let answer = try? JSONValue.parse(Array(body.utf8))
            return answer?["result"]?.string ?? answer?["error"]?.string ?? "-"
        }
    }

    /// Delivers `notification` until it is answered 2xx or the schedule is at its end.
    package func deliver(
        _ notification: SignedNotification,
        under fate: Weather.Fate = .init()
    ) async -> Record {
        await deliver(notification, under: fate) { (_: Attempt) throws(Never) in }
    }

    /// Delivers `notification` likewise, and writes every attempt down in `books`, where it was
    /// noted before.
    package func deliver(
        _ notification: SignedNotification,
        under fate: Weather.Fate = .init(),
        noting books: StoreBooks
    ) async throws -> Record {
        try await deliver(notification, under: fate) { attempt in
            try books.note(attempt, of: notification.uuid)
        }
    }

    private func deliver<Failure: Error>(
        _ notification: SignedNotification,
        under fate: Weather.Fate,
        _ note: (Attempt) throws(Failure) -> Void
    ) async throws(Failure) -> Record {
        var record = Record(notification: notification)
        let body = notification.body
        await Self.pause(fate.delay)
        for number in 0...retryDelays.count {
            if number > 0 { await Self.pause(retryDelays[number - 1]) }
            if Task.isCancelled { return record }
            let isLost = number < fate.lostAttempts
            let attempt = isLost ? Attempt.lost : await attempt(body)
            try note(attempt)
            record.attempts.append(attempt)
            if record.isDelivered { break }
        }
        if fate.isDoubled, record.isDelivered {
            let second = await attempt(body)
            try note(second)
            record.attempts.append(second)
        }
        return record
    }

    /// One for the process, never shut down.
    ///
    /// An attempt is one attempt: no redirect is followed, no connection tried twice.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            SimulatorLimits.connectionsMax
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// One attempt.
    private func attempt(_ body: [UInt8]) async -> Attempt {
        let date = StoreTime.now()
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "User-Agent", value: "appstoresim")
        request.body = .bytes(ByteBuffer(bytes: body))
        if let rootFile {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.trustRoots = .file(rootFile)
            request.tlsConfiguration = configuration
        }
        do {
            let timeout = TimeAmount.seconds(SimulatorLimits.attemptSecondsMax)
            let response = try await Self.client.execute(request, timeout: timeout)
            let answer = try await response.body.collect(upTo: SimulatorLimits.answerBytesMax)
            let status = Int(response.status.code)
            return Attempt(
                date: date,
                result: (200...206).contains(status) ? .success : .unsuccessful,
                status: status,
                body: String(buffer: answer)
            )
        } catch {
            return Attempt(date: date, result: Self.result(of: error), status: nil, body: "")
        }
    }

    private static func result(of error: any Error) -> AttemptResult {
        if error is NIOSSLError || error is NIOSSLExtraError { return .tlsIssue }
        guard let error = error as? HTTPClientError else { return .socketIssue }
        switch error {
        case .readTimeout, .connectTimeout, .deadlineExceeded: return .timedOut
        case .tlsHandshakeTimeout: return .tlsIssue
        case .remoteConnectionClosed: return .noResponse
        default: return .other
        }
    }

    private static func pause(_ milliseconds: Int64) async {
        guard milliseconds > 0 else { return }
        try? await Task.sleep(for: .milliseconds(milliseconds))
    }
}
