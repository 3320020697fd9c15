import Chance
import Entitlements

/// What may happen to a few users in a year, in random order: they register, buy, renew, lapse, are
/// refunded, move, and spend.
struct YearOfLife {
    static let users = (0..<100).compactMap { UserID("user \($0)") }
    static let day: Int64 = 86_400_000
    private static let products = ["basic", "premium", "unknown"]

    private var random: SplitMix64
    private var count: UInt64 = 0
    /// The newest fact of each subscription.
    private var newest: [Fact] = []
    private var holds: [UInt64] = []
    private var grants: [(user: UserID, id: UInt64)] = []
    private var charges: [Charge] = []
    private let cast: [UserID]

    /// A story of the first of the users.
    init(_ random: SplitMix64, users count: Int = users.count) {
        self.random = random
        cast = Array(Self.users.prefix(count))
    }

    static func token(_ user: UserID) -> Token {
        let number = users.firstIndex(of: user) ?? users.count
        guard let token = Token(high: 7, low: UInt64(number) + 1) else {
            preconditionFailure("not zero")
        }
        return token
    }

    /// A catalog; one in few differs from the one before in each of its rules.
    mutating func catalog() -> Policy.Source {
        var source = Policy.Source()
        source.freeCredits = Int64(random.pick(3))
        source.trialOffered = random.isOne(in: 2)
        source.billingRetryAccess = random.isOne(in: 2)
        source.graceFallbackMilliseconds = Int64(random.pick(3)) * Self.day
        source.lateRenewalMilliseconds = Int64(random.pick(3)) * 3_600_000
        source.owesRefunds = random.isOne(in: 2)
        source.creditPacks = ["pack": 10]
        var basic = Policy.Plan(name: "basic")
        basic.products = ["basic"]
        basic.unlimited = random.isOne(in: 3) ? [] : ["render"]
        basic.limits = "{\"days\":\(random.pick(30))}"
        var premium = Policy.Plan(name: "premium")
        premium.rank = Int64(random.pick(3))
        premium.products = random.isOne(in: 4) ? ["premium", "unknown"] : ["premium"]
        premium.unlimited = ["render"]
        source.plans = [basic, premium]
        return source
    }

    /// The next thing that happens.
    mutating func command(at now: Moment) -> Command.Kind {
        let user = random.pick(cast)
        switch random.pick(20) {
        case 0...2: return .register(Registration(user: user, token: Self.token(user)))
        case 3...5: return notify(purchase(of: user, at: now))
        case 6...8: return notify(sequel(at: now))
        case 9:
            guard let fact = newest.isEmpty ? nil : random.pick(newest) else {
                return credit(user, now)
            }
            return .restore(
                Restoration(user: user, facts: [fact], claimed: [Self.token(user)])
            )
        case 10, 11: return credit(user, now)
        case 12, 13:
            let charge = charge(user)
            charges.append(charge)
            return .charge(charge)
        case 14, 15:
            return .reserve(
                ReservationOrder(
                    charge: charge(user),
                    milliseconds: Int64(random.pick(20) + 1) * Self.day / 4,
                    isLease: false,
                    id: Reservation.id(of: random.next())
                )
            )
        case 16:
            guard !holds.isEmpty else { return credit(user, now) }
            let isCommit = random.isOne(in: 2)
            return .endReservation(
                ReservationEnd(
                    id: random.pick(holds),
                    kind: isCommit ? .committed : .released,
                    amount: isCommit ? 1 : nil
                )
            )
        case 17:
            guard !charges.isEmpty else { return credit(user, now) }
            let charge = random.pick(charges)
            let (key, print) = key(charge.user)
            return .reverse(
                Reversal(user: charge.user, key: key, fingerprint: print, charge: charge.key)
            )
        case 18:
            guard !grants.isEmpty else { return grant(user, now) }
            let grant = random.pick(grants)
            return .revokeGrant(GrantRevocation(user: grant.user, grant: grant.id, reason: ""))
        default: return grant(user, now)
        }
    }

    /// Remembers what can be spoken of later.
    mutating func heard(_ outcome: Outcome, of kind: Command.Kind) {
        switch (outcome, kind) {
        case (.reserved(.reserved, let id?, _, nil), _): holds.append(id)
        case (.granted(let id, _), .grant(let order)): grants.append((order.user, id))
        default: break
        }
    }

    private mutating func key(_ user: UserID) -> (IdempotencyKey, Digest256) {
        count += 1
        let digest = Digest256(count, 0, 0, 0)
        return (IdempotencyKey(user: user, digest: digest), digest)
    }

    private mutating func charge(_ user: UserID) -> Charge {
        let (key, print) = key(user)
        return Charge(user: user, amount: Int64(random.pick(4) + 1), key: key, fingerprint: print)
    }

