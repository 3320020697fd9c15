import Chance
import Entitlements

/// Subscriptions that give credits, passes for a number of days, and packs of credits: what a store
/// tells of them, in the order in which it happened, with the plain rules of what they are worth.
///
/// Shares no code with the core: a list of periods, a list of passes, and a sum.
struct PurchaseStory {
    static let day: Int64 = 86_400_000
    static let products = ["basic", "premium", "week", "month", "gold"]
    static let credits: [String: Int64] = ["basic": 10, "premium": 50, "gold": 7]
    static let trialCredits: [String: Int64] = ["premium": 3]
    static let days: [String: Int64] = ["week": 7, "month": 30, "gold": 10]

    /// A paid period as it ends up.
    struct Period {
        var credits: Int64
        var from: Int64
        var until: Int64
    }

    /// A pass as it ends up; refunded items are left out.
    struct Pass {
        let product: String
        let at: Int64
        var items: Int64
        let bought: Int64
    }

    private(set) var facts: [Fact] = []
    private(set) var periods: [Period] = []
    private(set) var passes: [Pass] = []
    /// What all packs give, less what was refunded.
    private(set) var packCredits: Int64 = 0
    /// Short words for what is in it.
    private(set) var traits: Set<String> = []
    let start: Int64 = 1_750_000_000_000
    private(set) var end: Int64
    private let token: Token
    private var random: SplitMix64
    private var numbers = 100

    init(seed: UInt64, token: Token) {
        random = SplitMix64(seed: seed)
        self.token = token
        end = start
        for number in 0..<random.pick(0..<3) { subscribe(number) }
        for _ in 0..<random.pick(periods.isEmpty ? 1..<5 : 0..<4) { buyPass() }
        for _ in 0..<random.pick(0..<3) { buyPack() }
        end = facts.compactMap(\.transaction).map(\.version.signed.milliseconds).max() ?? start
    }

    static var source: Policy.Source {
        var source = Policy.Source()
        var basic = Policy.Plan(name: "basic")
        basic.products = ["basic", "week", "month"]
        basic.creditsPerPeriod = 10
        basic.unlimited = ["render"]
        var premium = Policy.Plan(name: "premium")
        premium.rank = 2
        premium.products = ["premium"]
        premium.creditsPerPeriod = 50
        premium.creditsInTrial = 3
        var gold = Policy.Plan(name: "gold")
        gold.rank = 3
        gold.products = ["gold"]
        gold.creditsPerPeriod = 7
        basic.days = days.filter { $0.key != "gold" }
        gold.days = days.filter { $0.key == "gold" }
        source.plans = [basic, premium, gold]
        source.creditPacks = ["coins": 6]
        return source
    }

    /// The catalog before it named any pack.
    static var earlierSource: Policy.Source {
        var earlier = source
        earlier.creditPacks = [:]
        return earlier
    }

    /// What the credits of a pass are: those of its plan.
    static func credits(of pass: Pass) -> Int64 {
        (pass.product == "gold" ? 7 : 10) * pass.items
    }

    /// When each pass begins and ends: of one plan one after the other.
    var spans: [(pass: Pass, from: Int64, until: Int64)] {
        var spans: [(pass: Pass, from: Int64, until: Int64)] = []
        for isGold in [false, true] {
            var free = Int64.min
            let line = passes.enumerated()
                .filter { ($0.element.product == "gold") == isGold && $0.element.items > 0 }
                .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            for (_, pass) in line {
                let from = max(free, pass.at)
                free = from + pass.items * (Self.days[pass.product] ?? 0) * Self.day
                spans.append((pass, from, free))
            }
        }
        return spans
    }

    /// What can be spent at a moment, if nothing was.
    func balance(at moment: Int64) -> Int64 {
        var sum = packCredits
        for period in periods where period.from <= moment && moment < period.until {
            sum += period.credits
        }
        for span in spans where span.pass.at <= moment && moment < span.until {
            sum += Self.credits(of: span.pass)
        }
        return sum
    }

    /// Whether a pass gives access at a moment.
    func hasPass(at moment: Int64) -> Bool {
        spans.contains { $0.from <= moment && moment < $0.until }
    }

