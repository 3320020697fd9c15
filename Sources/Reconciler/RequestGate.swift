import Entitlements
import Synchronization

/// The gate that every request to one scope of a store must pass: its budget and the circuit.
///
/// Requests that the store counts separately have separate budgets.
final class RequestGate: Sendable {
    fileprivate struct State {
        var circuit = Circuit()
        var budgets: [StoreBudget: RateBudget]
    }

    private let clock: ReconcilerClock
    private let state: Mutex<State>

    /// A gate with these rates, in requests per 1,000 s.
    init(_ rates: [StoreBudget: Int64], _ clock: ReconcilerClock) {
        self.clock = clock
        let now = clock.monotonic()
        state = Mutex(
            State(budgets: rates.mapValues { RateBudget(requestsPerKilosecond: $0, at: now) })
        )
    }

    /// The state of the circuit.
    var circuit: Circuit.Figure { state.withLock { $0.circuit.figure } }

    /// Waits until a request may be sent.
    ///
    /// A caller who waits gets a failure immediately if the request would be too late.
    func admission(
        of budget: StoreBudget,
        _ haste: Haste
    ) async throws(StoreAPIFailure) {
        while true {
            let now = clock.monotonic()
            let (pause, isOpen) = state.withLock { $0.pause(of: budget, haste, at: now) }
            guard pause > 0 else { return }
            guard now.addingReportingOverflow(pause).partialValue < haste.deadline else {
                throw StoreAPIFailure(
                    isOpen ? .unreachable : .limited,
                    isOpen ? "the store did not answer lately" : "too many requests",
                    retryAfter: pause
                )
            }
            try await clock.rest(pause)
        }
    }

    /// Notes that the store answered.
    func answered() { state.withLock { $0.circuit.answered() } }

    /// Notes that the store did not answer.
    func failed() {
        let (now, chance) = (clock.monotonic(), clock.chance())
        state.withLock { $0.circuit.failed(at: now, chance: chance) }
    }

    /// Notes that the request was given up.
    func abandoned() {
        let now = clock.monotonic()
        state.withLock { $0.circuit.abandoned(at: now) }
    }

    /// Stops all requests that count against `budget` for this long.
    func pause(_ budget: StoreBudget, milliseconds: Int64) {
        let until = clock.monotonic() + milliseconds
        state.withLock { $0.budgets[budget]?.pause(until: until) }
    }
}

extension RequestGate.State {
    /// How long to wait.
    ///
    /// The token comes before the circuit, so that a request that probes the store has one.
    fileprivate mutating func pause(
        of budget: StoreBudget,
        _ haste: Haste,
        at now: Int64
    ) -> (milliseconds: Int64, isOpen: Bool) {
        var tried = self
        // Every store declares all budgets that its questions use.
        let pause = tried.budgets[budget]?.take(at: now, haste) ?? 0
        if pause > 0 { return (pause, false) }
        if case .wait(let pause) = tried.circuit.admit(at: now) { return (pause, true) }
        self = tried
        return (0, false)
    }
}

extension ReconcilerClock {
    /// Waits, or says that the task was cancelled.
    func rest(_ milliseconds: Int64) async throws(StoreAPIFailure) {
        do {
            try await sleep(milliseconds)
            try Task.checkCancellation()
        } catch {
            throw StoreAPIFailure(.cancelled, "cancelled")
        }
    }
}
