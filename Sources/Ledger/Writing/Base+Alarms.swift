import Entitlements

extension Base.Rows {
    /// Removes some alarms that were examined long ago, and sets the next ones of their accounts.
    ///
    /// Most alarms have nothing to tell when they are due, because the purchase was renewed before.
    /// No entry says that they were examined, so a base would keep each of them for ever.
    ///
    /// Everything before the last tick that was told in order was examined. A day is left to clocks
    /// that were ahead and were put right.
    ///
    /// - Parameter source: the policy under which alarms are set.
    /// - Returns: whether there may be more of them, and room for them in the memtable.
    /// - Throws: if a row cannot be read.
    mutating func passAlarms(under source: Policy.Source) throws -> Bool {
        guard !isFull, let told = state.told else { return false }
        let examined = min(told, state.now)
            .advanced(byMilliseconds: -LedgerLimits.clockBelievedMilliseconds)
        try snapshot.renew()
        defer { snapshot.rest() }
        var passed: [Tick.Passing] = []
        try snapshot.walk(.alarms) { key, _ in
            let alarm = try AlarmRow.key(of: Array(key))
            guard alarm.due < examined else { return false }
            passed.append(alarm)
            return passed.count < LedgerLimits.alarmsMax
        }
        guard !passed.isEmpty else { return false }
        let policy = Policy(source, numbering: state.numbering)
        var changes = RowChanges()
        for alarm in passed {
            let account = try snapshot.readable(alarm.user)
            try changes.pass(alarm, of: account, after: examined, under: policy, from: snapshot)
        }
        keep(changes)
        return passed.count == LedgerLimits.alarmsMax
    }
}
