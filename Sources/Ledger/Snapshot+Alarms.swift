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

    /// The first alarm's moment.
    func nextAlarm() throws -> Moment? {
        var first: Moment?
        try walk(.alarms) { key, _ in
            first = try Keys.alarm(of: Array(key)).due
            return false
        }
        return first
    }

    /// The alarms that are due at `now`, oldest first, at most `limit`.
    func due(at now: Moment, limit: Int) throws -> [Tick.Passing] {
        var found: [Tick.Passing] = []
        try walk(.alarms) { key, _ in
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
