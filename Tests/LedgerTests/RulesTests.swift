import Entitlements
import Journal
import LMDB
import TestSupport
import Testing

@testable import Ledger

/// A store that a release with other rules has written.
struct RulesTests {
    /// A store of rules 1: it does not say so, and an account of which nothing was heard since
    /// lacks what the present rules make of it.
    private func old(_ scratch: Scratch) throws -> UserID {
        try WholeStore.make(scratch.store)
        try open(scratch.store, source: WholeStore.shop()).stop()
        let environment = try Environment.open(
            directory: scratch.store,
            options: .init(mapSizeBytes: 64 << 20)
        )
        defer { environment.close() }
        let views = try Views(environment)
        let snapshot = try Snapshot(views, Memtable(LedgerPulse(), seq: 0))
        try snapshot.renew()
        var found: Account?
        try snapshot.walk(.accounts) { key, sealed in
            let account = try AccountRow(key: key, sealed: sealed).record
            if !account.answer.slots.isEmpty { found = account }
            return found == nil
        }
        snapshot.rest()
        var account = try #require(found)
        account.answer.slots = []
        let row = AccountRow(key: account.user, record: account)
        try environment.write { transaction in
            try views.put(row.valueBytes, row.keyBytes, in: .accounts, transaction)
            try views.put(nil, MetaRow.bytes(of: MetaRow.rules), in: .meta, transaction)
        }
        return account.user
    }

    private func notices(_ directory: String, _ user: UserID? = nil) throws -> [LedgerNotice] {
        let notices = Notebook<LedgerNotice>()
        let ledger = try open(directory, source: WholeStore.shop(), notices: notices)
        defer { ledger.stop() }
        return notices.notes
    }

    private func isToldOf(_ notice: LedgerNotice) -> Bool {
        if case .rulesChanged = notice { true } else { false }
    }

    @Test func `a start tells of older rules until the views are made anew`() throws {
        let scratch = try Scratch()
        let user = try old(scratch)
        #expect(try notices(scratch.store).contains(.rulesChanged(from: Rules.unnamed)))
        var ledger = try open(scratch.store, source: WholeStore.shop())
        #expect(ledger.rules == Rules.unnamed)
        #expect(try ledger.account(user)?.answer.slots == [], "nothing was heard of it")
        try ledger.order(try registration(90))
        ledger.stop()
        let report = try Ledger.verify(options(scratch.store))
        #expect(report.rules == Rules.unnamed)
        #expect(report.differences == ["accounts: a row is not what the journal makes of it"])
        // What is written now does not make the rest newer.
        #expect(try notices(scratch.store).contains(.rulesChanged(from: Rules.unnamed)))

        _ = try Ledger.rebuild(options(scratch.store), under: WholeStore.shop())
        #expect(try !notices(scratch.store).contains { isToldOf($0) })
        ledger = try open(scratch.store, source: WholeStore.shop())
        #expect(ledger.rules == Rules.version)
        #expect(try ledger.account(user)?.answer.slots.isEmpty == false)
        ledger.stop()
        #expect(try expectClean(scratch.store).rules == Rules.version)
    }

    @Test func `a store that is new, and one whose views were taken away, says nothing`() throws {
        let scratch = try Scratch()
        _ = try old(scratch)
        try Scratch.copyJournal(scratch.store, to: scratch.path + "/other")
        for directory in [scratch.path + "/new", scratch.path + "/other"] {
            #expect(try !notices(directory).contains { isToldOf($0) })
            #expect(try !notices(directory).contains { isToldOf($0) })
        }
    }

    @Test func `rows that stand for what was pruned are named by a rebuild, too`() throws {
        let scratch = try Scratch()
        try prunedLedger(scratch, segmentBytesMax: 16 << 10).stop()
        for directory in [scratch.store, scratch.store + "/base"] {
            let environment = try Environment.open(
                directory: directory,
                options: .init(mapSizeBytes: 64 << 20)
            )
            let views = try Views(environment)
            try environment.write { transaction in
                try views.put(nil, MetaRow.bytes(of: MetaRow.rules), in: .meta, transaction)
            }
            environment.close()
        }
        #expect(try notices(scratch.store).contains(.rulesChanged(from: Rules.unnamed)))
        try expectClean(scratch.store)
        _ = try Ledger.rebuild(options(scratch.store), under: tariff())
        #expect(try !notices(scratch.store).contains { isToldOf($0) })
        try expectClean(scratch.store)
    }

    @Test func `each group of the journal has the rules that decided it`() throws {
        let scratch = try Scratch()
        try WholeStore.make(scratch.store)
        var versions: Set<UInt32> = []
        _ = try Journal.read(directory: scratch.store + "/journal", afterSeq: 0) { _, group in
            versions.insert(group.rulesVersion)
        }
        #expect(versions == [Rules.version])
    }
}
