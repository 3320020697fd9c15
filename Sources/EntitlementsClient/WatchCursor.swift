import JSON

/// Where a watch stands: after which position it goes on when its connection was lost, and what
/// of the position after that one was told already.
///
/// One position of the journal may change many users. A position is therefore known to be told
/// in full only when a later one comes, or a heartbeat; until then the watch would begin again
/// before it, and what comes a second time is left out.
package struct WatchCursor: Sendable {
    /// After which position to go on; nil before the daemon has named one.
    package private(set) var position: Int64?

    private var joinedAt: Int64 = 0
    private var toldAt: Int64 = -1
    private var told: Set<Int> = []

    /// A watch that begins after `position`, or with what happens from now on.
    package init(after position: Int64?) { self.position = position }

    /// Takes in the reply to `watch`.
    package mutating func join(at seq: Int64) {
        joinedAt = seq
        if position == nil { position = seq }
    }

    /// Takes in a notification, and answers whether it is to be told.
    package mutating func admits(_ method: String, _ parameters: JSONObject) -> Bool {
        if method == "resync" {
            // What was missed must be asked for; what is new comes from here on. The store may
            // have been put back, so this alone may lead to an earlier position.
            begin(after: max(joinedAt, parameters["oldest"]?.int64 ?? joinedAt))
            return true
        }
        guard let seq = parameters["seq"]?.int64 else { return true }
        if method == "heartbeat" {
            if seq >= toldAt, seq > position ?? -1 { begin(after: seq) }
            return true
        }
        if seq > toldAt {
            toldAt = seq
            told = []
            position = max(position ?? 0, seq - 1)
        }
        guard seq == toldAt, told.count < ClientLimits.toldChangesMax else { return true }
        return told.insert(Self.digest(method, parameters)).inserted
    }

    private mutating func begin(after seq: Int64) {
        position = seq
        toldAt = -1
        told = []
    }

    private static func digest(_ method: String, _ parameters: JSONObject) -> Int {
        var parameters = parameters
        parameters["coalesced"] = nil
        var hasher = Hasher()
        hasher.combine(method)
        hasher.combine(JSONValue.object(parameters).bytes)
        return hasher.finalize()
    }
}
