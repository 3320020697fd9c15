import Chance
import Entitlements
import Fixtures
import Testing

/// Credits of the items of one subscription at Stripe, whose transactions are called after the
/// newest invoice.
@Suite struct ItemPeriodTests {
    private var ledger = MemoryLedger()
    private static let key = SubscriptionKey(
        store: .stripe,
        environment: .production,
        originalID: "sub_1"
    )
    private static let credits: [String: Int64] = ["year": 1000, "month": 50, "better": 2000]
    private static let policy = {
        var source = Policy.Source()
        source.plans = credits.sorted { $0.key < $1.key }
            .map { name, credits in
                var plan = Policy.Plan(name: name)
                plan.products = ["stripe:prod_\(name)", "stripe:price_\(name)_again"]
                plan.creditsPerPeriod = credits
                return plan
            }
        return Policy(source, numbering: Numbering())
    }()

    init() { register(Sample.alice) }

    private mutating func register(_ user: UserID) {
        _ = ledger.submit(Sample.register(user, Sample.token(1)), at: day(0), under: Self.policy)
    }

    /// One item as a state names it; `plain` is in a plan without credits.
    private struct Item {
        let name: String
        var product: String?
        let from: Int64
        var to: Int64
    }

    private static let year = Item(name: "year", from: 0, to: 365)

    private static func month(_ number: Int64, _ name: String = "month", from: Int64 = 0) -> Item {
        Item(name: name, from: from + 30 * number, to: from + 30 * number + 30)
    }

    private func day(_ number: Int64) -> Moment { Sample.after(number) }

    /// Tells a state, in which the first item is called after the invoice alone.
    private mutating func tell(
        _ items: [Item],
        _ invoice: String,
        at day: Int64,
        _ code: StatusCode = .active
    ) {
        let version = Sample.version(day)
        let transactions = items.enumerated()
            .map { place, item in
                var one = TransactionFact(
                    id: place > 0 ? "\(invoice):si_\(item.name)" : invoice,
                    version: version,
                    productID: "prod_\(item.product ?? item.name)",
                    purchased: self.day(item.from)
                )
                one.expires = self.day(item.to)
                one.kind = TransactionFact.renewingKind
                one.terms.variant = "price_\(item.name)"
                one.token = Sample.token(1)
                return one
            }
        let fact = Fact(
            snapshotOf: Self.key,
            status: StatusFact(version: version, code, word: "\(code)"),
            transactions: transactions
        )
        _ = ledger.submit(.learn([fact]), at: self.day(day), under: Self.policy)
    }

    private mutating func refund(_ transactions: [String], at day: Int64) {
        var fact = Fact(key: Self.key)
        fact.revocations = transactions.map {
            RevocationFact(
                transactionID: $0,
                version: Sample.version(day),
                revoked: self.day(day)
            )
        }
        _ = ledger.submit(.learn([fact]), at: self.day(day), under: Self.policy)
    }

    private mutating func charge(_ cost: Int64, at day: Int64) {
        let charge = Charge(
            user: Sample.alice,
            amount: cost,
            key: IdempotencyKey(user: Sample.alice, digest: Sample.digest(1)),
            fingerprint: Sample.digest(1)
        )
        _ = ledger.submit(.charge(charge), at: self.day(day), under: Self.policy)
    }

    private func balance(at day: Int64) -> Int64? {
        ledger.accounts[Sample.alice]?.purse.balance(at: self.day(day))
    }

    /// What can be spent, and until when.
    private func buckets(at day: Int64) -> [Int64: Int64] {
        let open = ledger.accounts[Sample.alice]?.purse.open(at: self.day(day)) ?? []
        let start = self.day(0).milliseconds
        let found = open.map { (($0.until.milliseconds - start) / Sample.day, $0.amount) }
        return Dictionary(found, uniquingKeysWith: +)
    }

    /// More states than past transactions are kept.
    @Test(arguments: [false, true], ["month", "plain"])
    mutating func `an item keeps its credits through every invoice of another one`(
        isFirst: Bool,
        name: String
    ) {
        let year = Item(name: "year", from: 0, to: 3650)
        for number in 0..<Int64(60) {
            let other = Self.month(number, name, from: 1)
            let items = isFirst ? [year, other] : [other, year]
            tell(items, "in_\(number)", at: other.from)
            // Something changes that makes no invoice, and something that makes one.
            tell(items, "in_\(number)", at: other.from + 3)
            tell(items, "in_\(number)_change", at: other.from + 5)
            if number == 1 { charge(20, at: other.from + 6) }
            // What ends first is spent first.
            let spent: Int64 = name == "plain" && number > 0 ? 20 : number == 1 ? 20 : 0
            let own = Self.credits[name] ?? 0
            #expect(balance(at: other.from + 7) == 1000 + own - spent, "\(number)")
        }
    }

