import Chance
import Entitlements
import Fixtures
import TestSupport
import Testing

@testable import Ledger

/// Random stories about credits on a ledger on disk, against books that share nothing with it.
///
/// Answers are compared step by step, purses batch by batch: what is asked together is decided in
/// as few groups as can be.
@Suite(.serialized) struct CreditLedgerTests {
    private static let batches = 320
    private static let batchMax = 96

    @Test(arguments: [(false, 0), (true, 0), (true, 40)])
    func `ledger and books agree, and the journal makes the same views`(
        owes: Bool,
        daysAhead: Int64
    ) throws {
        let random = SplitMix64.told()
        let scratch = try Scratch()
        let hands = HandClock()
        let source = CreditClerk.source(freeCredits: 3, owesRefunds: owes)
        try scratch.beAhead(of: hands, days: daysAhead)
        var ledger = try open(
            scratch.store,
            clock: hands.clock,
            source: source,
            allowsClockBehind: true
        )
        var books = CreditModel(
            users: CreditStory<SplitMix64>.users,
            freeCredits: 3,
            owesRefunds: owes
        )
        var clerk = CreditClerk(bought: hands.wall - 1_000_000)
        var story = CreditStory(random)
        var (chance, steps) = (random, 0)
        for batch in 0..<Self.batches {
            hands.advance(story.pause() * 8)
            let asked = (0..<chance.pick(1..<Self.batchMax))
                .map { _ in story.step(at: hands.wall) }
            let said = try ledger.orderTogether(asked.map { clerk.command($0) })
            for (step, said) in zip(asked, said) {
                let wanted = books.perform(step, at: hands.wall)
                let met = clerk.answer(try said.get().outcome)
                story.made(met)
                steps += 1
                try #require(met == wanted, "step \(steps), batch \(batch): \(step)")
            }
            try #require(books.isLawful)
            try expectAlike(ledger, books, hands.wall, "batch \(batch)")
            // Leases return with a restart; the books are told.
            guard chance.pick(0..<60) == 0 else { continue }
            ledger.stop()
            for number in books.leases {
                _ = books.perform(.disconnect(reservation: number), at: hands.wall)
            }
            ledger = try open(scratch.store, clock: hands.clock, source: source)
            // A later command waits behind those that return the leases.
            _ = try ledger.order(clerk.command(.release(reservation: 0)))
            try expectAlike(ledger, books, hands.wall, "restart after batch \(batch)")
        }
        print("\(steps) steps in \(Self.batches) batches, to position \(ledger.figures.seq)")
        ledger.stop()
        try expectClean(scratch.store)
    }

    private func expectAlike(
        _ ledger: Ledger,
        _ books: CreditModel,
        _ now: Int64,
        _ when: String
    ) throws {
        for number in 0..<CreditStory<SplitMix64>.users {
            let user = CreditClerk.user(number)
            let (account, answer) = try ledger.look {
                (try $0.account(of: user), try $0.answer(of: user))
            }
            let purse = (account?.purse ?? Purse()).settled(at: Moment(now))
            let piles = purse.buckets.map {
                CreditModel.Pile(
                    source: $0.source,
                    until: $0.until.milliseconds,
                    amount: $0.amount
                )
            }
            let what = "u\(number), \(when)"
            try #require(piles == books.piles(number), "\(what)")
            try #require(purse.held(at: Moment(now)) == books.held(number), "\(what)")
            try #require(purse.debt == books.debt(number), "\(what)")
            try #require(
                answer?.spendable(at: Moment(now)) ?? 0 == books.balance(number),
                "\(what)"
            )
        }
    }
}
