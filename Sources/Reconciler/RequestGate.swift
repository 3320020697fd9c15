import Entitlements
import Synchronization

/// What every request to one environment of the store passes: the budget and the circuit.
///
/// Requests that Apple counts by themselves, extensions and those about test notifications, have
/// own budgets.
final class RequestGate: Sendable {
    fileprivate struct State {
        var circuit = Circuit()
        var budget: RateBudget
        var extensionBudget: RateBudget
        var testBudget: RateBudget
    }

    private let clock: ReconcilerClock
    private let state: Mutex<State>

    init(_ rates: StoreRates, _ clock: ReconcilerClock) {
        self.clock = clock
        let now = clock.monotonic()
        state = Mutex(
            State(
                budget: RateBudget(requestsPerKilosecond: rates.requestsPerKilosecond, at: now),
                extensionBudget: RateBudget(
                    requestsPerKilosecond: rates.extensionsPerKilosecond,
                    at: now
                ),
                testBudget: RateBudget(requestsPerKilosecond: rates.testsPerKilosecond, at: now)
            )
        )
    }

    /// How the circuit is.
    var circuit: Circuit.Figure { state.withLock { $0.circuit.figure } }

    /// Waits until a request may go.
    ///
    /// Somebody who waits is told at once where it would be too late.
    func admission(
        of kind: StoreRequest.Kind,
        _ haste: Haste
    ) async throws(StoreAPIFailure) {
        while true {
            let now = clock.monotonic()
            let (pause, isOpen) = state.withLock { $0.pause(of: kind, haste, at: now) }
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

    /// Notes that it did not.
    func failed() {
        let (now, chance) = (clock.monotonic(), clock.chance())
        state.withLock { $0.circuit.failed(at: now, chance: chance) }
    }

    /// Notes that the request was given up.
    func abandoned() {
        let now = clock.monotonic()
        state.withLock { $0.circuit.abandoned(at: now) }
    }

    /// Lets nothing of this kind through for so long.
    func pause(_ kind: StoreRequest.Kind, milliseconds: Int64) {
        let until = clock.monotonic() + milliseconds
        state.withLock { state in
            switch kind {
            case .ordinary: state.budget.pause(until: until)
            case .extension: state.extensionBudget.pause(until: until)
            case .test: state.testBudget.pause(until: until)
            }
        }
    }
}

extension RequestGate.State {
    /// How long to wait: for a token first, so that whoever probes the store has one.
    fileprivate mutating func pause(
        of kind: StoreRequest.Kind,
        _ haste: Haste,
        at now: Int64
    ) -> (milliseconds: Int64, isOpen: Bool) {
        var tried = self
        let pause =
            switch kind {
            case .ordinary: tried.budget.take(at: now, haste)
            case .extension: tried.extensionBudget.take(at: now, haste)
            case .test: tried.testBudget.take(at: now, haste)
            }
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

/// How many requests go to one environment.
struct StoreRates: Hashable, Sendable {
    /// In 1,000 s.
    let requestsPerKilosecond: Int64
    /// Of those, extensions of renewals, in 1,000 s.
    let extensionsPerKilosecond: Int64
    /// Of those about test notifications, in 1,000 s.
    let testsPerKilosecond: Int64

    /// Half of Apple's limits of 50 a second, 20 for extensions, a tenth of that in the sandbox; or
    /// so many a second.
    ///
    /// Tests have Apple's limit of 1 a second: people ask for them, and the limit is enforced
    /// hourly.
    init(of environment: StoreEnvironment, requestsPerSecond: Int) {
        let share: Int64 = environment == .production ? 1 : 10
        requestsPerKilosecond =
            requestsPerSecond > 0 ? Int64(requestsPerSecond) * 1_000 : 25_000 / share
        extensionsPerKilosecond = min(requestsPerKilosecond, 10_000 / share)
        testsPerKilosecond = 1_000 / share
    }
}
