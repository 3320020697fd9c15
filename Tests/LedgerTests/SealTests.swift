import Chance
import Entitlements
import LMDB
import TestSupport
import Testing

@testable import Ledger

/// Every row of every table carries a checksum over key and value, and every read checks it.
struct SealTests {
    @Test func `a flipped bit anywhere in a row of any table is damage to whoever reads it`() throws
    {
        var random = SplitMix64.told()
        let scratch = try Scratch()
        try WholeStore.make(scratch.store)
        let rows = try storedRows(scratch.store)
        let bench = try WriterBench(scratch.store)
        let views = bench.views
        for table in TableName.allCases {
            let keys = (rows[table] ?? [:]).keys.sorted { $0.lexicographicallyPrecedes($1) }
            try #require(!keys.isEmpty, "\(table) is empty")
            let key = keys[random.pick(0..<keys.count)]
            let sealed = try #require(rows[table]?[key])
            for index in sealed.indices {
                var flipped = sealed
                flipped[index] ^= 1 << UInt8(random.pick(0..<8))
                try put(flipped, views, table, key)
                let read = damageOf {
                    try views.environment.read { transaction in
                        _ = try views.value(key, in: table, transaction)
                    }
                }
                #expect(read, "\(table), byte \(index)")
            }
            for count in 0..<Seal.bytes {
                try put(Array(sealed.prefix(count)), views, table, key)
                let read = damageOf {
                    try views.environment.read { transaction in
                        _ = try views.value(key, in: table, transaction)
                    }
                }
                #expect(read, "\(table), \(count) bytes")
            }
            try put(sealed, views, table, key)
        }
        #expect(differences(rows, try views.storedRows()) == [])
    }

    @Test func `a check finds a flipped bit in the front of an account, a whole read any`() throws {
        var random = SplitMix64.told()
        let scratch = try Scratch()
        try WholeStore.make(scratch.store)
        let rows = try storedRows(scratch.store)[.accounts] ?? [:]
        #expect(rows.count > 5)
        var answer = Answer()
        for (key, sealed) in rows {
            let value = Array(sealed.dropLast(Seal.bytes))
            let account = try AccountRow.record(of: try Keys.user(of: key), value)
            let front = frontBytes(of: account)
            for index in value.indices {
                var flipped = sealed
                flipped[index] ^= 1 << UInt8(random.pick(0..<8))
                flipped.withUnsafeBytes { row in
                    key.withUnsafeBytes { key in
                        let isRead = AccountRow.read(row, of: key, into: &answer)
                        #expect(isRead == (index >= front), "byte \(index) of \(row.count)")
                        #expect(Seal.opened(row, key) == nil)
                    }
                }
            }
            // That of somebody else, under this key.
            #expect(
                !sealed.withUnsafeBytes { row in
                    (key + [1]).withUnsafeBytes { AccountRow.read(row, of: $0, into: &answer) }
                }
            )
        }
    }

    @Test func `a row put together of two accounts, or of two states of one, is damage`() throws {
        let scratch = try Scratch()
        let (ann, bob) = (try user("ann"), try user("bob"))
        let bench = try WriterBench(scratch.store)
        let views = bench.views
        /// The row of an account in some state, and where its front ends.
        func row(_ user: UserID, _ credits: Int64) -> (bytes: [UInt8], front: Int) {
            var account = Account(user: user, opened: Moment(1))
            let bucket = Bucket(source: "free", amount: credits)
            account.purse = Purse(buckets: [bucket], holds: [], debt: 0)
            account.answer.credits = credits
            let bytes = ByteWriter.row(user.bytes) { AccountRow.write(account, to: &$0) }
            return (bytes, frontBytes(of: account))
        }
        let (old, new, other) = (row(ann, 5), row(ann, 4), row(bob, 4))
        #expect(old.bytes.count == new.bytes.count && old.front == other.front)
        for (front, rest) in [(old, new), (new, old), (new, other)] {
            let mixed = front.bytes[..<front.front] + rest.bytes[front.front...]
            try put(Array(mixed), views, .accounts, AccountRow.bytes(of: ann))
            #expect(damageOf { try lookUp(.accounts, AccountRow.bytes(of: ann), bench) })
        }
        try put(new.bytes, views, .accounts, AccountRow.bytes(of: ann))
        #expect(!damageOf { try lookUp(.accounts, AccountRow.bytes(of: ann), bench) })
    }

    @Test func `each record that a command lays is refused when its row is broken`() throws {
        let scratch = try Scratch()
        try WholeStore.make(scratch.store)
        let rows = try storedRows(scratch.store)
        let bench = try WriterBench(scratch.store)
        let views = bench.views
        for table in TableName.allCases where table != .alarms {
            for (key, sealed) in rows[table] ?? [:] {
                var broken = sealed
                broken[0] ^= 0x80
                try put(broken, views, table, key)
                let isRefused = damageOf { try lookUp(table, key, bench) }
                let text = String(decoding: key, as: UTF8.self)
                // Only that one has no value to break: the seal is all there is, and keys count.
                #expect(isRefused || table == .unclaimed || table == .leases, "\(table) \(text)")
                try put(sealed, views, table, key)
            }
        }
    }

    @Test func `a page of a dump stops at a broken row of any table`() throws {
        let scratch = try Scratch()
        try WholeStore.make(scratch.store)
        let ledger = try open(scratch.store)
        defer { ledger.stop() }
        // The leases of before returned when it was opened, and notifications are forgotten.
        try ledger.order(notification(90, signed: 1_750_000_000_000, []))
        try ledger.order(try WholeStore.credits("hal"))
        try ledger.order(try WholeStore.lease("hal", 9))
        try ledger.order(try WholeStore.refused("hal"))
        let rows = try ledger.storedRows()
        for table in TableName.allCases {
            let (key, sealed) = try #require(rows[table]?.first, "\(table) is empty")
            #expect(!(try ledger.look { try $0.rows(of: table, count: 1_000) }).isEmpty)
            #expect(try ledger.look { try $0.row(key, of: table) } != nil)
            var broken = sealed
            broken[broken.count / 2] ^= 4
            try put(broken, ledger.views, table, key)
            let page = failure { _ = try ledger.look { try $0.rows(of: table, count: 1_000) } }
            #expect(isDamage(page), "\(table)")
            let one = failure { _ = try ledger.look { try $0.row(key, of: table) } }
            #expect(isDamage(one), "\(table)")
            try put(sealed, ledger.views, table, key)
        }
    }

    private func put(_ bytes: [UInt8], _ views: Views, _ table: TableName, _ key: [UInt8]) throws {
        try views.environment.write { try $0.put(bytes, for: key, in: views.table(table)) }
    }

    /// Looks a row up as the writer does.
    private func lookUp(
        _ table: TableName,
        _ key: [UInt8],
        _ bench: WriterBench
    ) throws {
        let source = try Snapshot(bench.views, bench.memtable)
        try source.renew()
        func find<T: TableRow>(_ type: T.Type) throws {
            _ = try source.record(of: type, at: try T.key(of: key))
        }
        switch table {
        case .unclaimed: _ = try source.unclaimed(with: try UnclaimedRow.key(of: key).token)
        case .leases: _ = try source.leases()
        case .alarms: _ = try source.nextAlarm()
        case .ticks: _ = try source.tick(covering: try TickRow.key(of: key))
        case .meta:
            _ = try bench.views.environment.read { try bench.views.appliedState($0) }
            _ = try source.catalogs()
        default: try find(table.row)
        }
    }

    private func damageOf(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch {
            return isDamage(LedgerFailure(error))
        }
    }
}
