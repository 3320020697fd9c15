import Entitlements
import Fixtures
import Testing

/// Non-renewing subscriptions: for as many days as the catalog says.
@Suite struct DatingTests {
    private var ledger = MemoryLedger()
    private static let token = Sample.token(1)

    init() {
        _ = ledger.submit(
            Sample.register(Sample.alice, Self.token),
            at: Sample.start,
            under: Self.policy(30)
        )
    }

    private static func policy(_ days: Int64?, credits: Int64 = 0) -> Policy {
        var plan = Policy.Plan(name: "paid")
        plan.products = ["pass"]
        plan.unlimited = ["render"]
        plan.creditsPerPeriod = credits
        if let days { plan.days = ["pass": days] }
        var source = Policy.Source()
        source.plans = [plan]
        return Policy(source, numbering: Numbering(names: ["pass"]))
    }

    private static func pass(_ id: String, at days: Int64 = 0) -> Fact {
        var bought = TransactionFact(
            id: id,
            version: Sample.version(days),
            productID: "pass",
            purchased: Sample.after(days)
        )
        bought.kind = "Non-Renewing Subscription"
        bought.token = token
        return Fact(key: Sample.key(id), transaction: bought)
    }

    private mutating func buy(_ id: String, at days: Int64 = 0, under policy: Policy) {
        let notice = Sample.notification(UInt64(id) ?? 0, [Self.pass(id, at: days)])
        _ = ledger.submit(.record(notice), at: Sample.after(days), under: policy)
    }

    private func nextChange(_ days: Int64, _ policy: Policy) -> Moment? {
        ledger.accounts[Sample.alice]?.answer
            .decision(ofCost: 1, at: Sample.after(days), under: policy, sandboxes: .all)
            .nextChange
    }

    @Test func `no two flags of an account are one bit`() {
        let flags: [AccountFlags] = [
            .hadSubscription, .everCredited, .registered, .awaitsAppTransaction, .dated,
        ]
        #expect(Set(flags).count == flags.count)
        let all = flags.reduce(AccountFlags()) { $0.union($1) }
        #expect(flags.reduce(0) { $0 + $1.rawValue } == all.rawValue)
    }

    @Test mutating func `another catalog judges anew what was bought, and touches no account`() {
        buy("1", under: Self.policy(nil))
        #expect(nextChange(1, Self.policy(nil)) == nil)
        #expect(nextChange(1, Self.policy(30)) == Sample.after(30))
        #expect(nextChange(1, Self.policy(90)) == Sample.after(90))
        let account = ledger.accounts[Sample.alice]
        #expect(account?.alarm(after: Sample.after(1), under: Self.policy(90)) == Sample.after(90))
        #expect(account?.turns(at: Sample.after(90), under: Self.policy(90)) == true)
        #expect(account?.turns(at: Sample.after(90), under: Self.policy(30)) == false)
    }

    @Test mutating func `the credits of passes move with their days`() {
        buy("1", under: Self.policy(30, credits: 5))
        buy("2", under: Self.policy(30, credits: 5))
        let ends = { (ledger: MemoryLedger) in
            ledger.accounts[Sample.alice]?.purse.open(at: Sample.after(2)).map(\.until)
        }
        #expect(ends(ledger) == [Sample.after(30), Sample.after(60)])
        let policy = Self.policy(10, credits: 5)
        for id in ["1", "2"] {
            let again = Command.Kind.learn([Fact(key: Sample.key(id))])
            _ = ledger.submit(again, at: Sample.after(2), under: policy)
        }
        #expect(ends(ledger) == [Sample.after(10), Sample.after(20)])
    }

    @Test
    mutating func `of passes that are refunded in part before they are heard of the rest counts`() {
        var fact = Self.pass("1")
        fact.transaction?.quantity = 3
        fact.transaction?.version = Sample.version(2)
        fact.transaction?.revoked = Sample.after(2)
        fact.transaction?.terms.revocationPercentage = 33_333
        let notice = Sample.notification(1, [fact])
        let policy = Self.policy(30, credits: 5)
        _ = ledger.submit(.record(notice), at: Sample.after(3), under: policy)
        let account = ledger.accounts[Sample.alice]
        #expect(account?.purse.balance(at: Sample.after(3)) == 10)
        #expect(account?.answer.spendable(at: Sample.after(3)) == 10)
    }

