import Chance
import Entitlements
import Synchronization
import Testing

@testable import Ledger

/// How many there are of what commands are about.
struct Crowd {
    /// Few, so that they meet.
    static let few = Crowd(users: 4, tokens: 6, purchases: 8, transactions: 4)
    /// More of everything than one record keeps, and documents that are shown again and again.
    static let many = Crowd(
        users: Limits.sharersMax + 6,
        tokens: 5 * Limits.tokensKeptMax,
        purchases: 4,
        transactions: Limits.transactionsKeptMax + 8,
        isRepetitive: true
    )

    var users: Int
    var tokens: Int
    var purchases: Int
    /// Of one purchase.
    var transactions: Int
    /// Whether documents come again: as they were, refunded, and later without their token.
    var isRepetitive = false
}

/// Random commands of every kind about few users, tokens, purchases and keys, so that they meet.
struct StreamMaker {
    var random: SplitMix64
    let hands: HandClock
    let isTokenWorld: Bool
    /// Whether users are erased now and then.
    var erases = false
    /// Whether free credits may be given once for each app transaction.
    var showsAppTransactions = true
    /// Whether purchases go on under other original ids.
    var migrates = false
    /// Whether stores that answer with whole states sell, too.
    var statesWhole = false
    /// Whether accounts go into others.
    var merges = true
    /// Whether support gives purchases to others.
    var moves = true
    /// How many accounts went into others.
    private var merged = 0
    /// Reservations that were made, for the commands that end them.
    private var reservations: [UInt64] = []
    private var grants: [UInt64] = []
    private var catalogs = 0
    private let crowd: Crowd
    private var names: [UserID]
    private let tokens: [Token]
    private var told: [Fact] = []

    init(random: SplitMix64, hands: HandClock, crowd: Crowd = .few) throws {
        self.random = random
        self.hands = hands
        self.crowd = crowd
        isTokenWorld = self.random.chance()
        let tokens = try (0..<crowd.tokens).map { try token($0) }
        self.tokens = tokens
        let plain = ["ann", "bob", "cy", "dée"] + (0..<crowd.users).map { "user \($0)" }
        names =
            try plain.prefix(crowd.users).map { try user($0) }
            + tokens.prefix(2).compactMap { UserID($0.description) }
    }

    /// A catalog that sells two products and a pack, with the other questions decided by chance.
    mutating func source() -> Policy.Source {
        var plan = Policy.Plan(name: random.chance() ? "pro" : "max")
        plan.products = ["pro.monthly", "pro.yearly", "pro.pass"]
        if random.pick(0..<4) > 0 { plan.days["pro.pass"] = Int64(random.pick(1..<4)) * 20 }
        if random.pick(0..<3) > 0 { plan.creditsPerPeriod = Int64(random.pick(1..<9)) }
        if plan.creditsPerPeriod.isMultiple(of: 2) { plan.creditsInTrial = 2 }
        if random.pick(0..<4) > 0 { plan.unlimited = [random.chance() ? "render" : "export"] }
        var source = Policy.Source()
        source.plans = [plan]
        source.freeCredits = Int64(random.pick(0..<5))
        var other = random
        if showsAppTransactions, other.chance() { source.freeCreditsOnce = .appTransaction }
        source.creditPacks = ["pack.ten": 10, "pack.two": 2]
        source.owesRefunds = random.chance()
        source.transferPolicy = [.move, .share, .refuse][random.pick(0..<3)]
        source.environments = random.chance() ? [.production] : [.production, .sandbox]
        source.userIDIsToken = isTokenWorld
        return source
    }

    /// Learns from what was answered which reservations and grants there are.
    mutating func hear(_ said: [Said]) {
        for case .success(let receipt) in said {
            switch receipt.outcome {
            case .reserved(.reserved, let id?, _, _): reservations.append(id)
            case .granted(let id, _): grants.append(id)
            default: break
            }
        }
    }

    mutating func batch(_ countMax: Int) -> [WriteOrder.Kind] {
        hands.advance(Int64(random.pick(0..<3) == 0 ? random.pick(0..<50_000) : 3))
        return (0..<random.pick(1..<countMax + 1)).map { _ in order() }
    }

