import Synchronization

/// Keeps the writes of one connection in the order in which they were sent.
///
/// A write that must first be looked at by a worker (a signature) holds back those behind it; they
/// reach the ledger's queue in their order.
final class WriteLane: Sendable {
    typealias Step = @Sendable (_ done: @escaping @Sendable () -> Void) -> Void

    private struct State {
        var isBusy = false
        var waiting: [Step] = []
    }

    private let state = Mutex(State())

    /// Whether no step is under way.
    ///
    /// Stays so for whoever alone may `enter`.
    var isFree: Bool { state.withLock { !$0.isBusy } }

    /// Runs `step` when those before it are done.
    ///
    /// It calls `done` once its command is in the queue. Answers false when too many wait.
    func enter(_ step: @escaping Step) -> Bool {
        enum Turn {
            case now
            case later
            case never
        }
        let turn = state.withLock { state in
            guard state.isBusy else {
                state.isBusy = true
                return Turn.now
            }
            guard state.waiting.count < MethodLimits.laneMax else { return .never }
            state.waiting.append(step)
            return .later
        }
        if turn == .now { step(leave) }
        return turn != .never
    }

    @Sendable
    private func leave() {
        let next = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isBusy = false
                return nil as Step?
            }
            return state.waiting.removeFirst()
        }
        next?(leave)
    }
}
