import Entitlements
import Synchronization

/// Asks a store about one of its scopes: within the rate limits, with a limited number of repeats
/// where a repeat can help.
package final class ScopeClient: Sendable {
    /// The requests so far.
    package struct Figures: Hashable, Sendable {
        /// Requests sent, repeats included.
        package internal(set) var requests = 0
        /// Of those, the ones without an answer, or with 5xx.
        package internal(set) var failures = 0
        /// Of those, the ones that the store refused because they were too many.
        package internal(set) var limited = 0
        /// The state of the circuit: closed, open or probing.
        package internal(set) var circuit = Circuit.Figure.closed.rawValue
        /// Whether the circuit is closed, so that requests are sent.
        package var isAnswering: Bool { circuit == Circuit.Figure.closed.rawValue }
    }

    /// The scope that it asks about.
    package let scope: StoreScope
    let questions: any StoreQuestions

    private let connection: StoreConnection
    private let clock: ReconcilerClock
    private let gate: RequestGate
    private let attemptMilliseconds: Int64
    private let counted = Mutex(Figures())
    private let credential = Mutex<StoreCredential?>(nil)
    /// The date of the latest question.
    private let latest = Mutex(Moment.distantPast)

    init(
        _ scope: StoreScope,
        of questions: any StoreQuestions,
        over connection: StoreConnection,
        clock: ReconcilerClock,
        attemptMilliseconds: Int64 = ReconcilerLimits.attemptMilliseconds
    ) {
        self.scope = scope
        self.questions = questions
        self.connection = connection
        self.clock = clock
        self.attemptMilliseconds = attemptMilliseconds
        gate = RequestGate(questions.budgets(of: scope), clock)
    }

    /// The requests so far, and the state of the circuit.
    package var figures: Figures {
        var figures = counted.withLock { $0 }
        figures.circuit = gate.circuit.rawValue
        return figures
    }

    /// The store's answer to `question`, after any further questions that its replies lead to;
    /// dated behind `said`, whatever the clock says.
    func answer<Answer: Sendable>(
        to question: StoreQuestion<Answer>,
        _ haste: Haste,
        after said: Moment = .distantPast
    ) async throws(StoreAPIFailure) -> Answer {
        var question = question
        for _ in 0..<ReconcilerLimits.chainedQuestionsMax {
            switch try await reading(of: question, haste, after: said) {
            case .answer(let answer): return answer
            case .ask(let next): question = next
            }
        }
        throw StoreAPIFailure(.malformed, "one question leads to another without end")
    }

    /// Sends `question` and reads the reply.
    ///
    /// Depending on the kind of failure, the request is repeated until the attempts or the time are
    /// used up.
    private func reading<Answer: Sendable>(
        of question: StoreQuestion<Answer>,
        _ haste: Haste,
        after said: Moment
    ) async throws(StoreAPIFailure) -> StoreReading<Answer> {
        let haste = haste.forOneQuestion(at: clock.monotonic())
        let budget = question.request.budget
        var attempts = 0
        var isRenewed = false
        while true {
            if question.request.isAuthorised { try await prepare(haste) }
            try await gate.admission(of: budget, haste)
            let used = question.request.isAuthorised ? authorization : nil
            if question.request.isAuthorised, used == nil {
                // Another request's refusal has taken it meanwhile. The next one is asked for
                // through the same gate, at which this request may be the only one let in.
                gate.abandoned()
                continue
            }
            attempts += 1
            let pause: Int64
            let failure: StoreAPIFailure
            switch try await outcome(of: question, by: used, haste, after: said) {
            case .reading(let reading): return reading
            case .again(let reason):
                failure = reason
                pause = Backoff.ofRequests.pause(after: attempts, chance: clock.chance())
            case .later(let reason):
                // The gate waits for the time that the store asked for.
                failure = reason
                pause = 0
            case .over(let reason):
                guard reason.kind == .unauthorized, !isRenewed, mayHelp(renewing: used) else {
                    throw reason
                }
                isRenewed = true
                continue
            }
            guard attempts < haste.attemptsMax else { throw failure }
            let (next, isLate) = clock.monotonic().addingReportingOverflow(pause)
            guard !isLate, next < haste.deadline else { throw failure }
            if pause > 0 { try await clock.rest(pause) }
        }
    }

    private enum Attempt<Answer: Sendable> {
        case reading(StoreReading<Answer>)
        /// Repeat, with growing pauses.
        case again(StoreAPIFailure)
        /// Repeat, after the pause that the store asked for.
        case later(StoreAPIFailure)
        /// Do not repeat.
        case over(StoreAPIFailure)
    }

    private func outcome<Answer: Sendable>(
        of question: StoreQuestion<Answer>,
        by authorization: String?,
        _ haste: Haste,
        after said: Moment
    ) async throws(StoreAPIFailure) -> Attempt<Answer> {
        let left = haste.deadline - clock.monotonic()
        let sent = max(date(), said.advanced(byMilliseconds: 1))
        counted.withLock { $0.requests += 1 }
        let reply: StoreReply
        do throws(TransportFailure) {
            reply = try await connection.reply(
                to: question.request,
                authorization: authorization,
                milliseconds: max(1, min(attemptMilliseconds, left))
            )
        } catch {
            guard !Task.isCancelled else {
                gate.abandoned()
                throw StoreAPIFailure(.cancelled, "cancelled")
            }
            return broken(StoreAPIFailure(.unreachable, error.detail), question.request)
        }
        guard question.reads(reply.status) else {
            let failure = questions.failure(of: reply, at: clock.wall())
            if reply.status >= 500 { return broken(failure, question.request) }
            gate.answered()
            return attempt(failure, question.request.budget)
        }
        gate.answered()
        do throws(StoreAPIFailure) {
            return .reading(try question.read(reply, sent))
        } catch {
            if error.kind == .malformed, !question.request.isRepeatable {
                return .over(StoreAPIFailure(.uncertain, code: error.code, error.detail))
            }
            return attempt(error, question.request.budget)
        }
    }

    /// The date of a question that is sent now, which the answer has, too.
    ///
    /// What a store says is as old as the question: of two that overlap, the one that was sent last
    /// has seen all that the store had told of before. It is dated later, also where the clock was
    /// set back between them: what was said while it was ahead must not hold for so long.
    private func date() -> Moment {
        let now = clock.wall()
        return latest.withLock { latest in
            latest = now < latest ? latest.advanced(byMilliseconds: 1) : now
            return latest
        }
    }

    /// Handles a store that did not answer, or answered with a server error.
    private func broken<Answer: Sendable>(
        _ failure: StoreAPIFailure,
        _ request: StoreRequest
    ) -> Attempt<Answer> {
        gate.failed()
        counted.withLock { $0.failures += 1 }
        guard request.isRepeatable else {
            // The store may have carried out the order, and a repeat would do it twice.
            return .over(StoreAPIFailure(.uncertain, code: failure.code, failure.detail))
        }
        return .again(failure)
    }

    /// Handles a failure that the store stated.
    private func attempt<Answer: Sendable>(
        _ failure: StoreAPIFailure,
        _ budget: StoreBudget
    ) -> Attempt<Answer> {
        switch failure.kind {
        case .unreachable: return .again(failure)
        case .limited:
            let pause = Self.pause(failure.retryAfterMilliseconds)
            gate.pause(budget, milliseconds: pause)
            counted.withLock { $0.limited += 1 }
            return .later(
                StoreAPIFailure(.limited, code: failure.code, failure.detail, retryAfter: pause)
            )
        case .unknown, .unauthorized, .forbidden, .refused, .pagingExpired, .uncertain,
            .malformed, .cancelled:
            return .over(failure)
        }
    }

    /// The pause that a store asked for, in ms, within bounds.
    static func pause(_ asked: Int64?) -> Int64 {
        let pause = asked ?? ReconcilerLimits.retryAfterUnnamedMilliseconds
        return min(max(pause, 1), ReconcilerLimits.retryAfterMilliseconds)
    }
}

