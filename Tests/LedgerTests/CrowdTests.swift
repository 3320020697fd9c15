import Chance
import Entitlements
import Journal
import Synchronization
import TestSupport
import Testing

@testable import Ledger

/// Whatever a command reads was laid on its desk: with more tokens, transactions, sharers and packs
/// than one record keeps, on the daemon's own tables.
///
/// Where something was not laid, this process ends by a signal.
struct CrowdTests {
    @Test(arguments: 0..<4) func `more of everything than is kept traps nothing`(
        _ round: Int
    ) throws {
        let scratch = try Scratch()
        let hands = HandClock()
        var maker = try StreamMaker(
            random: .told(),
            hands: hands,
            crowd: .many
        )
        maker.erases = round % 2 == 1
        var source = maker.source()
        // The first round shares and never moves, so that there are as many sharers as can be.
        if round == 0 {
            source.transferPolicy = .share
            (maker.merges, maker.moves) = (false, false)
        }
        let stream = Stream(maker, batches: 60, countMax: 80)
        let failures = Notebook<LedgerFailure>()
        var bench: WriterBench? = try WriterBench(
            scratch.store,
            clock: hands.clock,
            source: source,
            checkpoints: .often,
            limits: .init()
        )
        let gaveUp = bench?
            .run { said in
                for case .failure(let failure) in said { failures.note(failure) }
                return stream.next(said)
            }
        #expect(gaveUp == nil)
        #expect(failures.notes == [])
        bench = nil
        try expectClean(scratch.store)
        try expectHistories(in: scratch.store, source)
        if round == 0 { try expectFull(scratch.store, source) }
    }

    /// Each user's history, absorbed from its beginning, ends with what the views say.
    private func expectHistories(in store: String, _ source: Policy.Source) throws {
        let ledger = try open(store, source: source)
        defer { ledger.stop() }
        try ledger.look { reader in
            for row in try reader.rows(of: .accounts, count: 12) {
                guard case .account(let account) = row.value else { continue }
                let (past, _) = try reader.history(of: account.user)
                #expect(past.account?.purse == account.purse, "\(account.user)")
                #expect(past.account?.subscriptions == account.subscriptions, "\(account.user)")
            }
        }
    }

    /// The records are as full as they can be, or this test says nothing.
    private func expectFull(_ store: String, _ source: Policy.Source) throws {
        let ledger = try open(store, source: source)
        defer { ledger.stop() }
        let all = try ledger.look { try $0.rows(of: .subscriptions, count: 100) }
            .compactMap { row -> Subscription? in
                guard case .subscription(let subscription) = row.value else { return nil }
                return subscription
            }
        #expect(all.contains { $0.tokens.count == Limits.tokensKeptMax })
        #expect(all.contains { $0.tokensKnown.count > Limits.tokensKeptMax + 1 })
        #expect(all.contains { $0.transactions.count == Limits.transactionsKeptMax })
        #expect(all.contains { $0.sharers.count > Limits.sharersMax / 2 })
    }

    @Test func `the newest transaction, shown again without its token, leaves an older token`()
        throws
    {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        let now: Int64 = 1_750_000_000_000
        try ledger.order(try registration(0))
        func fact(_ number: Int, signed: Int64, _ token: Token?) -> Fact {
            var transaction = TransactionFact(
                id: "\(9_000 + number)",
                version: Version(signed: Moment(signed), digest: digest(number)),
                productID: "pro.monthly",
                purchased: Moment(now + Int64(number) * day)
            )
            transaction.expires = Moment(now + Int64(number + 30) * day)
            transaction.kind = "Auto-Renewable Subscription"
            transaction.token = token
            return Fact(key: key(1), transaction: transaction)
        }
        // The smallest token on the oldest transaction; more of them than are remembered.
        let count = Limits.tokensKeptMax + 1
        for number in 0..<count {
            let told = fact(number, signed: now, try token(number))
            try ledger.order(notification(number, signed: now, [told]))
        }
        for number in (1..<count).reversed() {
            let bare = fact(number, signed: now + 1, nil)
            let outcome = try ledger.order(notification(100 + number, signed: now + 1, [bare]))
                .outcome
            #expect(outcome == .recorded(.applied))
        }
        #expect(try ledger.look { try $0.subscription(of: key(1)) }?.owner == user("user 0"))
        ledger.stop()
        try expectClean(scratch.store)
    }
}
