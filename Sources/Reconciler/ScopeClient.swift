import Entitlements
import Synchronization

/// Asks a store about one of its scopes; within its limits, again where that helps, not for ever.
package final class ScopeClient: Sendable {
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

    /// About what it asks.
    package let scope: StoreScope
    let questions: any StoreQuestions

    private let connection: StoreConnection
    private let clock: ReconcilerClock
    private let gate: RequestGate
    private let attemptMilliseconds: Int64
    private let counted = Mutex(Figures())
    private let credential = Mutex<StoreCredential?>(nil)

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

    /// What was asked so far, and how the circuit is.
    package var figures: Figures {
        var figures = counted.withLock { $0 }
        figures.circuit = gate.circuit.rawValue
        return figures
    }

    /// What the store answers to `question`, and to those that it leads to.
    func answer<Answer: Sendable>(
        to question: StoreQuestion<Answer>,
        _ haste: Haste
    ) async throws(StoreAPIFailure) -> Answer {
        var question = question
        for _ in 0..<ReconcilerLimits.chainedQuestionsMax {
            switch try await reading(of: question, haste) {
            case .answer(let answer): return answer
            case .ask(let next): question = next
            }
        }
        throw StoreAPIFailure(.malformed, "one question leads to another without end")
    }

    /// What a reply to `question` comes to.
    ///
    /// Repeats what may be repeated, as the kind of the failure says, until the attempts or the
    /// time are used up.
    private func reading<Answer: Sendable>(
        of question: StoreQuestion<Answer>,
        _ haste: Haste
    ) async throws(StoreAPIFailure) -> StoreReading<Answer> {
        let budget = question.request.budget
        var attempts = 0
        var isRenewed = false
        while true {
            if question.request.isAuthorised { try await prepare(haste) }
            try await gate.admission(of: budget, haste)
            attempts += 1
            let pause: Int64
            let failure: StoreAPIFailure
            switch try await outcome(of: question, haste) {
            case .reading(let reading): return reading
            case .again(let reason):
                failure = reason
                pause = Backoff.ofRequests.pause(after: attempts, chance: clock.chance())
            case .later(let reason):
                // The gate waits as long as the store asked for.
                failure = reason
                pause = 0
            case .over(let reason):
                guard reason.kind == .unauthorized, !isRenewed, forgetCredential() else {
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
        /// Again, with growing pauses.
        case again(StoreAPIFailure)
        /// Again, when the store says so.
        case later(StoreAPIFailure)
        /// Not again.
        case over(StoreAPIFailure)
    }

    private func outcome<Answer: Sendable>(
        of question: StoreQuestion<Answer>,
        _ haste: Haste
    ) async throws(StoreAPIFailure) -> Attempt<Answer> {
        let left = haste.deadline - clock.monotonic()
        counted.withLock { $0.requests += 1 }
        let reply: StoreReply
        do throws(TransportFailure) {
            reply = try await connection.reply(
                to: question.request,
                authorization: question.request.isAuthorised ? authorization : nil,
                milliseconds: max(1, min(attemptMilliseconds, left))
            )
        } catch {
            guard !Task.isCancelled else {
                gate.abandoned()
                throw StoreAPIFailure(.cancelled, "cancelled")
            }
            return broken(StoreAPIFailure(.unreachable, error.detail), question.request)
        }
        let now = clock.wall()
        guard question.reads(reply.status) else {
            let failure = questions.failure(of: reply, at: now)
            if reply.status >= 500 { return broken(failure, question.request) }
            gate.answered()
            return attempt(failure, question.request.budget)
        }
        gate.answered()
        do throws(StoreAPIFailure) {
            return .reading(try question.read(reply, now))
        } catch {
            return attempt(error, question.request.budget)
        }
    }

    /// Where the store did not answer, or is broken.
    private func broken<Answer: Sendable>(
        _ failure: StoreAPIFailure,
        _ request: StoreRequest
    ) -> Attempt<Answer> {
        gate.failed()
        counted.withLock { $0.failures += 1 }
        guard request.isRepeatable else {
            // It may have been done, and would be done twice.
            return .over(StoreAPIFailure(.uncertain, code: failure.code, failure.detail))
        }
        return .again(failure)
    }

    /// What a failure asks for that the store itself told.
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
        case .unknown, .unauthorized, .refused, .pagingExpired, .uncertain, .malformed,
            .cancelled:
            return .over(failure)
        }
    }

    /// The pause that a store asked for, in ms, within bounds.
    static func pause(_ asked: Int64?) -> Int64 {
        let pause = asked ?? ReconcilerLimits.retryAfterUnnamedMilliseconds
        return min(max(pause, 1), ReconcilerLimits.retryAfterMilliseconds)
    }
}

// What requests are authorised with.
extension ScopeClient {
    /// Asks for a credential where one is wanted and none is at hand.
    private func prepare(_ haste: Haste) async throws(StoreAPIFailure) {
        let now = clock.wall()
        guard case .exchange(let question) = questions.access(to: scope, at: now) else { return }
        if let kept = credential.withLock({ $0 }), now < kept.renewal { return }
        precondition(!question.request.isAuthorised, "a credential is asked for without one")
        let fresh = try await answer(to: question, haste)
        credential.withLock { $0 = fresh }
    }

    private var authorization: String? {
        switch questions.access(to: scope, at: clock.wall()) {
        case .authorization(let text): text
        case .exchange: credential.withLock { $0?.authorization }
        }
    }

    /// Answers whether there was a credential that may be the reason of a refusal.
    private func forgetCredential() -> Bool {
        credential.withLock { credential in
            defer { credential = nil }
            return credential != nil
        }
    }
}

extension [ScopeClient] {
    /// The answer of the first one that knows what is asked about.
    ///
    /// An app that is not approved yet is refused in Production, and may be known
    /// to the next all the same; whoever else does not answer ends it. A question that is none
    /// is known to nobody.
    func firstAnswer<Answer: Sendable>(
        _ haste: Haste,
        to question: (StoreScope) -> StoreQuestion<Answer>?
    ) async throws(StoreAPIFailure) -> Answer {
        try await first(haste, to: question).answer
    }

    /// The same, and whose answer it is.
    func first<Answer: Sendable>(
        _ haste: Haste,
        to question: (StoreScope) -> StoreQuestion<Answer>?
    ) async throws(StoreAPIFailure) -> (scope: StoreScope, answer: Answer) {
        var refusal: StoreAPIFailure?
        var unknown: StoreAPIFailure?
        for client in self {
            do throws(StoreAPIFailure) {
                guard let question = question(client.scope) else { throw .nameless }
                return (client.scope, try await client.answer(to: question, haste))
            } catch {
                switch error.kind {
                case .unauthorized: refusal = refusal ?? error
                case .unknown: unknown = unknown ?? error
                case .refused, .pagingExpired, .limited, .unreachable, .uncertain, .malformed,
                    .cancelled:
                    throw error
                }
            }
        }
        throw refusal ?? unknown
            ?? StoreAPIFailure(.unknown, "no environment knows the transaction")
    }
}

extension StoreAPIFailure {
    /// What cannot stand in a path is the number of nothing.
    static let nameless = StoreAPIFailure(.unknown, "no transaction id is written so")
}
