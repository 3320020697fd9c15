import Chance
import Entitlements

/// A story of 20 to 60 facts about one to three subscriptions, with the users whose tokens they
/// carry: what a storefront and app servers could tell, in the order in which it happened.
package struct RandomStory {
    /// In milliseconds.
    package static let day: Int64 = 86_400_000
    /// Everything that is sold.
    package static let products = ["basic", "premium", "yearly", "unknown"]

    /// The facts, each as often as it was told.
    package private(set) var facts: [Fact] = []
    /// What else happens: registrations and links.
    package private(set) var others: [Command.Kind] = []
    /// The users of the tokens that are ever claimed.
    package private(set) var owners: [Token: UserID] = [:]
    /// What happens before everything else: links of those whose purchase somebody repeats later.
    package private(set) var openings: [Command.Kind] = []
    /// The users of purchases that an app server shows, and when what is shown was bought.
    package private(set) var links: [SubscriptionKey: (user: UserID, at: Moment)] = [:]
    /// Everybody.
    package let users: [UserID]
    /// Every token.
    package let tokens: [Token]
    /// Every subscription.
    package private(set) var keys: [SubscriptionKey] = []
    /// The rules it is judged by.
    package let source: Policy.Source

    private var random: SplitMix64

    /// The story of this number.
    package init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        users = (0..<random.pick(1..<4)).compactMap { UserID("user \($0)") }
        tokens = (0..<random.pick(1..<7)).compactMap { Token(high: 7 &* UInt64($0 + 1), low: 1) }
        source = Self.source(&random)
        self.random = random
        claimTokens()
        // Some are one long life, with more transactions than are kept.
        let isLong = self.random.isOne(in: 12)
        let count = isLong ? 1 : self.random.pick(1..<4)
        let target =
            isLong
            ? self.random.pick(40..<61)
            : 20 + self.random.pick(0..<self.random.pick([10, 15, 20, 40]) + 1)
        for index in 0..<count {
            let environment: StoreEnvironment = self.random.isOne(in: 4) ? .sandbox : .production
            let key = SubscriptionKey(
                store: .appStore,
                environment: environment,
                originalID: "\(1000 * (index + 1))"
            )
            keys.append(key)
            live(key, until: target * (index + 1) / count, isLong: isLong)
        }
    }

    private static func source(_ random: inout SplitMix64) -> Policy.Source {
        var source = Policy.Source()
        source.environments = random.isOne(in: 3) ? [.production] : [.production, .sandbox]
        if random.isOne(in: 6) { source.sandboxAccess = .none }
        source.billingRetryAccess = random.isOne(in: 3)
        source.graceFallbackMilliseconds = random.isOne(in: 2) ? 3 * day : 0
        source.lateRenewalMilliseconds = random.isOne(in: 2) ? day / 2 : 0
        source.freeCredits = random.isOne(in: 2) ? 2 : 0
        guard !random.isOne(in: 3) else { return source }
        var basic = Policy.Plan(name: "basic")
        basic.products = ["basic"]
        basic.unlimited = random.isOne(in: 3) ? [] : ["render"]
        var premium = Policy.Plan(name: "premium")
        premium.rank = random.isOne(in: 4) ? 1 : 2
        premium.products = ["premium", "yearly"]
        premium.unlimited = ["render"]
        source.plans = [basic, premium]
        return source
    }

    private mutating func claimTokens() {
        for token in tokens where !random.isOne(in: 4) {
            let user = random.pick(users)
            owners[token] = user
            others.append(.register(Registration(user: user, token: token)))
        }
    }

    /// One subscription's life, until `target` facts are there in all.
    private mutating func live(_ key: SubscriptionKey, until target: Int, isLong: Bool) {
        let claimed = tokens.filter { owners[$0] != nil }
        var life = Life(key: key, random: random, tokens: tokens, claimed: claimed, isLong: isLong)
        while facts.count + life.facts.count < target {
            life.period(isLong: isLong)
        }
        random = life.random
        facts += life.facts
        guard !life.hasTokens, random.isOne(in: 2), let first = life.facts[0].transaction else {
            return
        }
        // Whoever has it before the others has it with a period, in whatever order they buy.
        if life.changesHands, !first.namesPeriod { return }
        let user = random.pick(users)
        links[key] = (user, first.purchased)
        let fact = Fact(key: key, transaction: first)
        let link = Command.Kind.link(Purchase(user: user, facts: [fact], claimed: []))
        if life.changesHands { openings.append(link) } else { others.append(link) }
    }
}

/// The life of one subscription, period by period.
private struct Life {
    let key: SubscriptionKey
    let hasTokens: Bool
    /// Whether it is shared with them by somebody of their family: theirs never has a token.
    private let isShared: Bool
    /// Whether receipts are shown beside what is signed.
    private let hasReceipts: Bool
    /// From which period on somebody with a token of their own buys; nil for never.
    private let handsFrom: Int?
    var random: SplitMix64
    private(set) var facts: [Fact] = []

