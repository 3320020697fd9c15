import Entitlements

/// The rows that a group of commands changes, sealed as they will lie in LMDB.
struct RowChanges {
    /// One row; without bytes it is deleted.
    struct Change {
        let table: TableName
        let key: [UInt8]
        let sealed: [UInt8]?
    }

    private(set) var rows: [Change] = []
    /// The first alarm that is set.
    private(set) var firstAlarm: Tick.Passing?
    /// Alarms that fired: what the rows before say of them no longer holds.
    private var fired: Set<Tick.Passing> = []

    /// How many rows are put, by table.
    var stored: [TableName: Int] {
        rows.reduce(into: [:]) { if $1.sealed != nil { $0[$1.table, default: 0] += 1 } }
    }

    /// Puts the row at `key`, or takes it away.
    mutating func put(_ row: Row.Value?, at key: [UInt8], in table: TableName) {
        guard let row else { return remove(key, from: table) }
        put(key, in: table) { row.write(to: &$0) }
    }

    /// Puts the row at `key` whose value `write` writes.
    mutating func put(
        _ key: [UInt8],
        in table: TableName,
        _ write: (inout ByteWriter) -> Void = { _ in }
    ) {
        rows.append(Change(table: table, key: key, sealed: ByteWriter.row(key, write)))
    }

    /// Takes the row at `key` away.
    mutating func remove(_ key: [UInt8], from table: TableName) {
        rows.append(Change(table: table, key: key, sealed: nil))
    }

    /// Sets the alarm of an account that changed.
    mutating func arm(
        _ account: Account,
        after moment: Moment,
        under policy: Policy,
        from snapshot: Snapshot
    ) throws {
        guard let due = account.alarm(after: moment, under: policy) else { return }
        let alarm = Tick.Passing(user: account.user, due: due)
        let key = Keys.alarm(alarm)
        // Most changes leave the next moment as it was: a page that stays clean costs nothing.
        let isSet = try key.withUnsafeBytes { try snapshot.row($0, in: .alarms) != nil }
        guard !isSet || fired.contains(alarm) else { return }
        put(key, in: .alarms)
        firstAlarm = min(firstAlarm ?? alarm, alarm)
    }

    /// Takes away the alarms of accounts that are gone; they are found by looking at every one,
    /// once for all of them, unless a search has done that before.
    mutating func disarm(_ users: [UserID], from snapshot: Snapshot) throws {
        var found: [[UInt8]] = []
        var sought: Set<[UInt8]> = []
        for user in users {
            let account = try snapshot.readable(user)
            guard let account, let keys = snapshot.searches?.finding(about: account) else {
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

    /// Takes away an alarm that has fired, and sets the next one of its account; once.
    mutating func pass(
        _ passing: Tick.Passing,
        of account: Account?,
        under policy: Policy,
        from snapshot: Snapshot
    ) throws {
        guard fired.insert(passing).inserted else { return }
        remove(Keys.alarm(passing), from: .alarms)
        guard let account else { return }
        try arm(account, after: passing.due, under: policy, from: snapshot)
    }
}