    private mutating func order() -> WriteOrder.Kind {
        if !crowd.isRepetitive, random.pick(0..<40) == 0 {
            catalogs = random.pick(0..<catalogs + 2)
            let stamp = CatalogStamp(version: 0, digest: digest(catalogs), text: "{}")
            return .install(source(), stamp)
        }
        return .command(command())
    }

    /// One of a few, by chance that the rest of the stream does not miss.
    private func appTransaction() -> AppTransaction? {
        var random = random
        guard showsAppTransactions, random.chance() else { return nil }
        let mark = AppTransactionMark(Digest128(0, random.next() % 6))
        return AppTransaction(
            environment: random.pick(0..<4) == 0 ? .sandbox : .production,
            mark: random.pick(0..<8) == 0 ? nil : mark
        )
    }

    private mutating func command() -> Command.Kind {
        let user = pickUser()
        if erases, random.pick(0..<24) == 0 { return erasure(of: user) }
        if merges, random.pick(0..<50) == 0 { return merger() }
        switch random.pick(0..<14) {
        case 0:
            let token = ownToken(user)
            return .register(Registration(user: user, token: token, showing: appTransaction()))
        case 1, 2: return notice()
        case 3:
            let claimed = isTokenWorld ? [ownToken(user)] : list(0..<3) { $0.pickToken() }
            return .link(Purchase(user: user, facts: list(1..<3) { $0.fact() }, claimed: claimed))
        case 4:
            let claimed = list(0..<3) { $0.pickToken() }
            let facts = list(0..<4) { $0.fact() }
            return .restore(Restoration(user: user, facts: facts, claimed: claimed))
        case 5: return .learn(list(0..<3) { $0.fact() })
        case 6: return grantOrder(user)
        case 7:
            let grant = pick(grants) ?? UInt64(random.pick(0..<20))
            return .revokeGrant(GrantRevocation(user: user, grant: grant, reason: ""))
        case 8: return credit(user)
        case 9: return .charge(charge(user, 5))
        case 10:
            let order = ReservationOrder(
                charge: charge(user, 3),
                milliseconds: Int64(random.pick(1..<200_000)),
                isLease: random.chance(),
                id: Reservation.id(of: random.next())
            )
            return .reserve(order)
        case 11: return end()
        case 12 where moves:
            let purchase = "\(2_000 + random.pick(0..<crowd.purchases + 1))"
            return .move(
                PurchaseMove(store: .appStore, originalID: purchase, to: user, reason: "")
            )
        default:
            return .reverse(
                Reversal(
                    user: user,
                    key: idempotencyKey(user),
                    fingerprint: fingerprint(4),
                    charge: idempotencyKey(user)
                )
            )
        }
    }

    /// Mostly somebody new comes for the one that goes, so that there are some left.
    private mutating func merger() -> Command.Kind {
        let place = random.pick(0..<names.count)
        let (from, into) = (names[place], pickUser())
        if random.pick(0..<5) > 0, let guest = UserID("guest \(merged)") {
            merged += 1
            names[place] = guest
        }
        return .merge(
            MergeOrder(
                from: from,
                into: into,
                token: random.chance() ? pickToken() : nil,
                key: idempotencyKey(into),
                fingerprint: digest(2 * 6 + random.pick(0..<2))
            )
        )
    }

    /// The secret of the first one stays.
    private mutating func erasure(of user: UserID) -> Command.Kind {
        .erase(ErasureOrder(user: user, secret: HashKey(random.next(), random.next())))
    }

    private mutating func notice() -> Command.Kind {
        let signed = Moment(hands.wall - Int64(random.pick(0..<5)) * 1_000)
        return .record(
            Notification(
                id: NotificationID(signed: signed, digest: digest(random.pick(0..<200))),
                type: "DID_RENEW",
                subtype: "",
                document: digest(random.pick(0..<200)),
                facts: list(0..<3) { $0.fact() }
            )
        )
    }