    private let tokens: [Token]
    private let claimed: [Token]
    private var clock: Int64
    private var lastSigned: Int64
    private var count = 0
    private var autoRenew = true
    /// Where the next period begins instead of at the end of this one.
    private var movedTo: Int64?

    init(
        key: SubscriptionKey,
        random: SplitMix64,
        tokens: [Token],
        claimed: [Token],
        isLong: Bool
    ) {
        self.key = key
        self.random = random
        self.tokens = tokens
        self.claimed = claimed
        clock = 1_750_000_000_000 + Int64(self.random.pick(0..<100)) * RandomStory.day
        lastSigned = clock
        let (isNamed, mayShare) = (!self.random.isOne(in: 3), self.random.isOne(in: 3))
        let mayShow = self.random.isOne(in: 2)
        let from = self.random.pick(2..<5)
        let mayChange = self.random.isOne(in: 2)
        hasTokens = isNamed
        isShared = mayShare && !isNamed
        hasReceipts = mayShow && !isLong
        let changes = mayChange && !claimed.isEmpty && !isShared
        handsFrom = changes && !hasTokens ? from : nil
    }

    /// Whether somebody buys later what is another's.
    var changesHands: Bool { handsFrom.map { $0 <= count } ?? false }

    /// One period: bought or renewed, then what may happen in it.
    mutating func period(isLong: Bool) {
        count += 1
        let days = random.pick([7, 30, 30, 30, 90, 365])
        var bought = TransactionFact(
            id: String(100 + count),
            version: version(at: clock - (count > 1 ? random.pick([0, 1, 20]) * 3_600_000 : 0)),
            productID: random.pick(RandomStory.products),
            purchased: Moment(clock)
        )
        bought.expires = Moment(clock + Int64(days) * RandomStory.day)
        bought.kind = "Auto-Renewable Subscription"
        if count == 1, random.isOne(in: 3) { bought.id = key.originalID }
        bought.reason = random.pick(["PURCHASE", "RENEWAL", "RENEWAL", nil])
        if random.isOne(in: count == 1 ? 3 : 9) {
            bought.offerType = count == 1 ? 1 : random.pick([1, 2, 3, 4])
            bought.offerDiscount = random.isOne(in: 3) ? "PAY_AS_YOU_GO" : "FREE_TRIAL"
        }
        if random.isOne(in: 20) {
            bought.expires = nil
            bought.kind = random.isOne(in: 2) ? "Non-Consumable" : "Consumable"
        }
        if hasTokens, !random.isOne(in: 3) { bought.token = random.pick(tokens) }
        if isShared {
            bought.ownership = "FAMILY_SHARED"
        } else if random.isOne(in: 6) {
            let payments = Int64(random.pick(0..<3) * days) * RandomStory.day
            let end = bought.expires?.advanced(byMilliseconds: payments)
            bought.terms.commitment = Commitment(period: 1, periods: 12, price: nil, expires: end)
        }
        if let handsFrom, count >= handsFrom, count == handsFrom || random.isOne(in: 3) {
            bought.token = random.pick(claimed)
            bought.reason = "PURCHASE"
        }
        movedTo = nil
        tell(bought, status: 1)
        if !isLong { happenings(in: &bought) }
        if let movedTo {
            clock = movedTo
        } else if let expires = bought.expires, !bought.isUpgraded {
            clock = expires.milliseconds
        }
        // Some come back after a lapse, some renew on the minute.
        if random.isOne(in: 5) { clock += Int64(random.pick(1..<100)) * RandomStory.day }
    }

    private mutating func happenings(in bought: inout TransactionFact) {
        let length = (bought.expires?.milliseconds ?? clock + RandomStory.day) - clock
        for _ in 0..<random.pick(0..<4) {
            let moment = clock + Int64(random.pick(0..<11)) * length / 10
            switch random.pick(isShared ? 0..<12 : 0..<10) {
            case 0:
                autoRenew.toggle()
                tell(again(bought, at: moment), status: 1)
            case 1:
                var refunded = again(bought, at: moment)
                refunded.revoked = Moment(moment)
                if random.isOne(in: 3) { refunded.terms.revocationPercentage = 40_000 }
                tell(refunded, status: random.pick([5, 5, 1, 2]))
                if random.isOne(in: 2) { tell(again(bought, at: moment + 5), status: 1) }
            case 2:
                bought.isUpgraded = true
                tell(again(bought, at: moment), status: 1)
                clock = moment
            case 3:
                let end = clock + length
                let grace = random.isOne(in: 3) ? nil : Moment(end + 6 * RandomStory.day)
                let isSaid = !random.isOne(in: 3)
                tell(again(bought, at: end), status: 4, isRetrying: isSaid, grace: grace)
                if random.isOne(in: 2) {
                    tell(again(bought, at: end + 9), status: 3, isRetrying: true)
                }
            case 4: tell(again(bought, at: clock + length), status: 3, isRetrying: true)
            case 5:
                if hasTokens { bought.token = random.isOne(in: 4) ? nil : random.pick(tokens) }
                tell(again(bought, at: moment), status: 1)
            case 6:
                bought.expires = bought.expires?.advanced(byMilliseconds: RandomStory.day)
                tell(again(bought, at: moment), status: 1)
            case 7: tell(again(bought, at: clock + length), status: 2)
            case 8: announce(after: bought, at: clock + length)
            case 10, 11: unshare(&bought, at: moment)
            default: tell(again(bought, at: moment), status: random.pick([1, 9]))
            }
        }
    }

