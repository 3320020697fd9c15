import Entitlements

// Alarms say when to look at an account again. They are an index, updated whenever an account
// changes. An alarm that has become meaningless is dropped when it fires.

extension Snapshot {
    /// The first alarm at or after `start`.
    func nextAlarm(from start: Tick.Passing? = nil) throws -> Tick.Passing? {
        var first: Tick.Passing?
        try walk(.alarms, from: start.map { AlarmRow.bytes(of: $0) } ?? []) { key, _ in
            first = try AlarmRow.key(of: Array(key))
            return false
        }
        return first
    }

    /// The alarms from `start` on that are due at `now`, oldest first, at most `limit`, with their
    /// accounts.
    ///
    /// The list ends before an alarm that is later than a moment to which a listed alarm leads:
    /// moments are reported in their order, however many have passed. It also ends before an alarm
    /// of an account that waits in `rearming` and has an earlier moment to report; that account is
    /// returned as `held`. `told` answers up to when everything was told of an alarm's user.
    func due(
        at now: Moment,
        from start: Tick.Passing,
        limit: Int,
        under policy: Policy,
        _ rearming: Rearming,
        told: (Tick.Passing, Account?) throws -> Moment
    ) throws -> (fired: [FiredAlarm], held: Account?) {
        var passings: [Tick.Passing] = []
        try walk(.alarms, from: AlarmRow.bytes(of: start)) { key, _ in
            let passing = try AlarmRow.key(of: Array(key))
            guard passing.due <= now else { return false }
            passings.append(passing)
            return passings.count < limit
        }
        var found: [FiredAlarm] = []
        var next = Moment.distantFuture
        for passing in passings {
            guard passing.due < next else { break }
            let account = try readable(passing.user)
            if let account, let told = rearming.told(of: passing.user),
                let first = account.alarm(after: told, under: policy), first < passing.due
            {
                return (found, account)
            }
            let alarm = FiredAlarm(
                passing: passing,
                account: account,
                told: try told(passing, account)
            )
            found.append(alarm)
            next = min(next, account?.alarm(after: alarm.next, under: policy) ?? next)
        }
        return (found, nil)
    }

    /// Some accounts from `start` up to `end`, and the key at which the next ones begin.
    ///
    /// Unreadable accounts are left out, so that they do not stop the others.
    func accounts(
        from start: [UInt8],
        to end: [UInt8]?,
        limit: Int
    ) throws -> (page: [Account], next: [UInt8]?) {
        var page: [Account] = []
        var last: [UInt8]?
        var count = 0
        try walk(.accounts, from: start) { key, sealed in
            let bytes = Array(key)
            if let end, !bytes.lexicographicallyPrecedes(end) {
                last = nil
                return false
            }
            if let row = try? AccountRow(key: key, sealed: sealed) { page.append(row.record) }
            count += 1
            last = count == limit ? bytes : nil
            return count < limit
        }
        return (page, last.map { $0 + [0] })
    }
}

extension RowChanges {
    /// Sets the alarms of the accounts whose turn is next.
    ///
    /// - Returns: these accounts, and the key at which the next ones of their range begin; nil at
    ///   its end.
    mutating func rearm(
        _ rearming: Rearming,
        under policy: Policy,
        from snapshot: Snapshot
    ) throws -> (done: [UserID], next: [UInt8]?) {
        guard let place = rearming.next else { return ([], nil) }
        let (page, next) = try snapshot.accounts(
            from: place.from,
            to: place.to,
            limit: LedgerLimits.rearmedAccountsMax
        )
        for account in page {
            guard let told = rearming.told(of: account.user) else { continue }
            try arm(account, after: told, under: policy, from: snapshot)
        }
        return (page.map(\.user), next)
    }
}
