import Chance
import Entitlements
import Fixtures
import Foundation
import Testing

/// Random stories against the core and against books that share nothing with it.
struct CreditStoryTests {
    /// Steps of every story; `ENTITLD_CREDIT_STEPS` sets another number.
    private static let steps =
        ProcessInfo.processInfo.environment["ENTITLD_CREDIT_STEPS"].flatMap { Int($0) } ?? 20_000
    private static let start: Int64 = 1_772_000_000_000

    @Test(arguments: 0..<8)
    func `core and books agree after every step, and on what is to come`(round: Int) {
        let seed = Seed.told(round: round)
        var random = SplitMix64(seed: seed)
        let freeCredits = Int64(random.pick(0..<4))
        let owes = round % 2 == 0
        let source = CreditClerk.source(freeCredits: freeCredits, owesRefunds: owes)
        var stage = Stage(
            policy: Policy(source),
            books: CreditModel(
                users: CreditStory<SplitMix64>.users,
                freeCredits: freeCredits,
                owesRefunds: owes
            ),
            clerk: CreditClerk(bought: Self.start - 1_000_000)
        )
        var story = CreditStory(random)
        var now = Self.start
        for step in 0..<Self.steps {
            now += story.pause()
            let asked = story.step(at: now)
            let difference = stage.difference(asked, at: now, looking: story.outlook()) {
                story.made($0)
            }
            if let difference {
                Issue.record("seed \(seed), step \(step), \(asked): \(difference)")
                return
            }
        }
    }

    private struct Stage {
        var ledger = MemoryLedger()
        var policy: Policy
        var books: CreditModel
        var clerk: CreditClerk

        /// What differs after a step, in answers, purses, readers' sums, and a moment to come.
        mutating func difference(
            _ step: CreditStep,
            at now: Int64,
            looking outlook: Int64?,
            _ made: (CreditAnswer) -> Void
        ) -> String? {
            let wanted = books.perform(step, at: now)
            let kind = clerk.command(step)
            let outcome = ledger.submit(kind, at: Moment(now), under: policy)
            // A plan that was given has a number from now on.
            if case .granted = outcome {
                policy = Policy(policy.source, numbering: ledger.numbering)
            }
            let met = clerk.answer(outcome)
            made(met)
            if met != wanted { return "\(met), not \(wanted)" }
            guard books.isLawful else { return "the books do not add up: \(books)" }
            if let difference = difference(from: books, at: now) { return difference }
            guard let outlook else { return nil }
            var future = books
            future.pass(to: now + outlook)
            return difference(from: future, at: now + outlook)
                .map { "\(outlook) ms later: \($0)" }
        }

        private func difference(from books: CreditModel, at now: Int64) -> String? {
            for user in 0..<CreditStory<SplitMix64>.users {
                let account = ledger.accounts[CreditClerk.user(user)]
                guard let difference = Self.difference(account, books, user, at: now) else {
                    continue
                }
                return "u\(user): \(difference)"
            }
            return nil
        }

        private static func difference(
            _ account: Account?,
            _ books: CreditModel,
            _ user: Int,
            at now: Int64
        ) -> String? {
            let (purse, moment) = (account?.purse ?? Purse(), Moment(now))
            let settled = purse.settled(at: moment)
            let piles = settled.buckets.map {
                CreditModel.Pile(
                    source: $0.source,
                    until: $0.until.milliseconds,
                    amount: $0.amount
                )
            }
            if piles != books.piles(user) { return "\(piles), not \(books.piles(user))" }
            if settled.debt != books.debt(user) { return "owes \(settled.debt)" }
            let balance = books.balance(user)
            let (exact, flat) = (purse.balance(at: moment), account?.answer.spendable(at: moment))
            if exact != balance || flat ?? 0 != balance {
                return "spendable \(exact), flat \(flat ?? 0), not \(balance)"
            }
            let held = purse.held(at: moment)
            return held == books.held(user) ? nil : "held \(held), not \(books.held(user))"
        }
    }
}
