import Chance
import Entitlements

/// A random life of a few purchases in three stores, told by whole states, withdrawals and signed
/// documents.
struct StoreStory {
    static let products = ["basic", "plus", "best"]
    /// How accounts call them, by the stores that sell them.
    static let productNames =
        products
        + [Store.googlePlay, .stripe].flatMap { store in products.map { "\(store.name):\($0)" } }

    let seed: UInt64
    /// Whether every answer of a store says all that the store knows then, as real ones do: whose
    /// the purchase is, and since when.
    let isComplete: Bool
    var facts: [Fact] = []
    let users = [Sample.alice, Sample.bob]
    let tokens = [Sample.token(1), Sample.token(2)]
    private(set) var keys: [SubscriptionKey] = []
    private var random: SplitMix64
    private var versions: UInt64 = 0
    /// The day on which the purchase that is told of began, and whose it is.
    private var begun: Int64 = 0
    private var owner: Token?

    /// A story of this seed; where the answers of its stores are complete, it has all three stores.
    init(seed: UInt64, isComplete: Bool = false) {
        self.seed = seed
        self.isComplete = isComplete
        random = SplitMix64(seed: seed)
        let stores: [Store] = [.googlePlay, .stripe, .appStore, .googlePlay]
        let count = random.pick(1..<5)
        for (number, store) in stores.prefix(isComplete ? max(count, 3) : count).enumerated() {
            let environment: StoreEnvironment = random.isOne(in: 4) ? .sandbox : .production
            let id = "p\(number)"
            keys.append(SubscriptionKey(store: store, environment: environment, originalID: id))
        }
        for key in keys { tell(key) }
    }

    static var policy: Policy {
        var source = Policy.Source()
        source.environments = [.production, .sandbox]
        source.plans = zip(products, 1...)
            .map { product, rank in
                var plan = Policy.Plan(name: product)
                plan.rank = Int64(rank)
                plan.products = [product]
                plan.unlimited = rank > 1 ? ["render"] : []
                return plan
            }
        return Policy(source, numbering: Numbering(names: productNames))
    }

    private mutating func version(_ day: Int64) -> Version {
        versions += 1
        // Several states of one moment, as a store with seconds has them.
        return Version(signed: Sample.after(day), digest: Sample.digest(versions))
    }

    /// What a sweep is told at the end: the newest state of each purchase, all withdrawals, whose
    /// the store says it is, and every document.
    var swept: [Fact] {
        keys.flatMap { key in
            let told = facts.filter { $0.key == key }
            guard key.store != .appStore else { return told }
            // They are told in the order of their versions.
            let newest = told.last { $0.status != nil }
            return told.filter { $0.status == nil } + [newest].compactMap { $0 }
        }
    }

    private mutating func tell(_ key: SubscriptionKey) {
        if key.store == .appStore { return tellDocuments(of: key) }
        var day = Int64(random.pick(0..<40))
        (begun, owner) = (day, random.isOne(in: 3) ? nil : random.pick(tokens))
        for period in 0..<random.pick(1..<6) {
            for _ in 0..<random.pick(1..<4) {
                facts.append(state(of: key, period, from: day))
                if random.isOne(in: 4) { facts.append(withdrawal(of: key, period, at: day)) }
            }
            if random.isOne(in: 6) {
                var named = Fact(key: key)
                named.user = UserFact(user: random.pick(users), version: version(day))
                // Where a token says it, the store names nobody else.
                if !isComplete || owner == nil { facts.append(named) }
            }
            day += Int64(random.pick(1..<40))
        }
        guard key.store == .googlePlay, let former = keys.first(where: { $0.store == .googlePlay }),
            former != key, former.environment == key.environment
        else { return }
        // Until it is paid it takes nothing's place; perhaps it never is.
        let told = facts.indices.filter { facts[$0].key == key && facts[$0].status != nil }
            .sorted { lower, upper in
                guard let one = facts[lower].status, let other = facts[upper].status else {
                    return false
                }
                return one.version < other.version
            }
        let isAgain = random.isOne(in: 3)
        for place in told.dropFirst(random.pick(0..<told.count + 1)) {
            facts[place].transaction?.terms.previousOriginalID = former.originalID
        }
        // Bought again outside the app: its token is that of the one before, in every state
        // and of every item.
        guard isAgain else { return }
        for place in told {
            facts[place].transaction?.reason = TransactionFact.resubscription
            for item in facts[place].items.indices {
                facts[place].items[item].reason = TransactionFact.resubscription
            }
        }
    }

