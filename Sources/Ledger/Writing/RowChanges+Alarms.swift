import Entitlements

extension RowChanges {
    /// Sets the alarm of an account that changed.
    mutating func arm(
        _ account: Account,
        after moment: Moment,
        under policy: Policy,
        from snapshot: Snapshot
    ) throws {
        guard let due = account.alarm(after: moment, under: policy) else { return }
        let alarm = Tick.Passing(user: account.user, due: due)
        let key = AlarmRow.bytes(of: alarm)
        // Most changes leave the next moment as it was. Not writing the same row again keeps its
        // page clean.
        let isSet = try key.withUnsafeBytes { try snapshot.row($0, in: .alarms) != nil }
        guard !isSet || fired.contains(alarm) else { return }
        put(key, in: .alarms)
        firstAlarm = min(firstAlarm ?? alarm, alarm)
    }

    /// Removes the alarms of deleted accounts.
    ///
    /// Unless a search has found them before, this reads all alarms once for all these accounts.
    mutating func disarm(_ users: [UserID], from snapshot: Snapshot) throws {
        var found: [[UInt8]] = []
        var sought: Set<[UInt8]> = []
        for user in users {
            let account = try snapshot.readable(user)
            guard let account, let keys = snapshot.searches?.finding(about: account)?.keys else {
                for name in [user] + (account?.formers ?? []) { sought.insert(name.bytes) }
                continue
            }
            for key in (keys[.alarms] ?? []).sorted(by: { $0.lexicographicallyPrecedes($1) })
            where try snapshot.value(key, in: .alarms) != nil { remove(key, from: .alarms) }
        }
        if sought.isEmpty { return }
        try snapshot.walk(.alarms) { key, _ in
            if sought.contains(Array(key.dropFirst(8))) { found.append(Array(key)) }
            return true
        }
        for key in found { remove(key, from: .alarms) }
    }

    /// Removes an alarm that has fired and sets the next one of its account.
    mutating func pass(_ alarm: FiredAlarm, under policy: Policy, from snapshot: Snapshot) throws {
        let (passing, account) = (alarm.passing, alarm.account)
        try pass(passing, of: account, after: alarm.next, under: policy, from: snapshot)
    }

    /// Removes an alarm that has fired and sets the next one of its account after `moment`.
    ///
    /// A second call for the same alarm does nothing.
    mutating func pass(
        _ passing: Tick.Passing,
        of account: Account?,
        after moment: Moment,
        under policy: Policy,
        from snapshot: Snapshot
    ) throws {
        guard fired.insert(passing).inserted else { return }
        remove(AlarmRow.bytes(of: passing), from: .alarms)
        guard let account else { return }
        try arm(account, after: moment, under: policy, from: snapshot)
    }
}
