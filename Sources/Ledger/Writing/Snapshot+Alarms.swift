import Entitlements

// When to look at an account again: an index of the views, made anew whenever an account changes.
// An alarm that no longer means anything is dropped when it fires.

extension Snapshot {
    /// The first alarm, of those from `start` on.
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
    /// None that lies behind a moment to which another one leads: moments are told of in their
    /// order, however many have passed. And none of an account of which an earlier moment is to be
    /// told, because another catalog came and its alarms are not set anew yet: that is `held`.
    func due(
        at now: Moment,
        from start: Tick.Passing,
        limit: Int,
        under policy: Policy,
        _ rearming: Rearming
    ) throws -> (fired: [(passing: Tick.Passing, account: Account?)], held: Account?) {
        var passings: [Tick.Passing] = []
        try walk(.alarms, from: AlarmRow.bytes(of: start)) { key, _ in
            let passing = try AlarmRow.key(of: Array(key))
            guard passing.due <= now else { return false }
            passings.append(passing)
            return passings.count < limit
        }
        var found: [(passing: Tick.Passing, account: Account?)] = []
        var next = Moment.distantFuture
        for passing in passings {
            guard passing.due < next else { break }
            let account = try readable(passing.user)
            if let account, let told = rearming.told(of: passing.user),
                let first = account.alarm(after: told, under: policy), first < passing.due
            {
                return (found, account)
            }
            found.append((passing, account))
            next = min(next, account?.alarm(after: passing.due, under: policy) ?? next)
        }
        return (found, nil)
    }

    /// Some accounts from `start` on and before `end`, and where the next begin; those that cannot
    /// be read are left out: time goes on for the others.
    fileprivate func accounts(
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
    /// - Returns: which those were, and where the next of their stretch begin.
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