    /// Every moment at which something changes.
    var moments: [Int64] {
        Set(
            periods.flatMap { [$0.from, $0.until] }
                + spans.flatMap { [$0.pass.at, $0.from, $0.until] }
        )
        .sorted()
    }

    private mutating func number() -> Int {
        numbers += 1
        return numbers
    }

    private func key(_ id: String) -> SubscriptionKey {
        SubscriptionKey(store: .appStore, environment: .production, originalID: id)
    }

    private mutating func tell(_ transaction: TransactionFact, _ id: String, at moment: Int64) {
        var told = transaction
        told.version = Version(
            signed: Moment(moment),
            digest: Digest256(0, 0, random.next(), random.next())
        )
        told.token = token
        facts.append(Fact(key: key(id), transaction: told))
        if random.isOne(in: 4) { showReceipt(of: told, id, at: moment) }
    }

    /// A receipt says the same as of a moment later, but nothing of whose it is, of an offer that
    /// is no trial, or of a part that was refunded.
    private mutating func showReceipt(of told: TransactionFact, _ id: String, at moment: Int64) {
        guard told.terms.revocationPercentage == nil else { return }
        traits.insert("receipt")
        var shown = told
        shown.version = Version(
            signed: Moment(moment + 1),
            digest: Digest256(0, 0, random.next(), random.next())
        )
        shown.token = nil
        shown.terms = .ofReceipt
        facts.append(Fact(key: key(id), transaction: shown))
    }

    // MARK: subscriptions

    private mutating func subscribe(_ place: Int) {
        let id = "\(1 + place)000"
        var clock = start + Int64(random.pick(0..<40)) * Self.day
        var product = random.pick(["basic", "premium"])
        var ends = clock
        let count = random.pick(1..<6)
        for number in 0..<count {
            let length = random.pick([7, 30, 30]) * Self.day
            var paid = TransactionFact(
                id: "\(self.number())",
                version: Version(signed: Moment(clock), digest: Digest256(0, 0, 0, 0)),
                productID: product,
                purchased: Moment(clock)
            )
            paid.kind = "Auto-Renewable Subscription"
            paid.expires = Moment(clock + length)
            let isTrial = number == 0 && random.isOne(in: 4)
            if isTrial {
                (paid.offerType, paid.offerDiscount) = (1, "FREE_TRIAL")
                traits.insert("trial")
            }
            // Only what follows a whole period can have been announced before.
            let isEarly = number > 0 && clock == ends && random.isOne(in: 2)
            if isEarly { traits.insert("announced") }
            tell(paid, id, at: isEarly ? clock - 20 * 3_600_000 : clock)
            var period = Period(
                credits: (isTrial ? Self.trialCredits : Self.credits)[product] ?? 0,
                from: clock,
                until: clock + length
            )
            // Behind the last one nothing is bought that could replace anything.
            let word = number == count - 1 ? random.pick([1, 2, 3, 5, 7]) : random.pick(0..<8)
            let next = happening(word, &paid, &period, &product, id)
            ends = paid.expires?.milliseconds ?? clock
            periods.append(period)
            clock = next
            let isReplaced = word == 0 || word == 4
            if !isReplaced, random.isOne(in: 6) { clock += Int64(random.pick(1..<50)) * Self.day }
        }
    }

    /// What happens in a period; answers when the next one begins.
    private mutating func happening(
        _ word: Int,
        _ paid: inout TransactionFact,
        _ period: inout Period,
        _ product: inout String,
        _ id: String
    ) -> Int64 {
        let length = period.until - period.from
        let moment = period.from + Int64(random.pick(1..<10)) * length / 10
        switch word {
        case 0:
            traits.insert("upgrade")
            product = product == "basic" ? "premium" : "basic"
            period.until = moment
            if random.isOne(in: 2) {
                paid.isUpgraded = true
                period.credits = 0
                tell(paid, id, at: moment + 1)
            }
            return moment
        case 1:
            traits.insert("refund")
            paid.revoked = Moment(moment)
            tell(paid, id, at: moment)
            if random.isOne(in: 2) {
                traits.insert("reversal")
                paid.revoked = nil
                tell(paid, id, at: moment + 1_000)
            } else {
                period.credits = 0
            }
            return period.until
        case 2:
            traits.insert("extension")
            paid.expires = Moment(period.until + 5 * Self.day)
            tell(paid, id, at: moment)
            period.until += 5 * Self.day
            return period.until
        case 3:
            traits.insert("restored")
            var copy = paid
            copy.id = "\(number())"
            tell(copy, id, at: moment)
            return period.until
        case 4:
            traits.insert("superseded")
            var announced = announce(after: period, like: paid, id)
            if random.isOne(in: 2) {
                // The store says only later, and in its history, what became of it.
                traits.insert("superseded and upgraded")
                announced.isUpgraded = true
                tell(announced, id, at: period.until + 3_600_000)
            }
            product = product == "basic" ? "premium" : "basic"
            let change = period.until - 10 * 3_600_000
            period.until = change
            return change
        case 5:
            traits.insert("refunded before")
            var announced = announce(after: period, like: paid, id)
            announced.revoked = Moment(period.until - 15 * 3_600_000)
            tell(announced, id, at: period.until - 15 * 3_600_000)
            return period.until + Self.day
        default: return period.until
        }
    }

