import Entitlements
import Journal
import LMDB

/// What `entitld verify` found.
package struct VerificationReport: Sendable {
    /// How far the views are.
    package internal(set) var applied: UInt64 = 0
    /// The last entry of the journal.
    package internal(set) var lastSeq: UInt64 = 0
    /// Rows compared, by table.
    package internal(set) var rows: [(table: TableName, count: Int)] = []
    /// What does not agree; one sentence each, at most 20.
    package internal(set) var differences: [String] = []
    /// How many differences there are.
    package internal(set) var differencesCount = 0

    mutating func differ(_ sentence: String) {
        differencesCount += 1
        if differences.count < 20 { differences.append(sentence) }
    }
}

extension Ledger {
    /// Replays the journal in memory, from the base on where there is one, and compares every view
    /// with the result, at the position where the views are; then reads the tail to its end.
    ///
    /// Before that it walks the trees of views and base from their roots: a row that no look-up
    /// would find is damage, though it is what was stored.
    ///
    /// Writes nothing: every file of the directory stays as it is.
    package static func verify(_ options: Options) throws(LedgerFailure) -> VerificationReport {
        do throws(any Error) {
            // Held to the end: nobody writes meanwhile.
            let lock = try DirectoryLock(reading: options.directory)
            defer { withExtendedLifetime(lock) {} }
            try refuseEmptiedViews(options.directory)
            return try verify(options, viewsIn: options.directory)
        } catch {
            throw LedgerFailure(error)
        }
    }

    /// The same under a lock that the caller holds, of views that may stand somewhere else.
    static func verify(
        _ options: Options,
        viewsIn viewsDirectory: String
    ) throws(LedgerFailure) -> VerificationReport {
        do throws(any Error) {
            try Environment.inspect(directory: viewsDirectory)
            let environment = try Environment.open(
                directory: viewsDirectory,
                options: .init(mapSizeBytes: options.mapSizeBytes, isReadOnly: true)
            )
            defer { environment.close() }
            let views = try Views(reading: environment)
            let state =
                views.absent.contains(.meta)
                ? AppliedState() : try environment.read { try views.appliedState($0) }
            var report = VerificationReport()
            report.applied = state.seq
            var (desk, last, installed) = try start(options)
            guard last.seq <= state.seq else {
                throw LedgerFailure.damaged("the views end before the base does")
            }
            var alarms = try AlarmAudit(views)
            for account in desk.accounts.values { alarms.forgive(account) }
            desk.isFollowed = true
            report.lastSeq = last.seq
            _ = try Journal.read(
                directory: options.directory + "/journal",
                afterSeq: last.seq,
                appliedGroup: state.group
            ) { entry, group in
                report.lastSeq = entry.seq
                guard entry.seq <= state.seq else {
                    _ = try EntryBody.events(of: entry)
                    return
                }
                last.now = try desk.absorb(entry, from: EmptySource())
                desk.passings.removeAll(keepingCapacity: true)
                for (user, _) in desk.touched {
                    if let now = desk.accounts[user] { alarms.take(now) }
                }
                last.group = group.number
                last.at = Moment(entry.moment)
                if let stamp = desk.catalog, stamp != installed.last?.stamp {
                    installed.append(InstalledCatalog(seq: entry.seq, from: last.now, stamp: stamp))
                }
            }
            if report.lastSeq < state.seq { report.differ("the journal ends before the views do") }
            if last.group != state.group { report.differ("meta: the group applied differs") }
            if last.at != state.at || last.now != state.now {
                report.differ("meta: the moment applied differs")
            }
            try compare(views, with: desk, state, &report)
            alarms.compare(
                with: desk.accounts.values,
                at: max(state.at, Moment(options.clock.wall())),
                &report
            )
            report.rows.append((.alarms, alarms.count))
            if !views.absent.contains(.meta) {
                try compare(views, with: installed, state, &report)
            }
            return report
        } catch {
            throw LedgerFailure(error)
        }
    }

    /// Where the replay begins: with nothing, or with every row of the base.
    private static func start(
        _ options: Options
    ) throws -> (Desk, AppliedState, [InstalledCatalog]) {
        guard let path = Base.readPath(options.directory) else {
            return (Desk(), AppliedState(), [])
        }
        do {
            try Environment.inspect(directory: path)
            let environment = try Environment.open(
                directory: path,
                options: .init(mapSizeBytes: options.mapSizeBytes, isReadOnly: true)
            )
            defer { environment.close() }
            let rows = try Base.rows(try Views(reading: environment))
            guard rows.state.seq > 0 else { return (Desk(), AppliedState(), []) }
            try rows.snapshot.renew()
            defer { rows.snapshot.rest() }
            var desk = rows.state.desk
            for table in TableName.allCases {
                try rows.walk(table) { row in desk.take(row) }
            }
            return (desk, rows.state, try rows.snapshot.catalogs())
        } catch {
            throw Base.named(error)
        }
    }

