import Entitlements
import Glibc
import LMDB
import TestSupport
import Testing

@testable import Ledger

/// `verify` finds every row that the journal does not make.
struct VerificationTests {
    /// Alarms are an index, of which `AlarmAuditTests` asks.
    private static let compared = TableName.allCases.filter { $0 != .alarms }

    @Test func `a changed, an extra, a missing and a broken row are found in every table`() throws {
        let scratch = try Scratch()
        try WholeStore.make(scratch.store)
        try expectClean(scratch.store)
        let rows = try storedRows(scratch.store)
        for table in Self.compared {
            let keys = (rows[table] ?? [:]).keys.sorted { $0.lexicographicallyPrecedes($1) }
            try #require(keys.count > 1, "\(table) has \(keys.count) rows")
            for key in keys {
                let sealed = try #require(rows[table]?[key])
                if table == .meta, key == MetaRow.bytes(of: MetaRow.rules) {
                    try expectOlderRules(without: key, scratch)
                } else {
                    try expectFound(scratch, "missing", table, key) { views, transaction in
                        try views.put(nil, key, in: table, transaction)
                    }
                }
                var broken = sealed
                broken[broken.count - 1] ^= 1
                try expectFound(scratch, "broken", table, key) { views, transaction in
                    try transaction.put(broken, for: key, in: views.table(table))
                }
                guard sealed.count > Seal.bytes else {
                    #expect(table == .unclaimed)
                    continue
                }
                try expectFound(scratch, "cut", table, key) { views, transaction in
                    let cut = Array(sealed.dropLast(Seal.bytes + 1))
                    try transaction.put(Seal.closed(cut, key), for: key, in: views.table(table))
                }
                // What another row says, sealed as this one's own.
                let others = keys.compactMap { rows[table]?[$0]?.dropLast(Seal.bytes) }
                let other = try #require(
                    others.first { $0 != sealed.dropLast(Seal.bytes) },
                    "all rows of \(table) are alike"
                )
                try expectFound(scratch, "changed", table, key) { views, transaction in
                    try views.put(Array(other), key, in: table, transaction)
                }
            }
        }
    }

    @Test func `an extra row is found in every table`() throws {
        let scratch = try Scratch()
        try WholeStore.make(scratch.store)
        let rows = try storedRows(scratch.store)
        let strange = SubscriptionKey(
            store: .appStore,
            environment: .production,
            originalID: "77"
        )
        let pack = PackKey(store: .appStore, environment: .production, transactionID: "77")
        let id = NotificationID(signed: Moment(5), digest: digest(5))
        let settlement = IdempotencyKey(user: try user("ann"), digest: digest(7_777))
        let keys: [TableName: [UInt8]] = [
            .accounts: AccountRow.bytes(of: try user("stranger")),
            .subscriptions: SubscriptionRow.bytes(of: strange),
            .tokens: TokenRow.bytes(of: try token(4_444)),
            .unclaimed: UnclaimedRow.bytes(of: Unclaimed(token: try token(4_444), key: strange)),
            .notifications: NotificationRow.bytes(of: id),
            .settlements: SettlementRow.bytes(of: settlement),
            .reservations: ReservationRow.bytes(of: 5_000),
            .leases: ReservationRow.bytes(of: 5_000),
            .packs: PackRow.bytes(of: pack),
            .ticks: TickRow.bytes(of: Moment(5)),
            .appTransactions: AppTransactionRow.bytes(of: AppTransactionMark(Digest128(5, 5))),
            .merges: AccountRow.bytes(of: try user("stranger")),
            .tombstones: TombstoneRow.bytes(of: NameMark(low: 5, high: 5)),
            .meta: MetaRow.bytes(of: MetaRow.key(ofCatalog: 9)),
        ]
        for table in Self.compared {
            let key = try #require(keys[table])
            let model =
                table == .meta
                ? rows[.meta]?[MetaRow.bytes(of: MetaRow.key(ofCatalog: 1))]
                : rows[table]?.values.first
            let value = Array(try #require(model).dropLast(Seal.bytes))
            try expectFound(scratch, "extra", table, key) { views, transaction in
                try views.put(value, key, in: table, transaction)
            }
        }
        try expectFound(scratch, "unknown", .meta, MetaRow.bytes(of: "x")) { views, transaction in
            try views.put([1], MetaRow.bytes(of: "x"), in: .meta, transaction)
        }
    }

    @Test func `a store that was verified is byte for byte as before, also one with a torn tail`()
        throws
    {
        let scratch = try Scratch()
        try WholeStore.make(scratch.store)
        let names = Scratch.names(in: scratch.store + "/journal")
        let segment = try #require(names.last { $0.hasSuffix(".segment") })
        let path = "\(scratch.store)/journal/\(segment)"
        let whole = try Scratch.bytes(of: path)
        let end = try #require(whole.lastIndex { $0 != 0 })
        // The views are behind the group that is torn: those of an empty store.
        unlink(scratch.store + "/data.mdb")
        try Scratch.put(Array(whole[...(end - 9)]), at: path)
        let before = try journalFiles(scratch.store)
        _ = failure { _ = try Ledger.verify(options(scratch.store)) }
        #expect(try journalFiles(scratch.store) == before)
    }

    /// A store without the row was begun by an older release, which is no difference: the report
    /// says it.
    private func expectOlderRules(without key: [UInt8], _ scratch: Scratch) throws {
        let copy = scratch.path + "/older"
        try Scratch.copyStore(scratch.store, to: copy)
        try tamper(copy) { views, transaction in
            try views.put(nil, key, in: .meta, transaction)
        }
        #expect(try Ledger.verify(options(copy)).rules == Rules.unnamed)
    }

    private func expectFound(
        _ scratch: Scratch,
        _ what: String,
        _ table: TableName,
        _ key: [UInt8],
        _ change: (Views, borrowing WriteTransaction) throws -> Void
    ) throws {
        let text = "\(what) row of \(table): \(String(decoding: key, as: UTF8.self))"
        let copy = scratch.path + "/changed"
        try Scratch.copyStore(scratch.store, to: copy)
        try tamper(copy, change)
        do {
            let report = try Ledger.verify(options(copy))
            #expect(report.differencesCount > 0, "\(text)")
            #expect(report.differences.contains { $0.hasPrefix(table.rawValue) }, "\(text)")
        } catch {
            // What tells how far the views are is needed to compare at all.
            #expect(isDamage(error), "\(text): \(error)")
            #expect(table == .meta, "\(text)")
        }
    }
}
