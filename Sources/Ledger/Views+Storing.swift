import Entitlements
import LMDB

/// How far the views are, and what is needed to go on from there.
struct AppliedState: Hashable, Sendable {
    /// The last journal entry that the views contain.
    var seq: UInt64 = 0
    /// The journal group that it stands in.
    var group: UInt64 = 0
    /// Its moment.
    var at = Moment(0)
    /// The moment that it was judged at: what the clock said.
    var now = Moment(0)
    /// Product and plan numbers.
    var numbering = Numbering()
    /// The catalog in force.
    var catalog: CatalogStamp?
    /// The greatest id among the rows that were loaded.
    var idFloor: UInt64 = 0
    /// The secret of the marks of erased persons; nil until somebody is erased.
    var secret: HashKey?
}

extension Views {
    /// The version of all formats in this room.
    static let format: UInt32 = 1

    /// How far the views are; a fresh state for a fresh environment.
    func appliedState(_ transaction: borrowing some Transaction & ~Copyable) throws -> AppliedState
    {
        var state = AppliedState()
        guard let bytes = try value(Keys.meta("applied"), in: .meta, transaction) else {
            // Rows without a position would be made a second time on top of themselves.
            for name in TableName.allCases where !absent.contains(name) {
                guard try transaction.entryCount(of: table(name)) == 0 else {
                    throw Damage(table: .meta)
                }
            }
            return state
        }
        do {
            var reader = ByteReader(bytes)
            guard try reader.integer(UInt32.self) == Self.format else { throw Malformed() }
            state.seq = try reader.integer()
            state.group = try reader.integer()
            state.at = try reader.moment()
            state.now = reader.isAtEnd ? state.at : try reader.moment()
            guard let bytes = try value(Keys.meta("numbering"), in: .meta, transaction) else {
                throw Malformed()
            }
            reader = ByteReader(bytes)
            state.numbering = Numbering(
                names: try reader.longList { (reader) throws(Malformed) in try reader.text() }
            )
            if let bytes = try value(Keys.meta("catalog"), in: .meta, transaction) {
                var reader = ByteReader(bytes)
                state.catalog = try reader.catalogStamp()
            }
            if let bytes = try value(Keys.meta("ids"), in: .meta, transaction) {
                var reader = ByteReader(bytes)
                state.idFloor = try reader.integer()
            }
            if let bytes = try value(Keys.meta("secret"), in: .meta, transaction) {
                var reader = ByteReader(bytes)
                state.secret = try reader.hashKey()
            }
        } catch is Malformed {
            throw Damage(table: .meta)
        }
        return state
    }
}

extension Snapshot {
    /// The reservations that end with the connections that made them, those of one user oldest
    /// first: credits of one end are spent in the order in which they came back.
    func leases() throws -> [UInt64] {
        var users: [UserID] = []
        var ids: [UserID: Set<UInt64>] = [:]
        try walk(.leases) { key, sealed in
            guard let value = Seal.opened(sealed, key) else { throw Damage(table: .leases) }
            var reader = ByteReader(Array(value))
            let user = try reader.user()
            if ids[user] == nil { users.append(user) }
            ids[user, default: []].insert(try Keys.reservation(of: Array(key)))
            return true
        }
        return try users.flatMap { user -> [UInt64] in
            let theirs = ids[user] ?? []
            let held = try account(of: user)?.purse.holds.map(\.id).filter(theirs.contains) ?? []
            return held + theirs.subtracting(held).sorted()
        }
    }

    /// Product and plan numbers.
    func numbering() throws -> Numbering {
        guard let bytes = try value(Keys.meta("numbering"), in: .meta) else { return Numbering() }
        var reader = ByteReader(bytes)
        return Numbering(
            names: try reader.longList { (reader) throws(Malformed) in try reader.text() }
        )
    }