    private mutating func credit(_ user: UserID, _ now: Moment) -> Command.Kind {
        let (key, print) = key(user)
        return .credit(
            CreditOrder(
                user: user,
                amount: random.isOne(in: 6) ? -2 : Int64(random.pick(9) + 1),
                key: key,
                fingerprint: print,
                until: random.isOne(in: 2) ? later(now, days: 60) : nil,
                source: random.pick(["gift", "promo"]),
                reason: "",
                isAdjustment: false
            )
        )
    }

    private mutating func grant(_ user: UserID, _ now: Moment) -> Command.Kind {
        let (key, print) = key(user)
        let from = random.isOne(in: 2) ? later(now, days: 20) : nil
        return .grant(
            GrantOrder(
                user: user,
                plan: random.pick(["basic", "premium"]),
                key: key,
                fingerprint: print,
                from: from,
                until: random.isOne(in: 5) ? nil : later(from ?? now, days: 60),
                store: random.isOne(in: 2) ? .stripe : nil,
                reason: ""
            )
        )
    }

    private mutating func later(_ now: Moment, days: Int) -> Moment {
        now.advanced(byMilliseconds: Int64(random.pick(days * 24) + 1) * 3_600_000)
    }

    private mutating func notify(_ fact: Fact) -> Command.Kind {
        count += 1
        let signed = fact.transaction?.version.signed ?? .distantPast
        let digest = Digest256(count, 1, 0, 0)
        return .record(
            Notification(
                id: NotificationID(signed: signed, digest: digest),
                type: "DID_RENEW",
                subtype: count % 2 == 0 ? "BILLING_RECOVERY" : "",
                document: digest,
                facts: [fact]
            )
        )
    }

    private mutating func purchase(of user: UserID, at now: Moment) -> Fact {
        count += 1
        let key = SubscriptionKey(
            store: .appStore,
            environment: .production,
            originalID: String(1_000_000 + count)
        )
        let isPack = random.isOne(in: 4)
        var bought = TransactionFact(
            id: key.originalID,
            version: version(now),
            productID: isPack ? "pack" : random.pick(Self.products),
            purchased: now
        )
        bought.kind = isPack ? "Consumable" : "Auto-Renewable Subscription"
        if !isPack { bought.expires = later(now, days: 60) }
        if !random.isOne(in: 8) { bought.token = Self.token(user) }
        if random.isOne(in: 3) {
            bought.offerType = 1
            bought.offerDiscount = "FREE_TRIAL"
        }
        let fact = Fact(key: key, transaction: bought)
        newest.append(fact)
        return fact
    }

    private mutating func version(_ now: Moment) -> Version {
        count += 1
        return Version(signed: now, digest: Digest256(count, 2, 0, 0))
    }

    /// What comes after a purchase: a renewal, a refund, a card that fails, a change of mind.
    private mutating func sequel(at now: Moment) -> Fact {
        guard !newest.isEmpty else { return purchase(of: random.pick(cast), at: now) }
        // Mostly of those bought lately: to the others nothing happens any more.
        let place = max(0, newest.count - 1 - random.pick(random.isOne(in: 6) ? 400 : 50))
        var fact = newest[place]
        guard var last = fact.transaction else { return fact }
        last.version = version(now)
        var renewal = RenewalFact(version: last.version)
        renewal.autoRenew = true
        var code: Int64 = 1
        switch random.pick(8) {
        case 0...2:
            guard let end = last.expires else { break }
            // Known early, on time, or when it is long over.
            last.id += "1"
            last.purchased = end
            last.expires = end.advanced(byMilliseconds: 30 * Self.day)
            last.revoked = nil
            if random.isOne(in: 3) { last.productID = random.pick(Self.products) }
            last.reason = "RENEWAL"
            if random.isOne(in: 4) {
                // Somebody buys anew on the same store account.
                last.reason = "PURCHASE"
                last.token = Self.token(random.pick(cast))
                last.purchased = max(end, now)
                last.expires = last.purchased.advanced(byMilliseconds: 30 * Self.day)
            }
        case 3:
            last.revoked = last.revoked == nil ? now : nil
            code = 5
        case 4:
            renewal.isInBillingRetry = true
            if random.isOne(in: 2) {
                renewal.graceUntil = later(max(now, last.expires ?? now), days: 16)
            }
            code = renewal.graceUntil == nil ? 3 : 4
        case 5: renewal.autoRenew = false
        case 6: last.token = Self.token(random.pick(cast))
        default: last.isUpgraded = random.isOne(in: 2)
        }
        fact.transaction = last
        fact.renewal = random.isOne(in: 5) ? nil : renewal
        fact.status = random.isOne(in: 3) ? nil : StatusFact(version: last.version, code: code)
        newest[place] = fact
        return fact
    }
}