    @Test(arguments: [false, true])
    mutating func `items that begin together end each by itself`(isFirst: Bool) {
        func items(_ number: Int64) -> [Item] {
            isFirst ? [Self.year, Self.month(number)] : [Self.month(number), Self.year]
        }
        tell(items(0), "in_1", at: 0)
        #expect(buckets(at: 1) == [365: 1000, 30: 50])
        tell(items(0), "in_2", at: 5)
        #expect(buckets(at: 6) == [365: 1000, 30: 50])
        #expect(buckets(at: 31) == [365: 1000])
        tell(items(1), "in_3", at: 30)
        #expect(buckets(at: 31) == [365: 1000, 60: 50])
        tell(items(1), "in_4", at: 40)
        #expect(buckets(at: 41) == [365: 1000, 60: 50])
        // The invoice of the first period was paid back, of which nothing but the year is left.
        refund(isFirst ? ["in_1", "in_4"] : ["in_1", "in_4:si_year"], at: 41)
        #expect(buckets(at: 42) == [60: 50])
    }

    /// Which one is removed, which one is first, and whether they began together.
    @Test(arguments: ["year", "month", "plain"], [(false, 0), (false, 1), (true, 0), (true, 1)])
    mutating func `an item that is removed takes its own credits, and no others`(
        name: String,
        _ row: (isFirst: Bool, from: Int64)
    ) {
        let (isFirst, from) = row
        let other = Self.month(0, name == "plain" ? "plain" : "month", from: from)
        let both = isFirst ? [Self.year, other] : [other, Self.year]
        tell(both, "in_1", at: from)
        let own = Self.credits[other.name] ?? 0
        #expect(balance(at: from + 1) == 1000 + own)
        let left = both.filter { $0.name != name }
        tell(left, "in_2", at: 10)
        let wanted = name == "year" ? own : 1000
        #expect(balance(at: 11) == wanted)
        // Nothing brings it back.
        tell(left, "in_3", at: 12)
        tell(left, "in_3", at: 13)
        #expect(balance(at: 14) == wanted)
    }

    /// Without an invoice the item behind the first one gets the name of that one.
    @Test(arguments: ["month", "plain"])
    mutating func `an item that is removed without an invoice takes its own credits`(name: String) {
        let other = Self.month(0, name)
        tell([Self.year, other], "in_1", at: 0)
        tell([other], "in_1", at: 10)
        #expect(balance(at: 11) == Self.credits[name] ?? 0)
        tell([other], "in_2", at: 12)
        #expect(balance(at: 13) == Self.credits[name] ?? 0)
    }

    /// As for a subscription of one item, what was given stays until the end.
    @Test(arguments: ["in_1", "in_2"], [nil, "month", "plain"])
    mutating func `another price within the period gives nothing again, and takes nothing`(
        invoice: String,
        name: String?
    ) {
        for isFirst in [true, false] {
            var test = ItemPeriodTests()
            test.changePrice(isFirst: isFirst, invoice, beside: name)
        }
    }

    private mutating func changePrice(isFirst: Bool, _ invoice: String, beside name: String?) {
        func items(_ year: Item) -> [Item] {
            guard let name else { return [year] }
            return isFirst ? [year, Self.month(0, name)] : [Self.month(0, name), year]
        }
        tell(items(Self.year), "in_1", at: 0)
        let before = balance(at: 1)
        let better = Item(name: "better", from: 0, to: 365)
        tell(items(better), invoice, at: 10)
        #expect(balance(at: 11) == before)
        tell(items(better), "in_3", at: 12)
        #expect(balance(at: 13) == before)
        #expect(balance(at: 364) == 1000)
        #expect(balance(at: 366) == 0)
    }

    @Test mutating func `an item that is added within a period gives with the next one`() {
        tell([Self.year], "in_1", at: 0)
        tell([Self.year, Self.month(0)], "in_2", at: 5)
        #expect(balance(at: 6) == 1000)
        tell([Self.year, Self.month(1)], "in_3", at: 30)
        #expect(buckets(at: 31) == [365: 1000, 60: 50])
    }

    @Test mutating func `a plan that two items name gives once, until the later end`() {
        let again = Item(name: "year_again", product: "year", from: 0, to: 30)
        tell([again, Self.year], "in_1", at: 0)
        #expect(buckets(at: 1) == [365: 1000])
    }

