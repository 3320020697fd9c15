import Entitlements
import JSON
import Synchronization

/// Asks one environment of the App Store about one app; within its limits, again where that helps,
/// not for ever.
package final class AppStoreServerAPI: Sendable {
    /// What was asked so far.
    package struct Figures: Hashable, Sendable {
        /// Requests sent, repeats included.
        package internal(set) var requests = 0
        /// Of those, the ones without an answer, or with 5xx.
        package internal(set) var failures = 0
        /// Of those, the ones that were too many.
        package internal(set) var limited = 0
        /// Whether requests go: closed, open, probing.
        package internal(set) var circuit = Circuit.Figure.closed.rawValue
        /// Whether requests go.
        package var isAnswering: Bool { circuit == Circuit.Figure.closed.rawValue }
    }

    /// Whom it asks.
    package let endpoint: StoreEndpoint
    /// About which app, and where.
    package let scope: StoreScope

    private let connection: StoreConnection
    private let tokens: BearerTokens
    private let clock: ReconcilerClock
    private let gate: RequestGate
    private let attemptMilliseconds: Int64
    private let counted = Mutex(Figures())

    init(
        _ endpoint: StoreEndpoint,
        _ connection: StoreConnection,
        _ tokens: BearerTokens,
        scope: StoreScope? = nil,
        rates: StoreRates,
        clock: ReconcilerClock,
        attemptMilliseconds: Int64 = ReconcilerLimits.attemptMilliseconds
    ) {
        self.endpoint = endpoint
        self.scope = scope ?? StoreScope(endpoint.environment)
        self.connection = connection
        self.tokens = tokens
        self.clock = clock
        self.attemptMilliseconds = attemptMilliseconds
        gate = RequestGate(rates, clock)
    }

    /// What was asked so far, and how the circuit is.
    package var figures: Figures {
        var figures = counted.withLock { $0 }
        figures.circuit = gate.circuit.rawValue
        return figures
    }

    /// The store's answer to `request`, as JSON; an empty one is an empty object.
    ///
    /// Repeats what may be repeated, as `RetryClass` says, until the attempts or the time are used
    /// up.
    func answer(
        to request: StoreRequest,
        _ haste: Haste
    ) async throws(StoreAPIFailure) -> JSONValue {
        var attempts = 0
        while true {
            try await gate.admission(of: request.kind, haste)
            attempts += 1
            let pause: Int64
            let failure: StoreAPIFailure
            switch try await outcome(of: request, haste) {
            case .answer(let value): return value
            case .failure(let reason, .retry):
                failure = reason
                pause = Backoff.ofRequests.pause(after: attempts, chance: clock.chance())
            case .failure(let reason, .wait):
                // The gate waits as long as the store asked for.
                failure = reason
                pause = 0
            case .failure(let reason, _): throw reason
            }
            guard attempts < haste.attemptsMax else { throw failure }
            let (next, isLate) = clock.monotonic().addingReportingOverflow(pause)
            guard !isLate, next < haste.deadline else { throw failure }
            if pause > 0 { try await clock.rest(pause) }
        }
    }

    private enum Attempt {
        case answer(JSONValue)
        case failure(StoreAPIFailure, RetryClass)
    }

    private func outcome(
        of request: StoreRequest,
        _ haste: Haste
    ) async throws(StoreAPIFailure) -> Attempt {
        let left = haste.deadline - clock.monotonic()
        counted.withLock { $0.requests += 1 }
        let answer: StoreAnswer
        do throws(TransportFailure) {
            answer = try await connection.answer(
                to: request,
                at: endpoint,
                bearer: tokens.token(at: clock.wall()),
                milliseconds: max(1, min(attemptMilliseconds, left))
            )
        } catch {
            guard !Task.isCancelled else {
                gate.abandoned()
                throw StoreAPIFailure(.cancelled, "cancelled")
            }
            return brokenAttempt(StoreAPIFailure(.unreachable, error.detail), of: request)
        }
        if (200...299).contains(answer.status) {
            gate.answered()
            guard let value = Self.value(of: answer) else {
                let failure = StoreAPIFailure(
                    .malformed,
                    code: Int64(answer.status),
                    "an answer that is no JSON object"
                )
                return .failure(failure, .never)
            }
            return .answer(value)
        }
        return refusal(answer, of: request)
    }

    /// Where the store did not answer, or is broken.
    private func brokenAttempt(
        _ failure: StoreAPIFailure,
        of request: StoreRequest
    ) -> Attempt {
        gate.failed()
        counted.withLock { $0.failures += 1 }
        guard request.isRepeatable else {
            // It may have been done, and would be done twice.
            return .failure(
                StoreAPIFailure(.uncertain, code: failure.code, failure.detail),
                .never
            )
        }
        return .failure(failure, .retry)
    }

    private func refusal(_ answer: StoreAnswer, of request: StoreRequest) -> Attempt {
        let body = Self.value(of: answer)
        let code = body?["errorCode"]?.int64
        let detail = body?["errorMessage"]?.string.map(Self.cut) ?? "HTTP \(answer.status)"
        let retryClass = RetryClass(code: code, status: answer.status)
        let number = code ?? Int64(answer.status)
        if answer.status >= 500 {
            return brokenAttempt(
                StoreAPIFailure(.unreachable, code: number, detail),
                of: request
            )
        }
        gate.answered()
        switch retryClass {
        case .retry: return .failure(.init(.unreachable, code: number, detail), .retry)
        case .wait:
            let pause = RetryAfter.pause(answer.retryAfter, at: clock.wall())
            gate.pause(request.kind, milliseconds: pause)
            counted.withLock { $0.limited += 1 }
            let failure = StoreAPIFailure(.limited, code: number, detail, retryAfter: pause)
            return .failure(failure, .wait)
        case .restartPaging: return .failure(.init(.pagingExpired, code: number, detail), .never)
        case .elsewhere: return .failure(.init(.unknown, code: number, detail), .never)
        case .never:
            let isAboutKey = answer.status == 401 || answer.status == 403 && code == nil
            let kind: StoreAPIFailure.Kind = isAboutKey ? .unauthorized : .refused
            return .failure(.init(kind, code: number, detail), .never)
        }
    }

    private static func value(of answer: StoreAnswer) -> JSONValue? {
        if answer.body.isEmpty { return .object([:]) }
        guard let value = try? JSONValue.parse(answer.body), value.object != nil else {
            return nil
        }
        return value
    }

    /// What the store wrote, so that it cannot forge a line of a log.
    private static func cut(_ text: String) -> String {
        let bytes = text.utf8.prefix(200).map { (0x20...0x7e).contains($0) ? $0 : 0x3f }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// How long to wait after a 429.
enum RetryAfter {
    /// The pause that `header` asks for, in ms.
    ///
    /// Apple writes a moment in UNIX milliseconds ("Identifying rate limits" in its pages on the
    /// App Store Server API). Proxies write seconds to wait. Nobody waits for 30 years, and no
    /// moment to come is as small as that.
    static func pause(_ header: String?, at now: Moment) -> Int64 {
        guard let header, let number = Int64(header), number >= 0 else {
            return ReconcilerLimits.retryAfterUnnamedMilliseconds
        }
        let pause =
            number < 1_000_000_000 ? number * 1_000 : number - now.milliseconds
        return min(max(pause, 1), ReconcilerLimits.retryAfterMilliseconds)
    }
}