// Credentials, with which requests are authorised.
extension ScopeClient {
    /// Asks for a credential if one is needed and none is stored.
    private func prepare(_ haste: Haste) async throws(StoreAPIFailure) {
        let now = clock.wall()
        // First, because the question for another one is signed: with RSA that takes longer than
        // all the rest of a request.
        if let kept = credential.withLock({ $0 }), now < kept.renewal { return }
        guard case .exchange(let question) = questions.access(to: scope, at: now) else { return }
        precondition(!question.request.isAuthorised, "a credential is asked for without one")
        let fresh = try await answer(to: question, haste)
        credential.withLock { $0 = fresh }
    }

    private var authorization: String? {
        if let kept = credential.withLock({ $0 }) { return kept.authorization }
        return switch questions.access(to: scope, at: clock.wall()) {
        case .authorization(let text): text
        case .exchange: nil
        }
    }

    /// Drops the credential with which a request was refused; returns whether another one may be
    /// had.
    ///
    /// One that was fetched since is not dropped: other requests are under way with it.
    private func mayHelp(renewing used: String?) -> Bool {
        guard let used, case .exchange = questions.access(to: scope, at: clock.wall()) else {
            return false
        }
        credential.withLock { kept in
            if kept?.authorization == used { kept = nil }
        }
        return true
    }
}

