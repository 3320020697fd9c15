import Synchronization

/// What the sockets have seen since the start, for metrics.
///
/// Read at any time from any thread.
package final class RPCCounters: Sendable {
    private let acceptedCount = Atomic<Int>(0)
    private let shedCount = Atomic<Int>(0)
    private let refusedCount = Atomic<Int>(0)
    private let wrongLengthCount = Atomic<Int>(0)
    private let slowFrameCount = Atomic<Int>(0)
    private let stalledCount = Atomic<Int>(0)
    private let acceptPauseCount = Atomic<Int>(0)

    init() {}

    /// Connections accepted.
    package var accepted: Int { acceptedCount.load(ordering: .relaxed) }
    /// Connections turned away because there were too many.
    package var shed: Int { shedCount.load(ordering: .relaxed) }
    /// Connections whose caller no rule named.
    package var refused: Int { refusedCount.load(ordering: .relaxed) }
    /// Connections closed on a wrong length.
    package var wrongLengths: Int { wrongLengthCount.load(ordering: .relaxed) }
    /// Connections closed because a frame took too long.
    package var slowFrames: Int { slowFrameCount.load(ordering: .relaxed) }
    /// Connections closed because they did not read their replies.
    package var stalled: Int { stalledCount.load(ordering: .relaxed) }
    /// Pauses in accepting, for want of descriptors or memory.
    package var acceptPauses: Int { acceptPauseCount.load(ordering: .relaxed) }

    func countAccepted() { acceptedCount.add(1, ordering: .relaxed) }
    func countShed() { shedCount.add(1, ordering: .relaxed) }
    func countRefused() { refusedCount.add(1, ordering: .relaxed) }
    func countWrongLength() { wrongLengthCount.add(1, ordering: .relaxed) }
    func countSlowFrame() { slowFrameCount.add(1, ordering: .relaxed) }
    func countStalled() { stalledCount.add(1, ordering: .relaxed) }
    func countAcceptPause() { acceptPauseCount.add(1, ordering: .relaxed) }
}
