import Entitlements
import Fixtures
import Testing

/// Free credits for each account, or for each app transaction.
@Suite struct FreeCreditsTests {
    /// A registration of somebody, and the credits that there are after it.
    private struct Step {
        var user = Sample.alice
        /// The number of the app transaction shown; nil for none.
        var shown: UInt64?
        var environment = StoreEnvironment.production
        var rule = Policy.FreeCreditsOnce.appTransaction
        var free: Int64 = 3
        let credits: Int64
    }

    private static func mark(_ number: UInt64) -> AppTransactionMark {
        AppTransactionMark(Digest128(0, number))
    }

    private static func play(_ steps: [Step]) -> MemoryLedger {
        var ledger = MemoryLedger()
        for (place, step) in steps.enumerated() {
            var source = Policy.Source()
            source.freeCredits = step.free
            source.freeCreditsOnce = step.rule
            source.environments = [.production, .sandbox]
            source.sandboxAccess = .listed([Sample.bob])
            let shown = step.shown.map {
                AppTransaction(environment: step.environment, mark: $0 == 0 ? nil : mark($0))
            }
            let token = Sample.token(step.user == Sample.alice ? 1 : 2)
            let outcome = ledger.submit(
                .register(Registration(user: step.user, token: token, showing: shown)),
                at: Sample.after(Int64(place)),
                under: Policy(source)
            )
            guard case .registered(_, _, step.credits) = outcome else {
                Issue.record("step \(place): \(outcome)")
                continue
            }
        }
        let replayed = MemoryLedger(replaying: ledger.journal)
        #expect(replayed.accounts == ledger.accounts)
        #expect(replayed.appTransactions == ledger.appTransactions)
        return ledger
    }

    @Test func `they come with the first app transaction that is shown, and once for each`() {
        let ledger = Self.play([
            Step(credits: 0), Step(shown: 1, credits: 3), Step(shown: 1, credits: 3),
            Step(shown: 2, credits: 3), Step(user: Sample.bob, shown: 1, credits: 0),
            // What counts for somebody is the first that they show.
            Step(user: Sample.bob, shown: 3, credits: 0),
        ])
        #expect(ledger.appTransactions.keys.count == 3)
        #expect(ledger.accounts[Sample.alice]?.answer.flags == [.registered, .everCredited])
        #expect(ledger.accounts[Sample.bob]?.answer.flags == [.registered])
    }

    @Test func `one shown at once gives them at once, and what repeats writes nothing`() {
        let steps = [Step(shown: 1, credits: 3), Step(shown: 1, credits: 3), Step(credits: 3)]
        let ledger = Self.play(steps)
        #expect(Set(ledger.journal.map(\.seq)) == [1])
    }

    @Test func `one without an id, or of a sandbox that lets the user not in, is not counted`() {
        let ledger = Self.play([
            Step(shown: 0, credits: 0), Step(shown: 1, environment: .sandbox, credits: 0),
            Step(shown: 2, credits: 3),
            Step(user: Sample.bob, shown: 1, environment: .sandbox, credits: 3),
        ])
        #expect(Set(ledger.appTransactions.keys) == [Self.mark(2), Self.mark(1)])
    }

    @Test func `where they are given for each account, what is shown is remembered all the same`() {
        _ = Self.play([
            Step(rule: .account, credits: 3), Step(shown: 1, rule: .account, credits: 3),
            Step(shown: 1, credits: 3), Step(user: Sample.bob, shown: 1, credits: 0),
        ])
        // Whoever had them does not wait for more when the rule changes.
        _ = Self.play([Step(rule: .account, credits: 3), Step(shown: 1, credits: 3)])
        // Whoever waits goes on waiting, and keeps what they show for then.
        _ = Self.play([
            Step(credits: 0), Step(shown: 1, rule: .account, credits: 0),
            Step(shown: 1, credits: 3),
        ])
    }

    @Test func `a catalog without free credits uses up no app transaction`() {
        let ledger = Self.play([
            Step(shown: 1, free: 0, credits: 0), Step(user: Sample.bob, shown: 1, credits: 3),
        ])
        #expect(ledger.accounts[Sample.alice]?.answer.flags == [.registered])
    }
}