    private mutating func grantOrder(_ user: UserID) -> Command.Kind {
        .grant(
            GrantOrder(
                user: user,
                plan: ["pro", "max", "none"][random.pick(0..<3)],
                key: idempotencyKey(user),
                fingerprint: fingerprint(1),
                from: nil,
                until: random.chance() ? Moment(hands.wall + day) : nil,
                store: random.chance() ? .stripe : nil,
                reason: "a gift"
            )
        )
    }

    private mutating func credit(_ user: UserID) -> Command.Kind {
        .credit(
            CreditOrder(
                user: user,
                amount: Int64(random.pick(-5..<20)),
                key: idempotencyKey(user),
                fingerprint: fingerprint(2),
                until: random.chance() ? Moment(hands.wall + Int64(random.pick(1..<200_000))) : nil,
                source: random.chance() ? "promo" : "support",
                reason: "",
                isAdjustment: random.chance()
            )
        )
    }

    private mutating func charge(_ user: UserID, _ method: Int) -> Charge {
        Charge(
            user: user,
            amount: Int64(random.pick(1..<6)),
            key: idempotencyKey(user),
            fingerprint: fingerprint(method)
        )
    }

    private mutating func end() -> Command.Kind {
        let kinds: [Reservation.Ending.Kind] = [.committed, .released, .disconnected]
        let kind = kinds[random.pick(0..<3)]
        let amount: Int64? =
            kind == .committed && random.chance() ? Int64(random.pick(0..<4)) : nil
        let id = pick(reservations) ?? UInt64(random.pick(0..<20))
        return .endReservation(ReservationEnd(id: id, kind: kind, amount: amount))
    }

    private mutating func fact() -> Fact {
        guard crowd.isRepetitive else { return newFact() }
        guard random.pick(0..<2) == 0, let old = told.randomElement(using: &random) else {
            let fact = newFact()
            told.append(fact)
            return fact
        }
        var fact = old
        switch random.pick(0..<4) {
        case 0: return fact
        case 1: fact.transaction?.revoked = Moment(hands.wall)
        default: fact.transaction?.token = nil
        }
        fact.transaction?.version = Version(
            signed: Moment(hands.wall),
            digest: digest(random.pick(0..<1_000))
        )
        return fact
    }

    private mutating func newFact() -> Fact {
        if statesWhole, random.pick(0..<3) == 0 { return state() }
        let number = random.pick(0..<crowd.purchases)
        let key = SubscriptionKey(
            store: .appStore,
            environment: number == 7 ? .sandbox : .production,
            originalID: "\(2_000 + number)"
        )
        let isPack = number >= crowd.purchases * 5 / 8
        let version = Version(
            signed: Moment(hands.wall - Int64(random.pick(0..<5)) * 1_000),
            digest: digest(random.pick(0..<1_000))
        )
        let products =
            isPack ? ["pack.ten", "pack.two"] : ["pro.monthly", "pro.yearly", "pro.pass", "odd"]
        var transaction = TransactionFact(
            id: isPack && !crowd.isRepetitive
                ? "\(2_000 + number)"
                : "\(9_000 + number * 100 + random.pick(0..<crowd.transactions))",
            version: version,
            productID: products[random.pick(0..<products.count)],
            purchased: Moment(hands.wall - Int64(random.pick(0..<40)) * day)
        )
        let isPass = transaction.productID == "pro.pass"
        transaction.kind = isPack ? "Consumable" : "Auto-Renewable Subscription"
        if isPass { transaction.kind = "Non-Renewing Subscription" }
        if !isPack, !isPass {
            transaction.expires = transaction.purchased.advanced(byMilliseconds: 30 * day)
        }
        if random.pick(0..<4) == 0 { transaction.revoked = Moment(hands.wall) }
        if random.pick(0..<4) > 0 { transaction.token = pickToken() }
        transaction.reason = [nil, "PURCHASE", "RENEWAL"][random.pick(0..<3)]
        // In every version of it: a store signs that again and again.
        if migrates, !isPack, number > 0, transaction.id.utf8.reduce(0, { $0 + Int($1) }) % 3 == 0 {
            transaction.terms.previousOriginalID = "\(2_000 + number - 1)"
        }
        return Fact(key: key, transaction: transaction)
    }