    /// The family shares it no more, and some share it again.
    private mutating func unshare(_ bought: inout TransactionFact, at moment: Int64) {
        var revoked = again(bought, at: moment)
        revoked.revoked = Moment(moment)
        revoked.terms.revocationType = "FAMILY_REVOKE"
        tell(revoked, status: 5)
        guard let expires = bought.expires, random.isOne(in: 2) else { return }
        count += 1
        bought.id = String(100 + count)
        let next = min(moment + Int64(random.pick(1..<48)) * 3_600_000, expires.milliseconds)
        bought.purchased = Moment(next)
        tell(again(bought, at: next), status: 1)
    }

    /// A renewal is announced, and then refunded before it begins, or something else is bought.
    private mutating func announce(after bought: TransactionFact, at end: Int64) {
        guard movedTo == nil, end - clock > RandomStory.day else { return }
        let hour: Int64 = 3_600_000
        count += 1
        var announced = bought
        announced.id = String(100 + count)
        announced.purchased = Moment(end)
        announced.expires = Moment(end + 30 * RandomStory.day)
        announced.isUpgraded = false
        announced.reason = "RENEWAL"
        tell(again(announced, at: end - 20 * hour), status: 1)
        if random.isOne(in: 2) {
            announced.revoked = Moment(end - 15 * hour)
            tell(again(announced, at: end - 15 * hour), status: random.pick([5, 1]))
        }
        movedTo = random.isOne(in: 3) ? end : end - 10 * hour
        if movedTo != end, announced.revoked == nil, random.isOne(in: 2) {
            // The store's history says that what was bought in between has replaced it.
            announced.isUpgraded = true
            tell(again(announced, at: end + hour), status: 1)
            return
        }
        guard random.isOne(in: 3) else { return }
        announced.revoked = Moment(end + hour)
        tell(again(announced, at: end + hour), status: 1)
    }

    /// The same transaction, signed again.
    private mutating func again(_ fact: TransactionFact, at moment: Int64) -> TransactionFact {
        var fact = fact
        fact.version = version(at: moment)
        return fact
    }

    /// A version signed at `moment`, or at the very time of the one before.
    private mutating func version(at moment: Int64) -> Version {
        if !random.isOne(in: 5) { lastSigned = moment }
        let digest = Digest256(random.next() % 4, random.next(), 0, 0)
        return Version(signed: Moment(lastSigned), digest: digest)
    }

    private mutating func tell(
        _ transaction: TransactionFact,
        status: Int64,
        isRetrying: Bool = false,
        grace: Moment? = nil
    ) {
        var fact = Fact(key: key, transaction: transaction)
        if !random.isOne(in: 5) {
            var renewal = RenewalFact(version: version(at: lastSigned))
            renewal.autoRenew = random.isOne(in: 10) ? nil : autoRenew
            renewal.isInBillingRetry = isRetrying
            renewal.graceUntil = grace
            if transaction.terms.commitment != nil {
                // Apple always says both.
                renewal.autoRenew = autoRenew
                renewal.terms.commitmentRenews = random.isOne(in: 3) ? nil : random.isOne(in: 2)
            }
            fact.renewal = renewal
        }
        if !random.isOne(in: 4) {
            fact.status = StatusFact(version: version(at: lastSigned), code: status)
        }
        if !autoRenew, random.isOne(in: 2) { fact.renewalDisabled = Moment(lastSigned) }
        facts.append(fact)
        if hasReceipts, random.isOne(in: 4) { showReceipt(of: transaction) }
    }

    /// A receipt says less than what is signed, and as of its own time.
    private mutating func showReceipt(of transaction: TransactionFact) {
        var told = again(transaction, at: lastSigned + Int64(random.pick([0, 1, 9])))
        // Some devices have an id of their own for what was bought elsewhere.
        if random.isOne(in: 4) { told.id = "9" + told.id }
        told.token = nil
        told.reason = nil
        told.ownership = ""
        told.terms = .ofReceipt
        let isTrial = told.offerType == 1 && told.offerDiscount == "FREE_TRIAL"
        if !isTrial { (told.offerType, told.offerDiscount) = (nil, nil) }
        facts.append(Fact(key: key, transaction: told))
    }
}
