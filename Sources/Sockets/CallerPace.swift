/// The recent cost of each caller (uid) to this thread, in bytes received and answered.
///
/// A caller with a thousand connections has a thousand first turns, and all other callers would
/// wait for them. So if a caller's turns have cost more than the allowance of a wake-up, those of
/// its connections that cost much, or are new, are put in the queue, of which each wake-up serves a
/// part. All other connections are answered immediately.
struct CallerPace {
    /// A short list: only expensive turns are noted, and the costs fade.
    private var costs: [(uid: UInt32, bytes: Int)] = []
    /// Whether any caller is over its allowance; stored because it is read for each event.
    private(set) var isAnybodyOver = false

    /// Whether a caller is over its allowance, so that its connections must wait in the queue.
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

    /// Subtracts the allowance of one wake-up from each caller's cost, at the end of a wake-up.
    mutating func fade() {
        guard !costs.isEmpty else { return }
        for place in costs.indices { costs[place].bytes -= SocketLimits.callerTurnsBytesMax }
        costs.removeAll { $0.bytes <= 0 }
        isAnybodyOver = costs.contains { $0.bytes > SocketLimits.callerTurnsBytesMax }
    }
}
