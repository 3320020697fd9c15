import Entitlements
import Synchronization

@testable import Reconciler

/// A clock that stands still until somebody waits; then it jumps to the end of the wait.
final class HandClock: Sendable {
    private struct State {
        var now: Int64
        var waits: [Int64] = []
    }

    private let state: Mutex<State>

    init(at moment: Moment) { state = Mutex(State(now: moment.milliseconds)) }

    var now: Moment { Moment(state.withLock { $0.now }) }

    /// Everything that was waited for, in ms.
    var waits: [Int64] { state.withLock { $0.waits } }

    func advance(_ milliseconds: Int64) { state.withLock { $0.now += milliseconds } }

    /// The clock as the reconciler sees it; its chance is the greatest, so that pauses are whole.
    var clock: ReconcilerClock {
        ReconcilerClock(
            wall: { self.now },
            monotonic: { self.now.milliseconds },
            sleep: { milliseconds in
                self.state.withLock { state in
                    state.now += milliseconds
                    state.waits.append(milliseconds)
                }
                await Task.yield()
            },
            chance: { 1 }
        )
    }
}