    /// The renewal that a store tells of 20 hours before it begins.
    private mutating func announce(
        after period: Period,
        like paid: TransactionFact,
        _ id: String
    ) -> TransactionFact {
        var announced = paid
        announced.id = "\(number())"
        announced.reason = "RENEWAL"
        announced.purchased = Moment(period.until)
        announced.expires = Moment(period.until + 30 * Self.day)
        tell(announced, id, at: period.until - 20 * 3_600_000)
        return announced
    }

    // MARK: passes

    private mutating func buyPass() {
        let id = "9\(number())"
        let clock = start + Int64(random.pick(0..<60)) * Self.day
        let quantity = Int64(random.pick([1, 1, 1, 2, 3]))
        let product = random.pick(["week", "week", "month", "gold"])
        var bought = TransactionFact(
            id: id,
            version: Version(signed: Moment(clock), digest: Digest256(0, 0, 0, 0)),
            productID: product,
            purchased: Moment(clock)
        )
        bought.kind = "Non-Renewing Subscription"
        bought.quantity = quantity
        tell(bought, id, at: clock)
        var pass = Pass(product: product, at: clock, items: quantity, bought: quantity)
        traits.insert("pass")
        let moment = clock + Int64(random.pick(1..<20)) * Self.day
        if random.isOne(in: 3) {
            traits.insert("pass refund")
            bought.revoked = Moment(moment)
            pass.items = 0
            if quantity == 3, random.isOne(in: 2) {
                traits.insert("pass refund in part")
                bought.terms.revocationPercentage = 33_333
                pass.items = 2
            }
            tell(bought, id, at: moment)
            if random.isOne(in: 3) {
                traits.insert("pass reversal")
                bought.revoked = nil
                bought.terms = TransactionTerms()
                pass.items = quantity
                tell(bought, id, at: moment + 5)
            }
        }
        if random.isOne(in: 4) {
            bought.id = "\(number())"
            tell(bought, id, at: moment + 9)
        }
        passes.append(pass)
    }

    // MARK: packs

    private mutating func buyPack() {
        let id = "8\(number())"
        let clock = start + Int64(random.pick(0..<60)) * Self.day
        let quantity = Int64(random.pick([1, 1, 2, 3]))
        var bought = TransactionFact(
            id: id,
            version: Version(signed: Moment(clock), digest: Digest256(0, 0, 0, 0)),
            productID: "coins",
            purchased: Moment(clock)
        )
        bought.kind = "Consumable"
        bought.quantity = quantity
        tell(bought, id, at: clock)
        traits.insert("pack")
        var items = quantity
        let moment = clock + Int64(random.pick(1..<20)) * Self.day
        if random.isOne(in: 3) {
            traits.insert("pack refund")
            bought.revoked = Moment(moment)
            items = 0
            if quantity == 2 {
                traits.insert("pack refund in part")
                bought.terms.revocationPercentage = 50_000
                items = 1
            }
            tell(bought, id, at: moment)
            if random.isOne(in: 2) {
                traits.insert("pack reversal")
                bought.revoked = nil
                bought.terms = TransactionTerms()
                items = quantity
                tell(bought, id, at: moment + 5)
            }
        }
        packCredits += 6 * items
    }
}
