import Entitlements
import Fixtures
import Testing

/// A purchase that came back from an original id of somebody who is erased.
@Suite struct ErasedHeirTests {
    @Test func `a period that came back stays with whom it is when the other one is erased`() {
        var ledger = MemoryLedger()
        let policy = Policy(Policy.Source())
        func submit(_ kind: Command.Kind, onDay day: Int64) -> Outcome {
            ledger.submit(kind, at: Sample.after(day), under: policy)
        }
        func tell(
            _ id: String,
            as original: String,
            from former: String?,
            _ token: UInt64,
            onDay day: Int64
        ) {
            var bought = Sample.month(id, at: 0, token: Sample.token(token))
            bought.version = Sample.version(day)
            bought.reason = "PURCHASE"
            bought.terms.previousOriginalID = former
            let fact = Fact(key: Sample.key(original), transaction: bought)
            let notice = Sample.notification(UInt64(day + 1), [fact])
            _ = submit(.record(notice), onDay: day)
        }
        func givesAccess(onDay day: Int64) -> Bool {
            ledger.accounts[Sample.alice]?.answer
                .decision(
                    ofCost: 1,
                    at: Sample.after(day),
                    under: policy,
                    sandboxes: policy.sandboxes(of: Sample.alice)
                )
                .hasAccess ?? false
        }
        _ = submit(Sample.register(Sample.alice, Sample.token(1)), onDay: 0)
        _ = submit(Sample.register(Sample.bob, Sample.token(2)), onDay: 0)
        tell("1", as: "1", from: nil, 1, onDay: 0)
        tell("50", as: "50", from: "1", 2, onDay: 4)
        #expect(!givesAccess(onDay: 4))
        tell("2", as: "1", from: "50", 1, onDay: 9)
        #expect(givesAccess(onDay: 9))
        let order = ErasureOrder(user: Sample.bob, secret: HashKey(1, 2))
        #expect(submit(.erase(order), onDay: 10) == .erased(true))
        #expect(givesAccess(onDay: 10))
        let replayed = MemoryLedger(replaying: ledger.journal)
        #expect(replayed.accounts == ledger.accounts)
    }
}
