import Entitlements
import TestSupport
import Testing

@testable import Ledger

/// Accounts that went into others, in the ledger: their past, their restarts, their rows.
struct MergedLifeTests {
    private let scratch: Scratch
    private let guest: UserID
    private let alice: UserID

    init() throws {
        scratch = try Scratch()
        guest = try user("user 5")
        alice = try user("user 6")
    }

    private func opened() throws -> Ledger {
        try open(scratch.store, source: WholeStore.shop(), milestones: .quick)
    }

    private func live(_ ledger: Ledger) throws {
        for number in [5, 6] { try ledger.order(try LedgerTests.registration(number)) }
        let fact = purchase(1, from: 1_750_000_000_000, token: try token(5))
        try ledger.order(notification(1, signed: 1_750_000_000_000, [fact]))
        for name in ["user 5", "user 6"] { try ledger.order(try WholeStore.credits(name)) }
        try ledger.order(try WholeStore.merger("user 5", "user 6"))
        try ledger.order(try WholeStore.refused("user 6"))
    }

    @Test func `the past of each before it is its own, and one has both since`() throws {
        let ledger = try opened()
        try live(ledger)
        try expectPasts(ledger)
        ledger.stop()
        try expectClean(scratch.store)
    }

    /// A past that is kept keeps the ledger.
    private func expectPasts(_ ledger: Ledger) throws {
        let (past, steps) = try ledger.history(of: alice)
        let merger = try #require(steps.first { $0.ends(guest) })
        #expect(past.account?.subscriptions == [key(1)])
        // Three free ones stay once.
        #expect(past.account?.purse.buckets.map(\.amount) == [3, 20])
        let chain = try #require(try ledger.look { try $0.merger(of: guest) })
        #expect(chain.into == alice && chain.seq == merger.seq)
        try ledger.look { reader in
            var before = try reader.past(of: alice)
            while let step = try before.next(), step.seq < merger.seq { try before.takeStep() }
            #expect(before.account?.subscriptions == [])
            #expect(before.account?.purse.buckets.map(\.amount) == [3, 10])
            var guests = try reader.past(of: guest)
            var seqs: [UInt64] = []
            while let step = try guests.next(), step.seq < merger.seq {
                try guests.takeStep()
                seqs.append(step.seq)
            }
            #expect(guests.account?.subscriptions == [key(1)] && seqs.count == 3)
            try guests.takeStep()
            #expect(guests.account == nil)
            #expect(try guests.next() == nil)
        }
    }

    /// The rows of a user, as a dump would bring them.
    private func rows(of user: UserID, _ token: Token, in ledger: Ledger) throws -> [LoadedRow] {
        var account = try #require(try ledger.account(user))
        (account.lastSeq, account.chain) = (0, Chain())
        let names = try ledger.look { try $0.numbering().names }
        return [.account(account, names: names), .token(token, user)]
    }

    @Test func `a dump that is loaded again brings nobody back who is gone`() throws {
        let ledger = try opened()
        for number in [5, 6] { try ledger.order(try LedgerTests.registration(number)) }
        let guests = try rows(of: guest, try token(5), in: ledger)
        let alices = try rows(of: alice, try token(6), in: ledger)
        #expect(try ledger.order(.load(guests + alices)).outcome == .loaded(count: 4))
        try ledger.order(try WholeStore.merger("user 5", "user 6"))
        #expect(try ledger.order(.load(guests)).outcome == .loadRefused(index: 0))
        #expect(try ledger.erase("user 6").get().outcome == .erased(true, formers: [guest]))
        for row in guests + alices {
            #expect(try ledger.order(.load([row])).outcome == .loadRefused(index: 0))
        }
        for user in [guest, alice] { #expect(try ledger.account(user) == nil) }
        // Who registers again is there, and nobody else.
        try ledger.order(try LedgerTests.registration(6))
        #expect(try ledger.order(.load([alices[1]])).outcome == .loaded(count: 1))
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `everything about both is told, each with its own history`() throws {
        let ledger = try opened()
        try live(ledger)
        var told: [(UInt64, UserID)] = []
        try ledger.look { reader in
            try reader.tell(of: alice, after: nil, owning: { [] }) { place, step in
                told.append((place.seq, step.user))
                return true
            }
        }
        #expect(Set(told.filter { $0.1 == guest }.map(\.0)) == [1, 3, 4])
        #expect(Set(told.filter { $0.1 == alice }.map(\.0)) == [2, 5, 6])
        ledger.stop()
    }

    @Test func `rebuilt and restarted it is the same, and the old id stays gone`() throws {
        var ledger = try opened()
        try live(ledger)
        ledger.stop()
        let rebuilt = try rebuiltRows(scratch.store, in: scratch.path + "/rebuilt")
        #expect(differences(try storedRows(scratch.store), rebuilt) == [])
        ledger = try opened()
        #expect(try ledger.account(guest) == nil)
        let again = try ledger.order(try LedgerTests.registration(5)).outcome
        #expect(again == .conflict(.merged))
        let repeated = try ledger.order(try WholeStore.merger("user 5", "user 6")).outcome
        guard case .merged(_, replayed: true) = repeated else {
            Issue.record("\(repeated)")
            return
        }
        ledger.stop()
        try expectClean(scratch.store)
    }
}
