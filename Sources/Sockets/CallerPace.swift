/// What each caller (uid) has cost this thread of late, in bytes received and answered.
///
/// A caller with a thousand connections has a thousand first turns, which everybody else would wait
/// for. So where the turns of a caller have cost more than a wake-up may cost, those of its
/// connections that cost much, or are new, go on in the queue, of which each wake-up takes a part.
/// All others are answered at once.
struct CallerPace {
    /// Few: only turns that cost much are noted, and what was noted fades.
    private var costs: [(uid: UInt32, bytes: Int)] = []
    /// Whether somebody is over; asked for each event.
    private(set) var isAnybodyOver = false

    /// Whether a caller's connections wait in the queue.
    func isOver(_ uid: UInt32) -> Bool {
        costs.contains { $0.uid == uid && $0.bytes > SocketLimits.callerTurnsBytesMax }
    }

    /// Notes what a turn has cost.
    mutating func note(_ bytes: Int, of uid: UInt32) {
        let place = costs.firstIndex { $0.uid == uid } ?? costs.endIndex
        if place == costs.endIndex { costs.append((uid, 0)) }
        costs[place].bytes = min(costs[place].bytes + bytes, SocketLimits.costNotedMax)
        if costs[place].bytes > SocketLimits.callerTurnsBytesMax { isAnybodyOver = true }
    }

    /// A wake-up is over: as much as one may cost is forgotten.
    mutating func fade() {
        guard !costs.isEmpty else { return }
        for place in costs.indices { costs[place].bytes -= SocketLimits.callerTurnsBytesMax }
        costs.removeAll { $0.bytes <= 0 }
        isAnybodyOver = costs.contains { $0.bytes > SocketLimits.callerTurnsBytesMax }
    }
}