    private static func compare(
        _ views: Views,
        with desk: Desk,
        _ state: AppliedState,
        _ report: inout VerificationReport
    ) throws {
        // `AlarmAudit` has the alarms.
        for table in TableName.allCases where table != .meta && table != .alarms {
            var (count, over) = (0, 0)
            var found = report
            if !views.absent.contains(table) {
                try views.environment.read { transaction in
                    try transaction.withCursor(in: views.table(table)) { cursor in
                        var entry = try cursor.first()
                        while let (key, sealed) = entry {
                            let value = Seal.opened(sealed, key)
                            let row = check(Array(key), value, table, desk, &found)
                            // From the root, as a reader finds it or does not.
                            let sought = try transaction.get(key, in: views.table(table))
                            if sought?.baseAddress != sealed.baseAddress {
                                found.differ("\(table.rawValue): a row is not found by its key")
                            }
                            count += 1
                            // What is over may be there or be swept.
                            if row?.value.isOver(at: state.at) ?? false { over += 1 }
                            entry = try cursor.next()
                        }
                    }
                }
            }
            report = found
            report.rows.append((table, count))
            let expected = desk.count(of: table, at: state.at)
            if count - over != expected {
                let found = "\(table.rawValue): \(count - over) rows"
                report.differ("\(found), the journal makes \(expected)")
            }
        }
        if desk.numbering != state.numbering { report.differ("meta: the numbering differs") }
        if desk.idFloor != state.idFloor {
            report.differ("meta: the greatest id loaded differs")
        }
        if desk.secret != state.secret { report.differ("meta: the secret of the marks differs") }
        if desk.catalog != state.catalog { report.differ("meta: the catalog differs") }
    }

    /// Compares the catalogs that were in force, and counts the rows of `meta`.
    private static func compare(
        _ views: Views,
        with installed: [InstalledCatalog],
        _ state: AppliedState,
        _ report: inout VerificationReport
    ) throws {
        let snapshot = try Snapshot(views, Memtable(LedgerPulse(), seq: state.seq))
        try snapshot.renew()
        let found = try? snapshot.catalogs()
        if found != installed { report.differ("meta: the catalogs that were in force differ") }
        let count = try views.environment.read { transaction in
            try transaction.entryCount(of: views.table(.meta))
        }
        let expected =
            (state.seq > 0 ? 2 : 0) + (state.catalog == nil ? 0 : 1) + installed.count
            + (state.idFloor == 0 ? 0 : 1) + (state.secret == nil ? 0 : 1)
        if count != expected {
            report.differ("meta: \(count) rows, the journal makes \(expected)")
        }
    }

    private static func check(
        _ key: [UInt8],
        _ value: UnsafeRawBufferPointer?,
        _ table: TableName,
        _ desk: Desk,
        _ report: inout VerificationReport
    ) -> Row? {
        guard let value, let row = try? Row(table: table, key: key, value: Array(value)) else {
            report.differ("\(table.rawValue): a row is not what was stored")
            return nil
        }
        if !desk.agrees(with: row) {
            report.differ("\(table.rawValue): a row is not what the journal makes of it")
        }
        return row
    }
}

extension Desk {
    /// Takes a row as the replay up to here would have made it.
    mutating func take(_ row: Row) {
        switch row.value {
        case .account(let account): accounts[account.user] = account
        case .subscription(let subscription): subscriptions[subscription.key] = subscription
        case .token(let token, let user): tokens[token] = user
        case .unclaimed(let waiting): unclaimed[waiting] = true
        case .notification(let id, let first): notifications[id] = first
        case .settlement(let key, let first): settlements[key] = first
        case .reservation(let id, let kept): reservations[id] = kept
        case .lease(let id, let user): leases[id] = user
        case .pack(let key, let kept): packs[key] = kept
        case .tick(let first, let seq): ticks[first] = seq
        case .tombstone(let mark, let stone): tombstones[mark] = stone
        case .alarm, .applied, .numbering, .catalog, .installed, .idFloor, .secret: break
        }
    }

    /// How many rows of `table` the replay made that somebody may ask for at `moment`.
    func count(of table: TableName, at moment: Moment) -> Int {
        switch table {
        case .accounts: accounts.changed.count { accounts[$0] != nil }
        case .subscriptions: subscriptions.changed.count { subscriptions[$0] != nil }
        case .tokens: tokens.changed.count { tokens[$0] != nil }
        case .unclaimed: unclaimed.changed.count { unclaimed[$0] != nil }
        case .notifications:
            notifications.changed.count { notifications[$0]?.isKept(at: moment) ?? false }
        case .settlements:
            settlements.changed.count { settlements[$0]?.isKept(at: moment) ?? false }
        case .reservations:
            reservations.changed.count { reservations[$0]?.isKept(at: moment) ?? false }
        case .leases: leases.changed.count { leases[$0] != nil }
        case .packs: packs.changed.count { packs[$0] != nil }
        case .alarms: 0
        case .ticks: ticks.changed.count
        case .tombstones: tombstones.changed.count
        case .meta: 0
        }
    }

    /// Whether `row` is what the replay made.
    func agrees(with row: Row) -> Bool {
        switch row.value {
        case .account(let account):
            accounts.isLaid(account.user) && accounts[account.user] == account
        case .subscription(let subscription):
            subscriptions.isLaid(subscription.key)
                && subscriptions[subscription.key] == subscription
        case .token(let token, let user): tokens.isLaid(token) && tokens[token] == user
        case .unclaimed(let waiting): unclaimed.isLaid(waiting) && unclaimed[waiting] == true
        case .notification(let id, let first):
            notifications.isLaid(id) && notifications[id] == first
        case .settlement(let key, let first):
            settlements.isLaid(key) && settlements[key] == first
        case .reservation(let id, let kept):
            reservations.isLaid(id) && reservations[id] == kept
        case .lease(let id, let user): leases.isLaid(id) && leases[id] == user
        case .pack(let key, let kept): packs.isLaid(key) && packs[key] == kept
        case .tick(let first, let seq): ticks.isLaid(first) && ticks[first] == seq
        case .tombstone(let mark, let stone):
            tombstones.isLaid(mark) && tombstones[mark] == stone
        case .alarm, .applied, .numbering, .catalog, .installed, .idFloor, .secret: true
        }
    }
}