    @Test mutating func `whoever buys a pass a day keeps that of today`() {
        let policy = Self.policy(1)
        for day in 0..<300 { buy("\(1_000 + day)", at: Int64(day), under: policy) }
        let account = ledger.accounts[Sample.alice]
        #expect(account?.answer.slots.count == Limits.datedSlotsMax)
        #expect(nextChange(299, policy) == Sample.after(300))
        // An old one that is told again stays where it is.
        let again = Sample.notification(9, [Self.pass("1000")])
        _ = ledger.submit(.record(again), at: Sample.after(299), under: policy)
        #expect(ledger.accounts[Sample.alice]?.answer == account?.answer)
        #expect(MemoryLedger(replaying: ledger.journal).accounts == ledger.accounts)
    }

    @Test func `several products that were bought once with one purchase hold side by side`() {
        var plans: [Policy.Plan] = []
        for name in ["paid", "premium"] {
            var plan = Policy.Plan(name: name)
            plan.products = ["stripe:\(name)"]
            plan.unlimited = name == "paid" ? ["render"] : ["export"]
            plan.rank = name == "paid" ? 1 : 2
            plans.append(plan)
        }
        var source = Policy.Source()
        source.plans = plans
        source.creditPacks = ["stripe:pack": 10]
        source.creditsPayFor = []
        let key = SubscriptionKey(store: .stripe, environment: .production, originalID: "cs_1")
        func gives(_ products: [String]) -> [String: Bool] {
            var ledger = MemoryLedger()
            let items = products.enumerated()
                .map { place, product in
                    var one = TransactionFact(
                        id: "pi_1:\(place)",
                        version: Sample.version(0),
                        productID: product,
                        purchased: Sample.start.advanced(byMilliseconds: -Int64(place))
                    )
                    one.kind = TransactionFact.oneTimeKind
                    return one
                }
            let bought = Fact(
                snapshotOf: key,
                status: StatusFact(version: Sample.version(0), .active),
                transactions: items,
                user: UserFact(user: Sample.alice, version: Sample.version(0))
            )
            let policy = { Policy(source, numbering: ledger.numbering) }
            _ = ledger.submit(
                .record(Sample.notification(1, [bought])),
                at: Sample.after(1),
                under: policy()
            )
            let answer = ledger.accounts[Sample.alice]?.answer.dated(under: policy())
            let now = Sample.after(2)
            let showing = answer?.showing(at: now, policy(), .all)
            let current = answer?.slots.indices.filter { answer?.isCurrent($0, at: now) == true }
            let numbers = current?.compactMap { answer?.slots[$0].product } ?? []
            let plans = Set(numbers.map { policy().plan(ofNumber: $0) })
            return [
                "render": showing?.render != nil,
                "premium": plans.contains { place in
                    let all = policy().plans
                    return all.indices.contains(place) && all[place].name == "premium"
                },
            ]
        }
        #expect(gives(["pack", "paid"]) == ["render": true, "premium": false])
        #expect(gives(["paid", "pack"]) == ["render": true, "premium": false])
        #expect(gives(["unknown", "paid"]) == ["render": true, "premium": false])
        #expect(gives(["paid", "premium"]) == ["render": true, "premium": true])
        #expect(gives(["premium", "paid"]) == ["render": true, "premium": true])
    }

    @Test
    mutating func `a journal of before gives such purchases nothing until they are looked at`() {
        buy("1", under: Self.policy(30))
        let older = ledger.journal.filter { entry in
            if case .dated = entry.event { false } else { true }
        }
        var old = MemoryLedger(replaying: older)
        #expect(old.accounts[Sample.alice]?.answer.slots.isEmpty == true)
        #expect(old.numbering.names.isEmpty)
        let again = Command.Kind.learn([Fact(key: Sample.key("1"))])
        _ = old.submit(again, at: Sample.after(1), under: Self.policy(30))
        let answer = old.accounts[Sample.alice]?.answer
        #expect(answer?.flags.contains(.dated) == true)
        #expect(answer?.judgement(1, Sample.after(1), Self.policy(30), .all).canRender == true)
    }

    @Test(arguments: [
        (33_333, 3, 1), (66_666, 3, 2), (66_667, 3, 2), (14_285, 7, 1), (50_000, 2, 1),
        (100_000, 1, 1),
    ])
    func `a share is whole items where the store can mean nothing else`(
        share: Int64,
        quantity: Int64,
        items: Int64
    ) {
        var bought = Self.pass("1").transaction
        bought?.quantity = quantity
        bought?.revoked = Sample.after(1)
        bought?.terms.revocationPercentage = share
        #expect(bought?.unitsLeft == quantity - items)
        bought?.terms.revocationPercentage = share - 2 * quantity
        #expect(bought?.unitsLeft == 0)
        // Where the store does not take access back, a part of the money takes whole items alone.
        bought?.kind = TransactionFact.oneTimeKind
        #expect(bought?.unitsLeft == quantity - items + 1)
        bought?.terms.revocationPercentage = share
        #expect(bought?.unitsLeft == quantity - items)
    }
}