extension [ScopeClient] {
    /// The answer of the first client whose scope knows the subject of the question.
    ///
    /// Production refuses an app that is not approved yet, but the next scope may know it. Any
    /// other failure ends the search. A scope for which `question` returns nil counts as not
    /// knowing. Where one app is refused and another one does not know the subject, it is unknown:
    /// an app that is refused for months must not keep the other apps' purchases from being asked
    /// about.
    func firstAnswer<Answer: Sendable>(
        _ haste: Haste,
        after said: Moment = .distantPast,
        to question: (StoreScope) -> StoreQuestion<Answer>?
    ) async throws(StoreAPIFailure) -> Answer {
        try await first(haste, after: said, to: question).answer
    }

    /// The same answer, with the scope that gave it.
    func first<Answer: Sendable>(
        _ haste: Haste,
        after said: Moment = .distantPast,
        to question: (StoreScope) -> StoreQuestion<Answer>?
    ) async throws(StoreAPIFailure) -> (scope: StoreScope, answer: Answer) {
        var refusal: StoreAPIFailure?
        var unknown: StoreAPIFailure?
        // The apps whose scopes answered so; nil is the default one.
        var (refused, unknowing) = (Set<String?>(), Set<String?>())
        for client in self {
            guard let question = question(client.scope) else {
                unknown = unknown ?? .nameless
                continue
            }
            do throws(StoreAPIFailure) {
                return (client.scope, try await client.answer(to: question, haste, after: said))
            } catch {
                switch error.kind {
                case .unauthorized, .forbidden:
                    refusal = refusal ?? error
                    refused.insert(client.scope.bundleID)
                case .unknown:
                    unknown = unknown ?? error
                    unknowing.insert(client.scope.bundleID)
                case .refused, .pagingExpired, .limited, .unreachable, .uncertain, .malformed,
                    .cancelled:
                    throw error
                }
            }
        }
        let isOneAppsRefusal = refused.contains { app in unknowing.contains { $0 != app } }
        if isOneAppsRefusal, let unknown { throw unknown }
        throw refusal ?? unknown
            ?? StoreAPIFailure(.unknown, "no environment knows the transaction")
    }
}

extension StoreAPIFailure {
    /// The failure for an id that cannot be part of a path, so that it cannot be a transaction's.
    static let nameless = StoreAPIFailure(.unknown, "no transaction id is written so")
}
