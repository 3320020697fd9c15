import Entitlements

extension RowChanges {
    /// Takes the changes of `desk` and the state of the views after them.
    ///
    /// - Parameters:
    ///   - desk: its changed records become row changes.
    ///   - state: the state of the views after the changes.
    ///   - before: the state before them.
    ///   - policy: decides when alarms are due; nil if no alarms are needed.
    ///   - snapshot: the rows before the changes.
    /// - Throws: if an alarm, or the account of one that fired, cannot be read.
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
        after last: Moment,
        under policy: Policy,
        from snapshot: Snapshot
    ) throws {
        var gone: [UserID] = []
        for user in desk.accounts.changed {
            if let account = desk.accounts[user] {
                // What changed it told what was true then; what came after it is told by the clock.
                let moment = desk.judgedAt[account.lastSeq] ?? last
                try arm(account, after: moment, under: policy, from: snapshot)
            } else if desk.merger(of: user) == nil {
                gone.append(user)
            }
            // The alarms of an account that was merged into another stay; they fire and find no
            // account.
        }
        if !gone.isEmpty { try disarm(gone, from: snapshot) }
        for passing in desk.passings {
            let account =
                desk.accounts.isLaid(passing.user)
                ? desk.accounts[passing.user] : try snapshot.readable(passing.user)
            // A command after it told what was true then.
            let changed = account.map(\.lastSeq)
            let later = changed.flatMap { desk.judgedAt[$0] } ?? passing.due
            let moment = max(passing.due, later)
            try pass(passing, of: account, after: moment, under: policy, from: snapshot)
        }
    }
}
