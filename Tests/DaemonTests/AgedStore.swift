import Dispatch
import Entitlements
import Synchronization

@testable import Ledger

/// Writes a store as a daemon would have left it that began long ago.
enum AgedStore {
    /// Small, so that a store of a few thousand entries has many segments to prune.
    private static let segmentBytesMax = 8192

    /// Has a ledger in `directory` decide `batches`, the first `step` after `start` and each a
    /// `step` after the one before; answers the moment of the last.
    static func write(
        _ directory: String,
        from start: Int64,
        step: Int64,
        _ batches: [[Command.Kind]]
    ) throws -> Int64 {
        let hand = Hand(start)
        let clock = LedgerClock(wall: { hand.now }, monotonic: { hand.now })
        var options = Ledger.Options(directory: directory, mapSizeGiB: 1, clock: clock)
        options.segmentBytesMax = segmentBytesMax
        let ledger = try Ledger.open(options, source: Policy.Source()) { _ in }
        for batch in batches {
            hand.pass(step)
            let answered = DispatchGroup()
            let orders = batch.map { kind in
                answered.enter()
                return WriteOrder(kind) { _ in answered.leave() }
            }
            ledger.submit(orders)
            answered.wait()
        }
        ledger.stop()
        return hand.now
    }
}

/// A moment that a test moves on.
private final class Hand: Sendable {
    private let moment: Mutex<Int64>

    init(_ moment: Int64) { self.moment = Mutex(moment) }

    var now: Int64 { moment.withLock { $0 } }
    func pass(_ milliseconds: Int64) { moment.withLock { $0 += milliseconds } }
}
