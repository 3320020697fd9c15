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
    /// Product and plan numbers.
    var numbering = Numbering()
    /// The catalog in force.
    var catalog: CatalogStamp?
    /// The greatest id among the rows that were loaded.
    var idFloor: UInt64 = 0
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
            guard let bytes = try value(Keys.meta("numbering"), in: .meta, transaction) else {
                throw Malformed()
            }
            reader = ByteReader(bytes)
            state.numbering = Numbering(
                names: try reader.list { (reader) throws(Malformed) in try reader.text() }
            )
            if let bytes = try value(Keys.meta("catalog"), in: .meta, transaction) {
                var reader = ByteReader(bytes)
                state.catalog = try reader.catalogStamp()
            }
            if let bytes = try value(Keys.meta("ids"), in: .meta, transaction) {
                var reader = ByteReader(bytes)
                state.idFloor = try reader.integer()
            }
        } catch is Malformed {
            throw Damage(table: .meta)
        }
        return state
    }

    /// The reservations that end with the connections that made them.
    func leases(_ transaction: borrowing some Transaction & ~Copyable) throws -> [UInt64] {
        var ids: [UInt64] = []
        try transaction.withCursor(in: table(.leases)) { cursor in
            var entry = try cursor.first()
            while let (key, _) = entry {
                ids.append(try Keys.reservation(of: Array(key)))
                entry = try cursor.next()
            }
        }
        return ids.sorted()
    }

    /// Puts back what changed on `desk`, and how far the views are with it.
    func store(
        _ desk: borrowing Desk,
        _ state: AppliedState,
        under policy: Policy,
        _ transaction: borrowing WriteTransaction
    ) throws {
        for user in desk.accounts.changed.sorted() {
            let account = desk.accounts[user]
            let bytes = account.map { AccountRecord.bytes(of: $0) }
            try put(bytes, Keys.account(user), in: .accounts, transaction)
            if let account { try arm(account, after: state.at, under: policy, transaction) }
        }
        for passing in desk.passings { try pass(passing, under: policy, transaction) }
        for key in desk.subscriptions.changed.sorted() {
            let bytes = desk.subscriptions[key].map { SubscriptionRecord.bytes(of: $0) }
            try put(bytes, Keys.subscription(key), in: .subscriptions, transaction)
        }
        for token in desk.tokens.changed.sorted() {
            try put(desk.tokens[token]?.bytes, Keys.token(token), in: .tokens, transaction)
        }
        for waiting in desk.unclaimed.changed.sorted() {
            let bytes: [UInt8]? = desk.unclaimed[waiting] == nil ? nil : []
            try put(bytes, Keys.unclaimed(waiting), in: .unclaimed, transaction)
        }
        for id in desk.notifications.changed.sorted() {
            let bytes = desk.notifications[id].map { seq in written { $0.integer(seq) } }
            try put(bytes, Keys.notification(id), in: .notifications, transaction)
        }
        for key in desk.settlements.changed {
            let bytes = desk.settlements[key].map { first in written { $0.settlement(first) } }
            try put(bytes, Keys.settlement(key), in: .settlements, transaction)
        }
        try storeCredits(desk, transaction)
        try storeMeta(state, transaction)
    }

    private func storeCredits(
        _ desk: borrowing Desk,
        _ transaction: borrowing WriteTransaction
    ) throws {
        for id in desk.reservations.changed.sorted() {
            let bytes = desk.reservations[id].map { one in written { $0.reservation(one) } }
            try put(bytes, Keys.reservation(id), in: .reservations, transaction)
        }
        for id in desk.leases.changed.sorted() {
            let bytes = desk.leases[id].map { user in written { $0.user(user) } }
            try put(bytes, Keys.reservation(id), in: .leases, transaction)
        }
        for first in desk.ticks.changed.sorted() {
            let bytes = desk.ticks[first].map { seq in written { $0.integer(seq) } }
            try put(bytes, Keys.tick(first), in: .ticks, transaction)
        }
        for key in desk.packs.changed.sorted() {
            let bytes = desk.packs[key].map { pack in written { $0.pack(pack) } }
            try put(bytes, Keys.pack(key), in: .packs, transaction)
        }
    }

    private func storeMeta(
        _ state: AppliedState,
        _ transaction: borrowing WriteTransaction
    ) throws {
        let applied = written {
            $0.integer(Self.format)
            $0.integer(state.seq)
            $0.integer(state.group)
            $0.moment(state.at)
        }
        try put(applied, Keys.meta("applied"), in: .meta, transaction)
        let numbering = written { $0.list(state.numbering.names) { $0.text($1) } }
        try put(numbering, Keys.meta("numbering"), in: .meta, transaction)
        if state.idFloor > 0 {
            let ids = written { $0.integer(state.idFloor) }
            try put(ids, Keys.meta("ids"), in: .meta, transaction)
        }
        guard let stamp = state.catalog else { return }
        try put(written { $0.catalogStamp(stamp) }, Keys.meta("catalog"), in: .meta, transaction)
        let key = Keys.catalog(stamp.version)
        guard try value(key, in: .meta, transaction) == nil else { return }
        let installed = written {
            $0.integer(state.seq)
            $0.moment(state.at)
            $0.catalogStamp(stamp)
        }
        try put(installed, key, in: .meta, transaction)
    }

    /// The catalogs that were in force, oldest first.
    func catalogs(
        _ transaction: borrowing some Transaction & ~Copyable
    ) throws -> [InstalledCatalog] {
        let prefix = Keys.meta("catalog/")
        var catalogs: [InstalledCatalog] = []
        try transaction.withCursor(in: table(.meta)) { cursor in
            var entry = try cursor.seek(atOrAfter: prefix)
            while let (key, sealed) = entry, key.starts(with: prefix) {
                guard let value = Seal.opened(sealed, key) else { throw Damage(table: .meta) }
                var reader = ByteReader(Array(value))
                catalogs.append(try reader.installedCatalog())
                entry = try cursor.next()
            }
        }
        return catalogs
    }

    private func written(_ write: (inout ByteWriter) -> Void) -> [UInt8] {
        var writer = ByteWriter()
        write(&writer)
        return writer.bytes
    }
}
