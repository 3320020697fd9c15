import Entitlements
import Glibc
import TestSupport
import Testing

@testable import Ledger

/// One life with long names, erased: what files still say, and what may come after.
struct ErasedLifeTests {
    private static let name = "anna.kowalska@example.com"
    private static let orders = [
        "700000000000001", "700000000000002", "700000000000003", "704000000000004",
    ]
    private let anna: UserID
    private let mine: Token

    init() throws {
        anna = try user(Self.name)
        mine = try #require(Token("c0ffee00-1234-4bcd-8abc-0123456789ab"))
    }

    private func erasure() -> Command.Kind {
        .erase(ErasureOrder(user: anna, secret: HashKey(3, 4)))
    }

    private func registration(_ user: UserID, _ token: Token) -> Command.Kind {
        .register(Registration(user: user, token: token))
    }

    /// A month, under the original id and with the transaction of this number.
    private func month(_ number: Int, _ token: Token?) -> Fact {
        let from = Int64(1_750_000_000_000)
        let signed = Moment(from + Int64(number))
        var transaction = TransactionFact(
            id: Self.orders[1],
            version: Version(signed: signed, digest: digest(number)),
            productID: "pro.monthly",
            purchased: Moment(from)
        )
        transaction.expires = Moment(from + 10_000 * day)
        transaction.kind = "Auto-Renewable Subscription"
        transaction.token = token
        transaction.origin = TransactionOrigin(
            app: "com.example.app",
            appTransactionID: Self.orders[3]
        )
        let key = SubscriptionKey(
            store: .appStore,
            environment: .production,
            originalID: Self.orders[0]
        )
        return Fact(key: key, transaction: transaction)
    }

    private func pack(_ number: Int) -> Fact {
        var transaction = TransactionFact(
            id: Self.orders[2],
            version: Version(signed: Moment(1_750_000_000_000 + Int64(number)), digest: digest(8)),
            productID: "pack.ten",
            purchased: Moment(1_750_000_000_000)
        )
        transaction.kind = "Consumable"
        transaction.token = mine
        let key = SubscriptionKey(
            store: .appStore,
            environment: .production,
            originalID: Self.orders[2]
        )
        return Fact(key: key, transaction: transaction)
    }

    private func live(_ ledger: Ledger) throws {
        try ledger.order(try LedgerTests.registration(1))
        try ledger.order(registration(anna, mine))
        try ledger.order(notification(1, signed: 1_750_000_000_000, [month(0, mine)]))
        try ledger.order(notification(2, signed: 1_750_000_000_000, [pack(0)]))
        try ledger.order(try grant(Self.name, key: 1))
        try ledger.order(try WholeStore.credits(Self.name))
        try ledger.order(try WholeStore.lease(Self.name, 1))
        try ledger.order(try LedgerTests.registration(2))
    }

    private func erase(_ ledger: Ledger) throws {
        #expect(try ledger.order(erasure()).outcome == .erased(true))
        try ledger.finishErasures()
    }

    /// The files under `path` that hold `bytes`.
    private func files(holding bytes: [UInt8], in path: String) throws -> [String] {
        var found: [String] = []
        for name in Scratch.names(in: path) {
            var status = stat()
            #expect(stat("\(path)/\(name)", &status) == 0)
            if status.st_mode & S_IFMT == S_IFDIR {
                found += try files(holding: bytes, in: "\(path)/\(name)").map { "\(name)/\($0)" }
            } else if try Scratch.bytes(of: "\(path)/\(name)").holds(bytes) {
                found.append(name)
            }
        }
        return found
    }

    private func names() -> [[UInt8]] {
        [anna.bytes, mine.storedBytes, Array(mine.description.utf8)]
            + Self.orders.map { Array($0.utf8) }
    }