    /// Sellers may name an old plan as they like.
    @Test mutating func `of a long price the end is remembered`() {
        let names = ["a", "b"].map { String(repeating: "x", count: 250) + $0 }
        let items = names.map { Item(name: $0, product: "month", from: 0, to: 30) }
        tell(items + [Self.year], "in_1", at: 0)
        #expect(balance(at: 1) == 1050)
        let own = ledger.packs.keys.map(\.transactionID).filter { $0.contains("x") }
        #expect(own.map { $0.drop { $0 != "x" }.utf8.count } == [Limits.itemNameBytesMax])
    }

    @Test mutating func `a renewal that is not paid takes its own credits`() {
        let unpaid = Item(name: "month", from: 30, to: 30)
        tell([Self.year, Self.month(0)], "in_1", at: 0)
        // Stripe calls it active for an hour, before it charges the card.
        tell([Self.year, Self.month(1)], "in_2", at: 30)
        #expect(buckets(at: 30) == [365: 1000, 60: 50])
        tell([Self.year, unpaid], "in_2", at: 31, .grace)
        #expect(buckets(at: 32) == [365: 1000])
        tell([Self.year, Self.month(1)], "in_2", at: 33)
        #expect(buckets(at: 34) == [365: 1000, 60: 50])
    }

    /// A release before gave the credits of all items as one, under the key of the first.
    @Test mutating func `what was spent of a period that is not paid comes back with it alone`() {
        let unpaid = Item(name: "month", from: 30, to: 30)
        tell([Self.month(1)], "in_2", at: 30)
        charge(20, at: 30)
        tell([unpaid], "in_2", at: 31, .grace)
        let reversal = Reversal(
            user: Sample.alice,
            key: IdempotencyKey(user: Sample.alice, digest: Sample.digest(2)),
            fingerprint: Sample.digest(2),
            charge: IdempotencyKey(user: Sample.alice, digest: Sample.digest(1))
        )
        _ = ledger.submit(.reverse(reversal), at: day(32), under: Self.policy)
        #expect(balance(at: 32) == 0)
        tell([Self.month(1)], "in_2", at: 33)
        #expect(balance(at: 33) == 50)
    }

    @Test(arguments: ["year", "month"])
    mutating func `what was given for all items together is not given again`(name: String) {
        let whole = PackKey.period(of: Self.key, from: day(0))
        let former = Pack(
            user: Sample.alice,
            source: "period:stripe:prod_\(name):price_\(name)",
            amount: 1050,
            period: 7,
            from: day(0),
            until: day(name == "year" ? 365 : 30)
        )
        _ = ledger.submit(.load([.pack(whole, former)]), at: day(1), under: Self.policy)
        tell([Self.year, Self.month(0)], "in_1", at: 2)
        tell([Self.year, Self.month(0)], "in_2", at: 3)
        #expect(ledger.packs == [whole: former])
        #expect(balance(at: 4) == 0)
        tell([Self.year, Self.month(1)], "in_3", at: 30)
        #expect(balance(at: 31) == 50)
    }

    /// Renewals, invoices for something else, states that are told again, items that are removed
    /// and come back with a period of their own.
    @Test func `whatever happens to items, what is there has its credits`() {
        let seed = Seed.told()
        for number in 0..<UInt64(200) {
            var random = SplitMix64(seed: seed &+ number)
            var test = ItemPeriodTests()
            var items: [Item] = []
            var (now, invoice) = (Int64(0), 0)
            for step in 0..<40 {
                now += Int64(random.pick(1..<12))
                let isRenewed = items.contains { $0.to <= now }
                for place in items.indices where items[place].to <= now {
                    let (name, length) = (items[place].name, items[place].to - items[place].from)
                    items[place] = Item(name: name, from: now, to: now + length)
                }
                let missing = ["year", "month", "plain"]
                    .filter { name in
                        !items.contains { $0.name == name }
                    }
                var isChanged = isRenewed || random.isOne(in: 3)
                if items.isEmpty || !missing.isEmpty && random.isOne(in: 4), !isRenewed {
                    let name = random.pick(missing)
                    let item = Item(name: name, from: now, to: now + (name == "year" ? 100 : 30))
                    items.insert(item, at: random.pick(0..<items.count + 1))
                    isChanged = true
                } else if items.count > 1, random.isOne(in: 6) {
                    items.remove(at: random.pick(0..<items.count))
                    isChanged = true
                }
                if isChanged { invoice += 1 }
                test.tell(items, "in_\(invoice)", at: now)
                let wanted = items.reduce(Int64(0)) { $0 + (Self.credits[$1.name] ?? 0) }
                guard test.balance(at: now) == wanted else {
                    Issue.record("seed \(seed &+ number), step \(step): not \(wanted)")
                    return
                }
            }
        }
    }
}
