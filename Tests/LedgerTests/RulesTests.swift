import Entitlements
import Glibc
import Journal
import LMDB
import TestSupport
import Testing

@testable import Ledger

/// A store that a release with other rules has written.
struct RulesTests {
    /// A store of rules 1: it does not say so, and an account of which nothing was heard since
    /// lacks what the present rules make of it.
    private func old(_ scratch: Scratch, sayingSo: Bool = false) throws -> UserID {
        try WholeStore.make(scratch.store)
        try open(scratch.store, source: WholeStore.shop()).stop()
        return try age(scratch.store, sayingSo: sayingSo)
    }

    /// Takes from an account of a store what the present rules made of its purchases.
    ///
    /// `sayingSo`: the store says all the same that the present rules made its rows.
    private func age(_ directory: String, sayingSo: Bool) throws -> UserID {
        let environment = try Environment.open(
            directory: directory,
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
            if sayingSo { return }
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

    @Test(arguments: [false, true])
    func `a backup of rows that older rules made is as good as they are`(_ sayingSo: Bool) throws {
        let scratch = try Scratch()
        let user = try old(scratch, sayingSo: sayingSo)
        let ledger = try open(scratch.store, source: WholeStore.shop())
        let copy = scratch.path + "/backup"
        guard !sayingSo else {
            // What the present rules made, and is another row, is damage.
            #expect(throws: BackupFailure.self) { try ledger.backup(to: copy) { _ in } }
            ledger.stop()
            return
        }
        _ = try ledger.backup(to: copy) { _ in }
        ledger.stop()
        let other = try open(copy, source: WholeStore.shop())
        #expect(other.rules == Rules.unnamed)
        #expect(try other.account(user)?.answer.slots == [])
        other.stop()
        _ = try Ledger.rebuild(options(copy), under: WholeStore.shop())
        try expectClean(copy)
    }

    @Test(arguments: [false, true])
    func `a base is made beside rows that older rules made`(_ sayingSo: Bool) throws {
        let scratch = try Scratch()
        let hands = HandClock()
        var ledger = try open(scratch.store, clock: hands.clock, segmentBytesMax: 16 << 10)
        try ledger.order(try registration(0))
        let fact = purchase(0, from: hands.wall, token: try token(0))
        try ledger.order(notification(0, signed: hands.wall, [fact]))
        for round in 1..<8 {
            try ledger.orderTogether((100 * round..<100 * round + 100).map { try registration($0) })
            hands.advance(day)
        }
        ledger.stop()
        #expect(try age(scratch.store, sayingSo: sayingSo) == user("user 0"))
        ledger = try open(scratch.store, clock: hands.clock, segmentBytesMax: 16 << 10)
        let edge = Moment(hands.wall - 3 * day)
        if sayingSo {
            #expect(isDamage(failure { _ = try ledger.prune(olderThan: edge, reserveBytes: 0) }))
        } else {
            let report = try ledger.prune(olderThan: edge, reserveBytes: 0)
            if case .pruned = report {} else { Issue.record("\(report)") }
        }
        ledger.stop()
    }

    /// A record that the journal keeps, as other rules would have made it, or as none would.
    enum Kept: CaseIterable {
        case ofOlderRules, ofPresentRules, ofNoRules
    }

    @Test(arguments: Kept.allCases)
    func `a rebuild takes records that older rules made, and no others`(_ kept: Kept) throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store, milestones: .quick)
        try ledger.order(try registration(0))
        let fact = purchase(0, from: 1_750_000_000_000, token: try token(0))
        try ledger.order(notification(0, signed: 1_750_000_000_000, [fact]))
        for key in 1..<10 { try ledger.order(try gift(1, to: "user 0", key: key)) }
        ledger.stop()
        var changed = 0
        let version = kept == .ofPresentRules ? Rules.version : Rules.version - 1
        try writeJournal(of: scratch.store, by: version) { account in
            changed += 1
            var other = account
            if kept == .ofNoRules {
                other = Account(user: account.user, opened: Moment(7))
                (other.purse, other.answer) = (account.purse, account.answer)
                (other.subscriptions, other.tokens) = (account.subscriptions, account.tokens)
                (other.lastSeq, other.chain) = (account.lastSeq, account.chain)
            }
            other.answer.slots = []
            return other
        }
        #expect(changed > 0)
        guard kept == .ofOlderRules else {
            #expect(throws: CompactionFailure.self) {
                try Ledger.rebuild(options(scratch.store), under: tariff())
            }
            return
        }
        _ = try Ledger.rebuild(options(scratch.store), under: tariff())
        try expectClean(scratch.store)
    }

    /// Writes the journal of `directory` anew, as a release with the rules `version` would have,
    /// and changes the accounts that it keeps.
    private func writeJournal(
        of directory: String,
        by version: UInt32,
        _ change: (Account) -> Account
    ) throws {
        let new = try SegmentWriter.open(directory: directory + "/new", appliedGroup: 0)
        _ = try Segments.read(directory: directory + "/journal", afterSeq: 0) { group, entries in
            let entries = try entries.map { try entry($0, keeping: change) }
            let catalog = group.catalogVersion
            _ = try new.append(entries, catalogVersion: catalog, rulesVersion: version)
            return true
        }
        new.close()
        Scratch.remove(directory + "/journal")
        try #require(rename(directory + "/new", directory + "/journal") == 0)
    }

    /// An entry with the accounts that it keeps as `change` leaves them.
    private func entry(
        _ entry: JournalEntry,
        keeping change: (Account) -> Account
    ) throws -> JournalEntry {
        var body = entry.body
        for milestone in try EntryBody.content(of: entry).milestones {
            guard case .account(let account, let places) = milestone.kind else { continue }
            func bytes(_ account: Account) -> [UInt8] {
                var rest = places[...]
                return Milestone(account) { _ in rest.removeFirst() }.bytes
            }
            let before = bytes(account)
            let place = try #require(body.indices.first { body[$0...].starts(with: before) })
            body.replaceSubrange(place..<place + before.count, with: bytes(change(account)))
        }
        return entry.with(body)
    }

    @Test func `each group of the journal has the rules that decided it`() throws {
        let scratch = try Scratch()
        try WholeStore.make(scratch.store)
        var versions: Set<UInt32> = []
        _ = try Segments.readEach(directory: scratch.store + "/journal", afterSeq: 0) { _, group in
            versions.insert(group.rulesVersion)
        }
        #expect(versions == [Rules.version])
    }
}