    private mutating func state(of key: SubscriptionKey, _ period: Int, from day: Int64) -> Fact {
        var code = random.pick(StatusCode.allCases)
        // What was paid once does not wait for the first payment again.
        if isComplete, code == .pending, facts.contains(where: { $0.key == key }) { code = .active }
        // A real store never speaks of an earlier period once it has spoken of a later one.
        let later = Int64(random.pick(0..<30))
        let version = version(isComplete ? day : day + later)
        var one = TransactionFact(
            id: "\(key.originalID)..\(period)",
            version: version,
            productID: random.pick(Self.products),
            purchased: Sample.after(day)
        )
        one.kind = TransactionFact.renewingKind
        one.reason = period == 0 ? "PURCHASE" : "RENEWAL"
        if code != .pending { one.expires = Sample.after(day + Int64(random.pick(0..<35))) }
        if random.isOne(in: 3) { one.token = random.pick(tokens) }
        if random.isOne(in: 8) { one.revoked = Sample.after(day + 3) }
        if isComplete {
            (one.token, one.revoked) = (owner, nil)
            if key.store == .googlePlay { one.purchased = Sample.after(begun) }
        }
        var renewal = RenewalFact(version: version)
        renewal.autoRenew = random.isOne(in: 4) ? nil : random.chance()
        let mayFollowGrace = key.store == .googlePlay && [.retry, .expired].contains(code)
        if code == .grace || mayFollowGrace, random.chance() {
            renewal.graceUntil = Sample.after(day + 40)
            // Google names the end of the grace period alone, also behind it, so that a sweep does
            // not tell all.
            if key.store == .googlePlay, !isComplete { one.expires = nil }
        }
        var transactions = [one]
        if random.isOne(in: 4) {
            var item = one
            item.id += ":item"
            item.productID = random.pick(Self.products)
            item.expires = one.expires?.advanced(byMilliseconds: Sample.day)
            transactions.append(item)
        }
        return Fact(
            snapshotOf: key,
            status: StatusFact(version: version, code, word: "\(code)"),
            transactions: transactions,
            renewal: renewal,
            renewalDisabled: random.isOne(in: 3) ? Sample.after(day + 1) : nil
        )
    }

    private mutating func withdrawal(of key: SubscriptionKey, _ period: Int, at day: Int64) -> Fact
    {
        var fact = Fact(key: key)
        // Google never takes a refund back.
        let isTakenBack = random.isOne(in: 3) && key.store != .googlePlay
        fact.revocations = [
            RevocationFact(
                transactionID: "\(key.originalID)..\(random.pick(0..<period + 1))",
                version: version(day + Int64(random.pick(0..<30))),
                revoked: isTakenBack ? nil : Sample.after(day + 5)
            )
        ]
        return fact
    }

    private mutating func tellDocuments(of key: SubscriptionKey) {
        var day = Int64(random.pick(0..<20))
        for period in 0..<random.pick(1..<4) {
            var one = Sample.month("1\(period)", at: day, product: random.pick(Self.products))
            one.version = version(day)
            if random.isOne(in: 2) { one.token = random.pick(tokens) }
            var renewal = RenewalFact(version: version(day))
            renewal.autoRenew = random.chance()
            let status = StatusFact(version: version(day), code: 1)
            facts.append(Fact(key: key, transaction: one, renewal: renewal, status: status))
            day += 30
        }
    }
}
