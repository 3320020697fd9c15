import Entitlements
import Glibc
import TestSupport
import Testing

@testable import Ledger

/// App transactions that gave free credits: what outlives the person that they were shown for.
struct AppTransactionTests {
    private func shop() -> Policy.Source {
        var source = WholeStore.shop()
        source.freeCreditsOnce = .appTransaction
        return source
    }

    private func credits(_ ledger: Ledger, _ number: Int, showing shown: UInt64?) throws -> Int64 {
        let order =
            try shown.map { try registration(number, showing: $0) } ?? registration(number)
        guard case .registered(_, _, let credits) = try ledger.order(order).outcome else {
            Issue.record("not registered")
            return -1
        }
        return credits
    }

    private func erase(_ ledger: Ledger, _ number: Int) throws {
        let order = ErasureOrder(user: try user("user \(number)"), secret: HashKey(3, 4))
        #expect(try ledger.order(.erase(order)).outcome == .erased(true))
        try ledger.finishErasures()
    }

    @Test func `who is erased leaves the mark behind, and nobody gets credits by it again`() throws
    {
        let scratch = try Scratch()
        var ledger = try open(scratch.store, source: shop(), milestones: .quick)
        #expect(try credits(ledger, 1, showing: 5) == 3)
        #expect(try credits(ledger, 2, showing: nil) == 0)
        try erase(ledger, 1)
        try erase(ledger, 2)
        ledger.stop()
        try expectClean(scratch.store)
        let rebuilt = try rebuiltRows(scratch.store, in: scratch.path + "/rebuilt")
        #expect(differences(try storedRows(scratch.store), rebuilt) == [])
        ledger = try open(scratch.store, source: shop(), milestones: .quick)
        #expect(try credits(ledger, 3, showing: 5) == 0, "another, with the same app transaction")
        #expect(try credits(ledger, 1, showing: 6) == 0, "the same person, with another")
        #expect(try credits(ledger, 2, showing: 7) == 3, "who never had any")
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `rows that are loaded elsewhere bar there what they barred here`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store, source: shop())
        #expect(try credits(ledger, 1, showing: 5) == 3)
        #expect(try credits(ledger, 2, showing: nil) == 0)
        let other = try open(scratch.path + "/other", source: shop())
        var loaded: [LoadedRow] = []
        try ledger.look { reader in
            let names = try reader.numbering().names
            for table in [TableName.accounts, .appTransactions] {
                for row in try reader.rows(of: table, count: 10) {
                    switch row.value {
                    case .account(var account):
                        account.lastSeq = 0
                        account.chain = Chain()
                        loaded.append(.account(account, names: names))
                    case .appTransaction(let mark, let shown):
                        loaded.append(.appTransaction(mark, shown))
                    default: Issue.record("\(row)")
                    }
                }
            }
        }
        #expect(loaded.count == 3)
        for _ in 0..<2 {
            #expect(try other.order(.load(loaded)).outcome == .loaded(count: 3))
        }
        let changed = LoadedRow.appTransaction(AppTransactionMark(Digest128(7, 5)), Moment(1))
        #expect(try other.order(.load([changed])).outcome == .loadRefused(index: 0))
        #expect(try credits(other, 3, showing: 5) == 0)
        #expect(try credits(other, 2, showing: 6) == 3, "who waited there waits here")
        ledger.stop()
        other.stop()
        try expectClean(scratch.path + "/other")
    }

    @Test func `a pruned journal keeps them in its base, and views made anew from it have them`()
        throws
    {
        let scratch = try Scratch()
        let hands = HandClock()
        func opened() throws -> Ledger {
            try open(scratch.store, clock: hands.clock, source: shop(), segmentBytesMax: 4_096)
        }
        var ledger = try opened()
        #expect(try credits(ledger, 1, showing: 5) == 3)
        for number in 10..<60 { try ledger.order(try registration(number)) }
        try ledger.checkpointer.settle()
        hands.advance(day)
        try ledger.order(try registration(60))
        try ledger.checkpointer.settle()
        guard case .pruned = try ledger.prune(olderThan: Moment(hands.wall), reserveBytes: 0) else {
            Issue.record("nothing was pruned")
            return
        }
        try erase(ledger, 1)
        ledger.stop()
        try expectClean(scratch.store)
        unlink(scratch.store + "/data.mdb")
        ledger = try opened()
        #expect(try credits(ledger, 2, showing: 5) == 0)
        #expect(try credits(ledger, 10, showing: 6) == 3, "who waited before the border")
        ledger.stop()
        try expectClean(scratch.store)
    }
}
