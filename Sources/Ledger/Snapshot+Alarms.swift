import Entitlements

// When to look at an account again: an index of the views, made anew whenever an account changes.
// An alarm that no longer means anything is dropped when it fires.

extension Snapshot {
    /// The account of `user`; nil also where its row is damaged: time goes on for the others.
    func readable(_ user: UserID) throws -> Account? {
        do {
            return try account(of: user)
        } catch is Damage {
            return nil
        }
    }

    /// The first alarm, of those from `start` on.
    func nextAlarm(from start: Tick.Passing? = nil) throws -> Tick.Passing? {
        var first: Tick.Passing?
        try walk(.alarms, from: start.map { Keys.alarm($0) } ?? []) { key, _ in
            first = try Keys.alarm(of: Array(key))
            return false
        }
        return first
    }

    /// The alarms from `start` on that are due at `now`, oldest first, at most `limit`.
    func due(at now: Moment, from start: Tick.Passing, limit: Int) throws -> [Tick.Passing] {
        var found: [Tick.Passing] = []
        try walk(.alarms, from: Keys.alarm(start)) { key, _ in
            let passing = try Keys.alarm(of: Array(key))
            guard passing.due <= now else { return false }
            found.append(passing)
            return found.count < limit
        }
        return found
    }

    /// The journal position of the tick that covers `moment`, if there is one.
    func tick(covering moment: Moment) throws -> UInt64? {
        guard let row = try last(of: .ticks, atOrBefore: Keys.tick(moment)) else { return nil }
        var reader = ByteReader(row.value)
        return try reader.integer()
    }
}
