import Synchronization
import Wire

/// Counters of the sockets since the start, for metrics.
///
/// They can be read at any time from any thread.
package final class RPCCounters: Sendable {
    /// What is counted of all sockets together.
    package enum Event: Int, CaseIterable {
        /// Connections turned away because there were too many.
        case shed
        /// Connections whose caller no rule named.
        case refused
        /// Connections closed on a wrong length.
        case wrongLengths
        /// Connections closed because a frame took too long.
        case slowFrames
        /// Connections closed because their user had too many half frames.
        case halfFrames
        /// Connections closed because too much waited that they did not read.
        case stalled
        /// Connections closed because for too long they did not read what waited.
        case unread
        /// Connections closed because their caller left more waiting than a caller may.
        case overShare
        /// Connections closed because they held the most when all together held too much.
        case overTotal
        /// Connections of callers who may ask nothing that were closed before a request: they were
        /// silent, or there were too many.
        case refusedClosed
        /// Pauses in accepting, caused by a lack of descriptors or memory.
        case acceptPauses
    }

    private let doors: [Door]
    /// One for each event, in their order.
    private let counts = Event.allCases.map { _ in Count() }

    private final class Count: Sendable {
        let value = Atomic<Int>(0)
    }

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

    /// How often this has happened.
    package subscript(_ event: Event) -> Int {
        counts[event.rawValue].value.load(ordering: .relaxed)
    }

    func count(_ event: Event) { counts[event.rawValue].value.add(1, ordering: .relaxed) }
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
}
