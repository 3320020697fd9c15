import Entitlements
import Fixtures
import Testing

/// A grace period at Google, which shows the end of that in place of the end of what was paid.
@Suite struct GraceEndTests {
    private static let key = SubscriptionKey(
        store: .googlePlay,
        environment: .production,
        originalID: "t"
    )
    private static let policy = {
        var plan = Policy.Plan(name: "paid")
        plan.products = ["google_play:best"]
        plan.creditsPerPeriod = 100
        var source = Policy.Source()
        source.plans = [plan]
        return Policy(source, numbering: Numbering())
    }()

    private var ledger = MemoryLedger()

    init() {
        let register = Sample.register(Sample.alice, Sample.token(1))
        _ = ledger.submit(register, at: Sample.start, under: Self.policy)
    }

    /// A state told on that day; in a grace period the transaction has no end.
    private static func state(
        _ code: StatusCode,
        _ order: String = "GPA.1",
        from begin: Int64 = 0,
        to end: Int64? = nil,
        graceTo grace: Int64? = nil,
        told day: Int64
    ) -> Fact {
        var one = Sample.month(order, at: begin, product: "best", token: Sample.token(1))
        one.expires = end.map { Sample.after($0) }
        one.version = Sample.version(day)
        one.reason = "PURCHASE"
        var renewal = RenewalFact(version: one.version)
        renewal.autoRenew = true
        renewal.graceUntil = grace.map { Sample.after($0) }
        return Fact(
            snapshotOf: key,
            status: StatusFact(version: one.version, code),
            transactions: [one],
            renewal: renewal
        )
    }

    private static let paid = state(.active, to: 30, told: 0)
    private static let inGrace = state(.grace, graceTo: 37, told: 31)
    private static let recovered = state(.active, "GPA.1..0", from: 33, to: 60, told: 33)

    private mutating func learn(_ facts: Fact..., at day: Int64) {
        for fact in facts {
            _ = ledger.submit(.learn([fact]), at: Sample.after(day), under: Self.policy)
        }
    }

    private mutating func charge(_ cost: Int64, at day: Int64) {
        let digest = Sample.digest(UInt64(day))
        let key = IdempotencyKey(user: Sample.alice, digest: digest)
        let charge = Charge(user: Sample.alice, amount: cost, key: key, fingerprint: digest)
        _ = ledger.submit(.charge(charge), at: Sample.after(day), under: Self.policy)
    }

    private func credits(at day: Int64) -> Int64? {
        ledger.accounts[Sample.alice]?.purse.balance(at: Sample.after(day))
    }

    private func decision(at day: Int64) -> Decision? {
        let policy = Policy(Self.policy.source, numbering: ledger.numbering)
        return ledger.accounts[Sample.alice]?.answer
            .decision(ofCost: 1, at: Sample.after(day), under: policy, sandboxes: .all)
    }

    private var era: Era? { ledger.subscriptions[Self.key]?.era(at: Sample.after(32)) }

    @Test mutating func `the end of what was paid stays, and the grace period has its own`() {
        learn(Self.paid, Self.inGrace, at: 31)
        #expect(era?.paidUntil == Sample.after(30) && era?.graceUntil == Sample.after(37))
        #expect(decision(at: 36)?.status == .gracePeriod && decision(at: 36)?.hasAccess == true)
        #expect(decision(at: 37)?.status == .billingRetry)
        #expect(decision(at: 91)?.status == .expired)
    }

    @Test mutating func `a grace period that is told before what was paid has ended moves nothing`()
    {
        learn(Self.paid, Self.state(.grace, graceTo: 37, told: 29), at: 29)
        #expect(era?.paidUntil == Sample.after(30) && era?.graceUntil == Sample.after(37))
        #expect(credits(at: 29) == 100 && credits(at: 30) == 0)
    }

    @Test mutating func `credits that ended with the paid period do not come back in grace`() {
        learn(Self.paid, at: 0)
        charge(60, at: 1)
        #expect(credits(at: 29) == 40 && credits(at: 30) == 0)
        learn(Self.inGrace, Self.state(.grace, graceTo: 40, told: 32), at: 32)
        #expect(credits(at: 32) == 0)
        learn(Self.recovered, at: 33)
        #expect(credits(at: 33) == 100 && credits(at: 60) == 0)
    }

    @Test mutating func `heard of in a grace period first, it gives access and no credits`() {
        learn(Self.inGrace, at: 31)
        #expect(credits(at: 31) == 0)
        #expect(decision(at: 36)?.status == .gracePeriod && decision(at: 36)?.hasAccess == true)
        #expect(era?.paidUntil == Sample.after(31), "by then it had ended")
        #expect(ledger.accounts[Sample.alice]?.answer.flags.contains(.hadSubscription) == true)
        learn(Self.recovered, at: 33)
        #expect(credits(at: 33) == 100)
        // What was paid before is told of late, and is over.
        learn(Self.paid, at: 34)
        #expect(credits(at: 34) == 100)
    }

    @Test func `any order of the states ends in the same purchase`() {
        let facts = [
            Self.state(.pending, told: -1), Self.paid, Self.state(.active, to: 31, told: 2),
            Self.inGrace, Self.state(.grace, graceTo: 40, told: 32),
            Self.state(.retry, to: 40, told: 41),
        ]
        for count in 1...facts.count {
            let told = Array(facts.prefix(count))
            var wanted = Subscription(key: Self.key)
            for fact in told { _ = wanted.merge(fact) }
            for order in Self.orders(of: told) {
                var found = Subscription(key: Self.key)
                for fact in order + order.prefix(2) { _ = found.merge(fact) }
                #expect(found == wanted)
            }
        }
    }

    private static func orders(of facts: [Fact]) -> [[Fact]] {
        guard !facts.isEmpty else { return [[]] }
        return facts.indices.flatMap { place in
            var rest = facts
            let first = rest.remove(at: place)
            return orders(of: rest).map { [first] + $0 }
        }
    }
}
