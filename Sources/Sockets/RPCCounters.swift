import Synchronization
import Wire

/// Counters of the sockets since the start, for metrics.
///
/// They can be read at any time from any thread.
package final class RPCCounters: Sendable {
    private let doors: [Door]
    private let shedCount = Atomic<Int>(0)
    private let refusedCount = Atomic<Int>(0)
    private let wrongLengthCount = Atomic<Int>(0)
    private let slowFrameCount = Atomic<Int>(0)
    private let halfFrameCount = Atomic<Int>(0)
    private let stalledCount = Atomic<Int>(0)
    private let unreadCount = Atomic<Int>(0)
    private let overShareCount = Atomic<Int>(0)
    private let overTotalCount = Atomic<Int>(0)
    private let refusedClosedCount = Atomic<Int>(0)
    private let acceptPauseCount = Atomic<Int>(0)

    /// One socket's connections.
    private final class Door: Sendable {
        let accepted = Atomic<Int>(0)
        let open = Atomic<Int>(0)
        /// Open connections of callers who may ask nothing.
        let refused = Atomic<Int>(0)
        /// Open connections by uid, for callers that have some.
        let byCaller = Mutex<[UInt32: Int]>([:])
    }

    /// Creates counters for this many sockets, which are identified by their index in the
    /// configuration.
    init(doors: Int) { self.doors = (0..<doors).map { _ in Door() } }

    /// Connections accepted.
    package var accepted: Int { doors.indices.reduce(0) { $0 + accepted(at: $1) } }
    /// Connections accepted at the socket with this index in the configuration.
    package func accepted(at door: Int) -> Int { doors[door].accepted.load(ordering: .relaxed) }
    /// Connections of that socket that are open now.
    package func open(at door: Int) -> Int { doors[door].open.load(ordering: .relaxed) }
    /// Connections of that socket whose caller may ask nothing.
    func openRefused(at door: Int) -> Int { doors[door].refused.load(ordering: .relaxed) }
    /// Connections turned away because there were too many.
    package var shed: Int { shedCount.load(ordering: .relaxed) }
    /// Connections whose caller no rule named.
    package var refused: Int { refusedCount.load(ordering: .relaxed) }
    /// Connections closed on a wrong length.
    package var wrongLengths: Int { wrongLengthCount.load(ordering: .relaxed) }
    /// Connections closed because a frame took too long.
    package var slowFrames: Int { slowFrameCount.load(ordering: .relaxed) }
    /// Connections closed because their user had too many half frames.
    package var halfFrames: Int { halfFrameCount.load(ordering: .relaxed) }
    /// Connections closed because too much waited that they did not read.
    package var stalled: Int { stalledCount.load(ordering: .relaxed) }
    /// Connections closed because for too long they did not read what waited.
    package var unread: Int { unreadCount.load(ordering: .relaxed) }
    /// Connections closed because their caller left more waiting than a caller may.
    package var overShare: Int { overShareCount.load(ordering: .relaxed) }
    /// Connections closed because they held the most when all together held too much.
    package var overTotal: Int { overTotalCount.load(ordering: .relaxed) }
    /// Connections of callers who may ask nothing that were closed before a request: they were
    /// silent, or there were too many.
    package var refusedClosed: Int { refusedClosedCount.load(ordering: .relaxed) }
    /// Pauses in accepting, caused by a lack of descriptors or memory.
    package var acceptPauses: Int { acceptPauseCount.load(ordering: .relaxed) }

    func countAccepted(at door: Int) { doors[door].accepted.add(1, ordering: .relaxed) }
    func countOpened(_ arrival: Arrival) {
        let door = doors[arrival.door]
        door.open.add(1, ordering: .relaxed)
        if arrival.isRefused { door.refused.add(1, ordering: .relaxed) }
        door.byCaller.withLock { $0[arrival.caller.uid, default: 0] += 1 }
    }
    func countClosed(_ arrival: Arrival) {
        countClosed(at: arrival.door, uid: arrival.caller.uid, isRefused: arrival.isRefused)
    }
    func countClosed(at place: Int, uid: UInt32, isRefused: Bool) {
        let door = doors[place]
        door.open.subtract(1, ordering: .relaxed)
        if isRefused { door.refused.subtract(1, ordering: .relaxed) }
        door.byCaller.withLock { callers in
            let rest = callers[uid, default: 1] - 1
            callers[uid] = rest > 0 ? rest : nil
        }
    }
    /// Whether this caller may have one more connection of a socket that allows `most` connections.
    func hasPlace(for uid: UInt32, at door: Int, of most: Int) -> Bool {
        let own = doors[door].byCaller.withLock { $0[uid] ?? 0 }
        return own < SocketLimits.connectionsPerFreeMax * (most - open(at: door))
    }
    func countShed() { shedCount.add(1, ordering: .relaxed) }
    func countRefused() { refusedCount.add(1, ordering: .relaxed) }
    func countWrongLength() { wrongLengthCount.add(1, ordering: .relaxed) }
    func countSlowFrame() { slowFrameCount.add(1, ordering: .relaxed) }
    func countHalfFrame() { halfFrameCount.add(1, ordering: .relaxed) }
    func countStalled() { stalledCount.add(1, ordering: .relaxed) }
    func countUnread() { unreadCount.add(1, ordering: .relaxed) }
    func countOverShare() { overShareCount.add(1, ordering: .relaxed) }
    func countOverTotal() { overTotalCount.add(1, ordering: .relaxed) }
    func countRefusedClosed() { refusedClosedCount.add(1, ordering: .relaxed) }
    func countAcceptPause() { acceptPauseCount.add(1, ordering: .relaxed) }
}
