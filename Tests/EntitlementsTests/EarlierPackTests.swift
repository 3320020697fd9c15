import Entitlements
import Fixtures
import Testing

/// Packs of credits that were bought before the catalog named them.
@Suite struct EarlierPackTests {
    private var ledger = MemoryLedger()
    private static let token = Sample.token(1)

    private static func policy(naming packs: [String: Int64]) -> Policy {
        var source = Policy.Source()
        source.creditPacks = packs
        return Policy(source)
    }

    private static let later = policy(naming: ["pack": 10])

    private static func fact(_ id: String, revoked: Moment? = nil) -> Fact {
        var bought = TransactionFact(
            id: id,
            version: Sample.version(revoked == nil ? 0 : 5),
            productID: "pack",
            purchased: Sample.start
        )
        bought.kind = "Consumable"
        bought.token = token
        bought.reason = "PURCHASE"
        bought.revoked = revoked
        return Fact(key: Sample.key(id), transaction: bought)
    }

    private mutating func submit(_ kind: Command.Kind, _ policy: Policy) -> Outcome {
        ledger.submit(kind, at: Sample.after(1), under: policy)
    }

    private var credits: Int64 {
        ledger.accounts[Sample.alice]?.answer.spendable(at: Sample.after(1)) ?? 0
    }

    private mutating func buy() {
        let before = Self.policy(naming: [:])
        _ = submit(Sample.register(Sample.alice, Self.token), before)
        _ = submit(.record(Sample.notification(1, [Self.fact("7")])), before)
        #expect(credits == 0)
    }

    @Test mutating func `it is credited once when the purchase is looked at again`() {
        buy()
        for _ in 0..<3 {
            let again = Command.Kind.learn([Fact(key: Sample.key("7"))])
            #expect(submit(again, Self.later) == .learned(applied: false))
            #expect(credits == 10)
        }
    }

    @Test mutating func `what was bought for good is credited once, however often it is restored`()
    {
        var bought = Self.fact("7")
        bought.transaction?.kind = "Non-Consumable"
        _ = submit(Sample.register(Sample.alice, Self.token), Self.later)
        var copy = Self.fact("9")
        copy.transaction?.kind = "Non-Consumable"
        copy.transaction?.purchased = Sample.after(1)
        for (number, next) in [bought.transaction, copy.transaction].enumerated() {
            let fact = Fact(key: bought.key, transaction: next)
            _ = submit(.record(Sample.notification(UInt64(number) + 1, [fact])), Self.later)
            #expect(credits == 10)
        }
        // A pack is no subscription that a plan lacks.
        let policy = Policy(Self.later.source, numbering: ledger.numbering)
        let decision = ledger.accounts[Sample.alice]
            .map {
                $0.answer.decision(ofCost: 11, at: Sample.after(2), under: policy, sandboxes: [])
            }
        #expect(decision?.shown == .nothing && decision?.reason == .creditsExhausted)
        // However many there are, and whichever of them is kept.
        for number in 0..<40 {
            copy.transaction?.id = "1\(number)0"
            copy.transaction?.purchased = Sample.after(2 + Int64(number))
            let again = Command.Kind.learn([Fact(key: bought.key, transaction: copy.transaction)])
            _ = submit(again, Self.later)
        }
        #expect(credits == 10)
    }

    @Test mutating func `it is credited once when it is shown again, in whatever way`() {
        let fact = Self.fact("7")
        let ways: [Command.Kind] = [
            .record(Sample.notification(2, [fact])),
            .link(Purchase(user: Sample.alice, facts: [fact], claimed: [])),
            .restore(Restoration(user: Sample.alice, facts: [fact], claimed: [])),
            .learn([fact]),
        ]
        for first in ways {
            var test = EarlierPackTests()
            test.buy()
            for way in [first] + ways {
                _ = test.submit(way, Self.later)
                #expect(test.credits == 10)
            }
            #expect(MemoryLedger(replaying: test.ledger.journal).accounts == test.ledger.accounts)
        }
    }

    @Test mutating func `a refunded one credits nothing`() {
        buy()
        let refund = Self.fact("7", revoked: Sample.after(1))
        _ = submit(.record(Sample.notification(2, [refund])), Self.policy(naming: [:]))
        _ = submit(.learn([Fact(key: Sample.key("7"))]), Self.later)
        #expect(credits == 0)
    }
}