    @Test func `no segment of the journal names an erased person, and amounts stay`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store, source: WholeStore.shop(), milestones: .quick)
        try live(ledger)
        // Tokens stand there as 16 bytes.
        for name in names() where name != Array(mine.description.utf8) {
            #expect(try !files(holding: name, in: scratch.store + "/journal").isEmpty)
        }
        try erase(ledger)
        for name in names() {
            #expect(try files(holding: name, in: scratch.store + "/journal") == [])
        }
        #expect(
            try !files(holding: Array("promo".utf8), in: scratch.store + "/journal").isEmpty
        )
        let rows = try ledger.views.storedRows()
        for (table, rows) in rows {
            for (key, value) in rows {
                for name in names() { #expect(!(key + value).holds(name), "\(table)") }
            }
        }
        // The person, the token under both names, two purchases and a pack.
        #expect(rows[.tombstones]?.count == 6)
        ledger.stop()
        try expectClean(scratch.store)
        let rebuilt = try rebuiltRows(scratch.store, in: scratch.path + "/rebuilt")
        #expect(differences(try storedRows(scratch.store), rebuilt) == [])
    }

    @Test func `accounts that went into a person's are erased with it`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store, source: WholeStore.shop(), milestones: .quick)
        try live(ledger)
        try ledger.order(try LedgerTests.registration(3))
        let key = IdempotencyKey(user: anna, digest: digest(5))
        try ledger.order(.charge(Charge(user: anna, amount: 1, key: key, fingerprint: digest(5))))
        let merged = try ledger.order(try WholeStore.merger(Self.name, "user 3")).outcome
        guard case .merged(_, replayed: false) = merged else {
            Issue.record("\(merged)")
            return
        }
        #expect(try ledger.order(erasure()).outcome == .conflict(.merged))
        try ledger.finishErasures()
        let heir = ErasureOrder(user: try user("user 3"), secret: HashKey(3, 4))
        #expect(try ledger.order(.erase(heir)).outcome == .erased(true, formers: [anna]))
        try ledger.finishErasures()
        for name in names() {
            #expect(try files(holding: name, in: scratch.store + "/journal") == [])
        }
        for (table, rows) in try ledger.views.storedRows() {
            for (key, value) in rows {
                for name in names() { #expect(!(key + value).holds(name), "\(table)") }
            }
        }
        let back = try ledger.order(registration(anna, mine)).outcome
        guard case .registered(_, created: true, _) = back else {
            Issue.record("\(back)")
            return
        }
        ledger.stop()
        try expectClean(scratch.store)
        let rebuilt = try rebuiltRows(scratch.store, in: scratch.path + "/rebuilt")
        #expect(differences(try storedRows(scratch.store), rebuilt) == [])
    }

    @Test func `behind a pruning no file names an erased person once the views are made anew`()
        throws
    {
        let scratch = try Scratch()
        let hands = HandClock()
        func opened() throws -> Ledger {
            try open(
                scratch.store,
                clock: hands.clock,
                source: WholeStore.shop(),
                segmentBytesMax: 4096,
                milestones: .quick
            )
        }
        var ledger = try opened()
        try live(ledger)
        for number in 10..<60 { try ledger.order(try LedgerTests.registration(number)) }
        try ledger.checkpointer.settle()
        let report = try ledger.prune(olderThan: Moment(hands.wall + 1), reserveBytes: 0)
        #expect(report == .nothing, "nothing is older than the newest entry")
        hands.advance(day)
        try ledger.order(try LedgerTests.registration(60))
        try ledger.checkpointer.settle()
        let pruned = try ledger.prune(olderThan: Moment(hands.wall), reserveBytes: 0)
        guard case .pruned = pruned else {
            Issue.record("\(pruned)")
            return
        }
        #expect(try files(holding: anna.bytes, in: scratch.store + "/base") == ["data.mdb"])
        let other = try user("user 1")
        let kept = try ledger.history(of: other).past.account
        #expect(kept == (try ledger.account(other)), "the base has what the journal has not")
        try erase(ledger)
        ledger.stop()
        try expectClean(scratch.store)
        unlink(scratch.store + "/data.mdb")
        ledger = try opened()
        ledger.stop()
        for name in names() { #expect(try files(holding: name, in: scratch.store) == []) }
        try expectClean(scratch.store)
    }

    @Test func `a backup after an erasure has no byte of the person, nor a compacted directory`()
        throws
    {
        let scratch = try Scratch()
        let ledger = try open(scratch.store, source: WholeStore.shop(), milestones: .quick)
        try live(ledger)
        try ledger.checkpointer.settle()
        try erase(ledger)
        try ledger.checkpointer.settle()
        // The id of an app transaction stands in the journal alone.
        let others = [Array(mine.description.utf8), Array(Self.orders[3].utf8)]
        for name in names() where !others.contains(name) {
            #expect(try files(holding: name, in: scratch.store) == ["data.mdb"])
        }
        let copy = scratch.path + "/copy"
        _ = try ledger.backup(to: copy) { (_) throws(BackupFailure) in }
        for name in names() { #expect(try files(holding: name, in: copy) == []) }
        ledger.stop()
        try expectClean(copy)
        #expect(differences(try storedRows(scratch.store), try storedRows(copy)) == [])
        _ = try Ledger.compact(options(scratch.store))
        for name in names() { #expect(try files(holding: name, in: scratch.store) == []) }
        #expect(differences(try storedRows(scratch.store), try storedRows(copy)) == [])
    }

    @Test func `a history of an erased person is that of nobody, and others keep theirs`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store, source: WholeStore.shop(), milestones: .quick)
        try live(ledger)
        let other = try user("user 1")
        let before = try ledger.history(of: other).steps.map(\.seq)
        try erase(ledger)
        #expect(try ledger.history(of: anna).steps.isEmpty)
        #expect(try ledger.history(of: other).steps.map(\.seq) == before)
        #expect(try ledger.account(anna) == nil)
        #expect(try ledger.order(erasure()).outcome == .erased(false))
        ledger.stop()
    }

    @Test func `what a store says later brings nobody back, and a registration does`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store, source: WholeStore.shop(), milestones: .quick)
        try live(ledger)
        try erase(ledger)
        let rows = try ledger.views.storedRows()
        func say(_ number: Int, _ fact: Fact) throws -> Outcome {
            try ledger.order(notification(number, signed: 1_750_000_000_000, [fact])).outcome
        }
        #expect(try say(11, month(1, mine)) == .recorded(.ignored))
        #expect(try say(12, month(2, nil)) == .recorded(.ignored))
        #expect(try say(13, pack(3)) == .recorded(.ignored))
        #expect(try say(13, pack(3)) == .recorded(.duplicate))
        #expect(try ledger.order(.learn([month(4, mine)])).outcome == .learned(applied: false))
        let later = try ledger.views.storedRows()
        for table in TableName.allCases where ![.notifications, .meta, .alarms].contains(table) {
            #expect(later[table] == rows[table], "\(table)")
        }
        // The token stays that person's.
        let thief = try user("thief")
        #expect(try ledger.order(registration(thief, mine)).outcome == .tokenTaken)
        // Free credits were given once.
        #expect(
            try ledger.order(registration(anna, mine)).outcome
                == .registered(token: mine, created: true, credits: 0)
        )
        #expect(try say(14, month(5, mine)) == .recorded(.applied))
        #expect(try say(15, pack(6)) == .recorded(.applied))
        let account = try #require(try ledger.account(anna))
        #expect(account.subscriptions.count == 2)
        #expect(account.purse.buckets.isEmpty, "a pack credits once")
        try erase(ledger)
        #expect(
            try ledger.order(registration(anna, mine)).outcome
                == .registered(token: mine, created: true, credits: 0)
        )
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `a purchase that another shares stays theirs`() throws {
        let scratch = try Scratch()
        var source = WholeStore.shop()
        source.transferPolicy = .share
        let ledger = try open(scratch.store, source: source)
        try live(ledger)
        let other = try user("user 1")
        try ledger.order(.restore(Restoration(user: other, facts: [month(0, mine)], claimed: [])))
        try erase(ledger)
        let key = month(0, nil).key
        let kept = try #require(try ledger.look { try $0.subscription(of: key) })
        #expect(kept.owner == other && kept.link == other && kept.sharers.isEmpty)
        #expect(!kept.tokens.contains(mine))
        #expect(try ledger.account(other)?.subscriptions == [key])
        ledger.stop()
        try expectClean(scratch.store)
        let rebuilt = try rebuiltRows(scratch.store, in: scratch.path + "/rebuilt")
        #expect(differences(try storedRows(scratch.store), rebuilt) == [])
        for name in [anna.bytes, mine.storedBytes] {
            #expect(try files(holding: name, in: scratch.store + "/journal") == [])
        }
    }
}

extension [UInt8] {
    func holds(_ bytes: [UInt8]) -> Bool {
        withUnsafeBytes { all in
            bytes.withUnsafeBytes { $0.count <= all.count && all.firstPlace(of: $0) != nil }
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func firstPlace(of bytes: UnsafeRawBufferPointer) -> Int? {
        guard let first = bytes.first else { return 0 }
        var place = 0
        while count - place >= bytes.count, let start = baseAddress, let other = bytes.baseAddress {
            let room = count - place - bytes.count + 1
            guard let found = memchr(start + place, Int32(first), room) else { return nil }
            if memcmp(found, other, bytes.count) == 0 { return UnsafeRawPointer(found) - start }
            place = UnsafeRawPointer(found) - start + 1
        }
        return nil
    }
}