    /// The catalogs that were in force, oldest first.
    func catalogs() throws -> [InstalledCatalog] {
        let prefix = Keys.meta("catalog/")
        var catalogs: [InstalledCatalog] = []
        try walk(.meta, from: prefix) { key, sealed in
            guard key.starts(with: prefix) else { return false }
            guard let value = Seal.opened(sealed, key) else { throw Damage(table: .meta) }
            var reader = ByteReader(Array(value))
            catalogs.append(try reader.installedCatalog())
            return true
        }
        return catalogs
    }
}

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
        for user in desk.accounts.changed {
            guard let account = desk.accounts[user] else {
                remove(Keys.account(user), from: .accounts)
                continue
            }
            put(Keys.account(user), in: .accounts) { AccountRecord.write(account, to: &$0) }
        }
        if let policy {
            try takeAlarms(desk, after: state.now, under: policy, from: snapshot)
        }
        for key in desk.subscriptions.changed.sorted() {
            let kept = desk.subscriptions[key]
            put(kept.map { .subscription($0) }, at: Keys.subscription(key), in: .subscriptions)
        }
        for token in desk.tokens.changed.sorted() {
            put(desk.tokens[token].map { .token(token, $0) }, at: Keys.token(token), in: .tokens)
        }
        for waiting in desk.unclaimed.changed.sorted() {
            let row = desk.unclaimed[waiting].map { _ in Row.Value.unclaimed(waiting) }
            put(row, at: Keys.unclaimed(waiting), in: .unclaimed)
        }
        for id in desk.notifications.changed.sorted() {
            let row = desk.notifications[id].map { Row.Value.notification(id, $0) }
            put(row, at: Keys.notification(id), in: .notifications)
        }
        for key in desk.settlements.changed {
            let row = desk.settlements[key].map { Row.Value.settlement(key, $0) }
            put(row, at: Keys.settlement(key), in: .settlements)
        }
        takeCredits(desk)
        for mark in desk.tombstones.changed.sorted() {
            let row = desk.tombstones[mark].map { Row.Value.tombstone(mark, $0) }
            put(row, at: Keys.tombstone(mark), in: .tombstones)
        }
        for mark in desk.appTransactions.changed.sorted() {
            let row = desk.appTransactions[mark].map { Row.Value.appTransaction(mark, shown: $0) }
            put(row, at: Keys.appTransaction(mark), in: .appTransactions)
        }
        for user in desk.merges.changed.sorted() {
            let row = desk.merges[user].map { Row.Value.merger(user, $0) }
            put(row, at: Keys.account(user), in: .merges)
        }
        for first in desk.ticks.changed.sorted() {
            let row = desk.ticks[first].map { Row.Value.tick(first, seq: $0) }
            put(row, at: Keys.tick(first), in: .ticks)
        }
        takeMeta(state, after: before)
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

    private mutating func takeCredits(_ desk: borrowing Desk) {
        for id in desk.reservations.changed.sorted() {
            let row = desk.reservations[id].map { Row.Value.reservation(id, $0) }
            put(row, at: Keys.reservation(id), in: .reservations)
        }
        for id in desk.leases.changed.sorted() {
            let row = desk.leases[id].map { Row.Value.lease(id, $0) }
            put(row, at: Keys.reservation(id), in: .leases)
        }
        for key in desk.packs.changed.sorted() {
            put(desk.packs[key].map { .pack(key, $0) }, at: Keys.pack(key), in: .packs)
        }
    }

    private mutating func takeMeta(_ state: AppliedState, after before: AppliedState) {
        putMeta(.applied(seq: state.seq, group: state.group, at: state.at, now: state.now))
        if before.seq == 0 || state.numbering != before.numbering {
            putMeta(.numbering(state.numbering.names))
        }
        if state.idFloor != before.idFloor { putMeta(.idFloor(state.idFloor)) }
        if let secret = state.secret, secret != before.secret { putMeta(.secret(secret)) }
        guard let stamp = state.catalog, stamp != before.catalog else { return }
        putMeta(.catalog(stamp))
        putMeta(.installed(InstalledCatalog(seq: state.seq, from: state.now, stamp: stamp)))
    }

    private mutating func putMeta(_ row: Row.Value) { put(row, at: row.key, in: .meta) }
}
