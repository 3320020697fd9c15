import Entitlements

extension RowChanges {
    /// Takes what changed on `desk`, and how far the views are with it; `before` is how far they
    /// are.
    ///
    /// - Parameters:
    ///   - desk: what lies on it is put back.
    ///   - state: how far the views are after.
    ///   - before: how far they were.
    ///   - policy: says when to look at an account again; nil where nobody asks for alarms.
    ///   - snapshot: the rows as they are before.
    /// - Throws: where an alarm, or the account of one that fired, cannot be read.
    mutating func take(
        _ desk: borrowing Desk,
        _ state: AppliedState,
        after before: AppliedState,
        under policy: Policy?,
        from snapshot: Snapshot
    ) throws {
        for table in TableName.rows { table.take(desk, into: &self) }
        if let policy {
            try takeAlarms(desk, after: state.now, under: policy, from: snapshot)
        }
        put(state, after: before)
    }

    private mutating func takeAlarms(
        _ desk: borrowing Desk,
        after moment: Moment,
        under policy: Policy,
        from snapshot: Snapshot
    ) throws {
        var gone: [UserID] = []
        for user in desk.accounts.changed {
            if let account = desk.accounts[user] {
                try arm(account, after: moment, under: policy, from: snapshot)
            } else if desk.merger(of: user) == nil {
                gone.append(user)
            }
            // Those of an account that went into another fire, and find nobody.
        }
        if !gone.isEmpty { try disarm(gone, from: snapshot) }
        for passing in desk.passings {
            let account =
                desk.accounts.isLaid(passing.user)
                ? desk.accounts[passing.user] : try snapshot.readable(passing.user)
            try pass(passing, of: account, under: policy, from: snapshot)
        }
    }
}
