import Ledger
import Synchronization

/// A clock that a test sets by hand.
final class HandClock: Sendable {
    private let hands = Mutex<(wall: Int64, monotonic: Int64)>((1_750_000_000_000, 5_000_000))

    /// Time passes.
    func advance(_ milliseconds: Int64) {
        hands.withLock {
            $0.wall += milliseconds
            $0.monotonic += milliseconds
        }
    }

    /// Somebody sets the clock.
    func jump(_ milliseconds: Int64) { hands.withLock { $0.wall += milliseconds } }

    var wall: Int64 { hands.withLock { $0.wall } }

    var clock: LedgerClock {
        LedgerClock(
            wall: { self.hands.withLock { $0.wall } },
            monotonic: { self.hands.withLock { $0.monotonic } }
        )
    }
}