    /// What Google Play or Stripe answers about a purchase, or says beside that.
    private mutating func state() -> Fact {
        let number = random.pick(0..<crowd.purchases)
        let key = SubscriptionKey(
            store: number % 2 == 0 ? .googlePlay : .stripe,
            environment: .production,
            originalID: "\(3_000 + number)"
        )
        let version = Version(
            signed: Moment(hands.wall - Int64(random.pick(0..<5)) * 1_000),
            digest: digest(random.pick(0..<1_000))
        )
        let id = 8_000 + number * 100 + random.pick(0..<crowd.transactions)
        guard random.pick(0..<6) > 0 else {
            var fact = Fact(key: key)
            let revoked = random.pick(0..<3) > 0 ? Moment(hands.wall) : nil
            fact.revocations = [
                RevocationFact(transactionID: "\(id)", version: version, revoked: revoked)
            ]
            return fact
        }
        let code = StatusCode.allCases[random.pick(0..<StatusCode.allCases.count)]
        var one = TransactionFact(
            id: "\(id)",
            version: version,
            productID: random.chance() ? "pro.monthly" : "pro.yearly",
            purchased: Moment(hands.wall - Int64(random.pick(0..<40)) * day)
        )
        one.kind = TransactionFact.renewingKind
        one.reason = random.chance() ? "PURCHASE" : "RENEWAL"
        if code != .pending { one.expires = one.purchased.advanced(byMilliseconds: 30 * day) }
        if random.pick(0..<8) == 0 { one.revoked = Moment(hands.wall) }
        if random.chance() { one.token = pickToken() }
        if migrates, key.store == .googlePlay, number > 0, number % 4 == 0 {
            one.terms.previousOriginalID = "\(3_000 + number - 2)"
        }
        var items = [one]
        if random.pick(0..<4) == 0 {
            items.append(one)
            items[1].id = "\(id + 50)"
        }
        let isNamed = key.store == .stripe && random.pick(0..<4) == 0
        return Fact(
            snapshotOf: key,
            status: StatusFact(version: version, code),
            transactions: items,
            user: isNamed ? UserFact(user: pickUser(), version: version) : nil
        )
    }

    private mutating func pickUser() -> UserID { names[random.pick(0..<names.count)] }

    private mutating func pickToken() -> Token { tokens[random.pick(0..<tokens.count)] }

    private mutating func ownToken(_ user: UserID) -> Token {
        let own = Token(user.description)
        return isTokenWorld ? own ?? pickToken() : pickToken()
    }

    private mutating func idempotencyKey(_ user: UserID) -> IdempotencyKey {
        IdempotencyKey(user: user, digest: digest(random.pick(0..<60)))
    }

    /// Of one method, as a door makes it: no two methods share one.
    private mutating func fingerprint(_ method: Int) -> Digest256 {
        digest(method * 2 + random.pick(0..<2))
    }

    private mutating func pick(_ ids: [UInt64]) -> UInt64? {
        ids.isEmpty ? nil : ids[max(0, ids.count - 1 - random.pick(0..<6))]
    }

    private mutating func list<Value>(
        _ count: Range<Int>,
        _ make: (inout StreamMaker) -> Value
    ) -> [Value] {
        (0..<random.pick(count)).map { _ in make(&self) }
    }
}

/// Random orders for a writer on a bench: so many batches, each made once the last is answered.
final class Stream: Sendable {
    private let state: Mutex<(maker: StreamMaker, rest: Int)>
    private let countMax: Int

    init(_ maker: StreamMaker, batches: Int, countMax: Int) {
        state = Mutex((maker, batches))
        self.countMax = countMax
    }

    func next(_ said: [Said]) -> [WriteOrder.Kind]? {
        state.withLock { state in
            state.maker.hear(said)
            guard state.rest > 0 else { return nil }
            state.rest -= 1
            return state.maker.batch(countMax)
        }
    }
}
