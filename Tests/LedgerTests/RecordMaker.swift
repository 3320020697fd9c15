import Chance
import Entitlements

/// Random records of every kind.
struct RecordMaker {
    var random: SplitMix64

    private static let letters = [
        "", "a", "B", "0", "/", ".", "é", "日", "🙂", " ", "-", "app_store/",
    ]

    mutating func text(_ countMax: Int = 6) -> String {
        (0..<random.pick(0..<countMax + 1))
            .map { _ in
                Self.letters[random.pick(0..<Self.letters.count)]
            }
            .joined()
    }

    mutating func maybe<Value>(_ make: (inout RecordMaker) -> Value) -> Value? {
        random.chance() ? make(&self) : nil
    }

    mutating func list<Value>(_ count: Range<Int>, _ make: (inout RecordMaker) -> Value) -> [Value]
    {
        (0..<random.pick(count)).map { _ in make(&self) }
    }

    mutating func user() -> UserID {
        while true {
            if let user = UserID(text()) { return user }
        }
    }

    mutating func token() -> Token {
        // Few different ones, so that some are equal in one half.
        while true {
            let high = random.chance() ? random.next() : UInt64(random.pick(0..<2))
            let low = random.chance() ? random.next() : UInt64(random.pick(0..<2))
            if let token = Token(high: high, low: low) { return token }
        }
    }

    mutating func moment() -> Moment {
        switch random.pick(0..<6) {
        case 0: .distantPast
        case 1: .distantFuture
        case 2: Moment(Int64(random.pick(-3..<3)))
        default: Moment(Int64(bitPattern: random.next()))
        }
    }

    mutating func digest() -> Digest256 {
        if random.chance() { return Digest256(0, 0, 0, UInt64(random.pick(0..<3))) }
        return Digest256(random.next(), random.next(), random.next(), random.next())
    }

    mutating func version() -> Version { Version(signed: moment(), digest: digest()) }

    mutating func integer() -> Int64 { Int64(bitPattern: random.next()) }

    mutating func key() -> SubscriptionKey {
        SubscriptionKey(
            store: [.appStore, .googlePlay, .stripe][random.pick(0..<3)],
            environment: random.chance() ? .production : .sandbox,
            originalID: "1" + text()
        )
    }

    mutating func transaction() -> TransactionFact {
        var fact = TransactionFact(
            id: text(),
            version: version(),
            productID: text(),
            purchased: moment()
        )
        fact.expires = maybe { $0.moment() }
        fact.revoked = maybe { $0.moment() }
        fact.isUpgraded = random.chance()
        fact.kind = text()
        fact.ownership = text()
        fact.offerType = maybe { $0.integer() }
        fact.offerDiscount = maybe { $0.text() }
        fact.token = maybe { $0.token() }
        fact.quantity = integer()
        fact.revocationReason = maybe { $0.integer() }
        fact.reason = maybe { $0.text() }
        if random.chance() { fact.terms = terms() }
        return fact
    }

    mutating func terms() -> TransactionTerms {
        var terms = TransactionTerms()
        terms.price = maybe { $0.integer() }
        terms.currency = maybe { $0.text() }
        terms.storefront = maybe { $0.text() }
        terms.group = maybe { $0.text() }
        terms.offerID = maybe { $0.text() }
        terms.offerPeriod = maybe { $0.text() }
        terms.revocationType = maybe { $0.text() }
        terms.revocationPercentage = maybe { Int64($0.random.pick(0..<100_001)) }
        terms.previousOriginalID = maybe { "1" + $0.text() }
        terms.billingPlan = maybe { $0.text() }
        terms.commitment = maybe { maker in
            Commitment(
                period: maker.maybe { $0.integer() },
                periods: maker.maybe { $0.integer() },
                price: maker.maybe { $0.integer() },
                expires: maker.maybe { $0.moment() }
            )
        }
        terms.variant = maybe { $0.text() }
        terms.lookupKey = maybe { $0.text() }
        return terms
    }

    mutating func revocation() -> RevocationFact {
        var fact = RevocationFact(
            transactionID: text(),
            version: version(),
            revoked: maybe { $0.moment() }
        )
        fact.share = maybe { $0.integer() }
        fact.reason = maybe { $0.integer() }
        fact.type = maybe { $0.text() }
        return fact
    }

    mutating func replacement() -> Replacement {
        Replacement(
            at: moment(),
            first: moment(),
            said: maybe { $0.moment() },
            signed: moment(),
            isVoid: random.chance()
        )
    }

    mutating func named() -> UserFact { UserFact(user: user(), version: version()) }

    /// A fact of a store that answers with whole states.
    mutating func snapshotFact() -> Fact {
        var fact = fact()
        fact.items = list(0..<3) { $0.transaction() }
        fact.status?.word = text()
        fact.revocations = list(0..<3) { $0.revocation() }
        fact.user = maybe { $0.named() }
        fact.replaced = maybe { $0.moment() }
        return fact
    }

    mutating func author() -> Author {
        let roles = Author.Role.allCases
        let uid = Author.Name.uid(UInt32(truncatingIfNeeded: random.next()))
        let name = random.chance() ? uid : .token(text())
        return Author(roles[random.pick(0..<roles.count)], name)
    }

    mutating func renewal() -> RenewalFact {
        var fact = RenewalFact(version: version())
        fact.autoRenew = maybe { $0.random.chance() }
        fact.nextProductID = maybe { $0.text() }
        fact.isInBillingRetry = random.chance()
        fact.graceUntil = maybe { $0.moment() }
        fact.expirationIntent = maybe { $0.integer() }
        fact.priceIncreaseStatus = maybe { $0.integer() }
        fact.renewalDate = maybe { $0.moment() }
        fact.terms.billingPlan = maybe { $0.text() }
        fact.terms.commitmentRenews = maybe { $0.random.chance() }
        fact.terms.commitmentProductID = maybe { $0.text() }
        fact.terms.commitmentBillingPlan = maybe { $0.text() }
        fact.terms.commitmentRenewalDate = maybe { $0.moment() }
        fact.terms.commitmentPrice = maybe { $0.integer() }
        fact.terms.resumes = maybe { $0.moment() }
        return fact
    }

    mutating func fact() -> Fact {
        Fact(
            key: key(),
            transaction: maybe { maker in
                var transaction = maker.transaction()
                transaction.origin = maker.maybe { maker in
                    TransactionOrigin(
                        app: maker.maybe { $0.text() },
                        appTransactionID: maker.maybe { $0.text() }
                    )
                }
                return transaction
            },
            renewal: maybe { $0.renewal() },
            status: maybe { StatusFact(version: $0.version(), code: $0.integer()) },
            renewalDisabled: maybe { $0.moment() }
        )
    }

    mutating func tick(isAhead: Bool) -> Tick {
        let passings = list(1..<4) { Tick.Passing(user: $0.user(), due: $0.moment()) }
        return Tick(passings, isAhead: isAhead)
    }

    mutating func grant(plan: UInt32? = nil) -> Grant {
        Grant(
            id: random.next(),
            plan: plan ?? UInt32(truncatingIfNeeded: random.next()),
            from: moment(),
            until: moment(),
            storeCode: UInt8(random.pick(0..<4))
        )
    }

    mutating func account() -> Account {
        var account = Account(user: user(), opened: moment())
        account.answer.flags = AccountFlags(rawValue: UInt8(random.pick(0..<8)))
        account.answer.credits = integer()
        account.answer.balances = Set(list(0..<4) { $0.moment() }).sorted()
            .map { Balance(from: $0, credits: integer()) }
        account.lastSeq = random.next()
        account.answer.slots = list(0..<4) { maker in
            Slot(
                ordinal: UInt16(maker.random.pick(0..<70_000) & 0xFFFF),
                store: maker.key().store,
                environment: maker.key().environment,
                product: UInt32(truncatingIfNeeded: maker.random.next()),
                marks: EraMarks(rawValue: UInt16(maker.random.pick(0..<128))),
                from: maker.moment(),
                paidUntil: maker.moment(),
                graceUntil: maker.moment()
            )
        }
        account.answer.grants = list(0..<3) { $0.grant() }
        account.subscriptions = list(0..<4) { $0.key() }
        account.tokens = list(0..<4) { $0.token() }
        account.formers = list(0..<3) { $0.user() }
        account.chain = chain()
        return account
    }

    mutating func chain() -> Chain {
        var chain = Chain()
        for _ in 0..<random.pick(0..<20) { chain.mark(at: random.next()) }
        let since = UInt16(random.pick(0..<1_000))
        guard random.chance(), chain.count > 0 else { return chain }
        return Chain(since: since, count: chain.count, low: moment(), marks: chain.marks) ?? chain
    }

    mutating func subscription() -> Subscription {
        let transactions = list(0..<4) { $0.transaction() }
        let key = key()
        var subscription = Subscription(
            key: key,
            transactions: transactions,
            renewal: maybe { $0.renewal() },
            status: maybe { StatusFact(version: $0.version(), code: $0.integer()) },
            renewalDisabled: maybe { $0.moment() },
            everEntitled: random.chance(),
            bearer: maybe { maker in
                TokenBearer(
                    purchased: maker.moment(),
                    version: maker.version(),
                    transactionID: maker.text(),
                    token: maker.token()
                )
            },
            tokens: list(0..<4) { $0.token() },
            link: maybe { $0.user() },
            owner: maybe { $0.user() },
            successors: Set(list(0..<3) { "2" + $0.text() })
                .map { SubscriptionKey(key, originalID: $0) }.sorted(),
            traces: transactions.map { _ in
                TransactionTrace(first: moment(), unrevoked: maybe { $0.moment() })
            },
            claims: list(0..<4) { maker in
                TokenClaim(
                    token: maker.token(),
                    purchased: maker.moment(),
                    transactionID: maker.text(),
                    version: maker.version()
                )
            },
            linkedAt: moment(),
            revocations: random.chance() ? list(0..<3) { $0.revocation() } : [],
            named: random.chance() ? list(0..<3) { $0.named() } : [],
            replacedAt: random.isOne(in: 3) ? moment() : nil,
            replacements: random.isOne(in: 6) ? list(1..<4) { $0.replacement() } : []
        )
        subscription.isDated = random.chance()
        return subscription
    }

    mutating func pastMoment() -> Moment { Moment(Int64(random.pick(0..<1_000_000))) }

    mutating func bucket() -> Bucket {
        let isPeriod = random.chance()
        return Bucket(
            source: text(),
            period: isPeriod ? 1 + random.next() >> 1 : 0,
            from: isPeriod ? pastMoment() : .distantPast,
            until: moment(),
            amount: integer()
        )
    }

    mutating func move() -> PeriodMove {
        PeriodMove(period: random.next(), until: moment(), to: moment())
    }

    mutating func purse() -> Purse {
        Purse(
            buckets: list(0..<3) { $0.bucket() },
            holds: [],
            debt: integer(),
            moved: list(0..<3) { $0.move() },
            ended: list(0..<3) { $0.bucket() }
        )
    }

    mutating func period() -> Pack {
        Pack(
            user: user(),
            source: text(),
            amount: integer(),
            period: 1 + random.next() >> 1,
            from: pastMoment(),
            until: moment()
        )
    }

    mutating func merge() -> Merge {
        Merge(
            from: user(),
            into: user(),
            formers: list(0..<3) { $0.user() },
            flags: AccountFlags(rawValue: UInt8(random.pick(0..<256))),
            purse: purse(),
            grants: list(0..<3) { Merge.NamedGrant(plan: $0.text(), grant: $0.grant(plan: 0)) },
            tokens: list(0..<3) { $0.token() },
            purchases: list(0..<3) { $0.key() }
        )
    }

    mutating func idempotencyKey() -> IdempotencyKey {
        IdempotencyKey(user: user(), digest: digest())
    }

    mutating func notificationID() -> NotificationID {
        NotificationID(signed: moment(), digest: digest())
    }

    mutating func settlement() -> Settlement {
        Settlement(
            fingerprint: Digest128(digest()),
            seq: random.next(),
            at: moment(),
            now: random.isOne(in: 2) ? moment() : nil
        )
    }

    mutating func catalogStamp() -> CatalogStamp {
        let version = UInt32(truncatingIfNeeded: random.next())
        return CatalogStamp(version: version, digest: digest(), text: text(400))
    }

    /// Each kind of event once, in random order.
    mutating func events() -> [Event] {
        var events: [Event] = [
            .accountOpened(user()),
            .accountsMerged(merge()),
            .registered(user(), freeCredits: integer()),
            .appTransactionAwaited(user()),
            .appTransactionUsed(
                AppTransactionMark(Digest128(random.next(), random.next())),
                user(),
                freeCredits: integer()
            ),
            .tokenClaimed(token(), user()),
            .merged(fact()),
            .merged(snapshotFact()),
            .linked(key(), user()),
            .succeeded(key(), by: key()),
            .dated(key()),
            .packCredited(
                PackKey(store: .appStore, environment: .sandbox, transactionID: text()),
                period()
            ),
            .periodMoved(
                PackKey(store: .appStore, environment: .sandbox, transactionID: text()),
                user(),
                move()
            ),
            .credited(user(), bucket()),
            .debtPaid(user(), [bucket()]),
            .merged(Fact(replacing: key(), replacement())),
            .packPartRefunded(
                PackKey(store: .appStore, environment: .sandbox, transactionID: text()),
                user(),
                [Bucket(source: text(), amount: 1)],
                owed: integer(),
                of: integer()
            ),
            .linked(key(), user(), at: moment()),
            .granted(user(), plan: text(), grant(plan: 0)),
            .grantRevoked(user(), random.next()),
            .settled(idempotencyKey(), settlement()),
            .noticed(notificationID()),
            .passed(tick(isAhead: false)),
            .passed(tick(isAhead: true)),
            .announced(notificationID(), StoreAnnouncement(.googlePlay, .purchaseToken("token"))),
            .announced(
                notificationID(),
                StoreAnnouncement(
                    .stripe,
                    .withdrawal(purchaseToken: "a", orderID: "b", at: Moment(5))
                )
            ),
            .announced(
                notificationID(),
                StoreAnnouncement(
                    .googlePlay,
                    .partialWithdrawal(purchaseToken: "token", at: Moment(6))
                )
            ),
            .catalogInstalled(catalogStamp()),
        ]
        events.shuffle(using: &random)
        return events
    }

    /// Each kind of command once.
    mutating func commands() -> [Command.Kind] {
        let facts = list(0..<3) { $0.fact() }
        return [
            .register(Registration(user: user(), token: token())),
            .record(
                Notification(
                    id: notificationID(),
                    type: text(),
                    subtype: text(),
                    document: digest(),
                    facts: facts
                )
            ),
            .link(Purchase(user: user(), facts: facts, claimed: list(0..<3) { $0.token() })),
            .grant(
                GrantOrder(
                    user: user(),
                    plan: text(),
                    key: idempotencyKey(),
                    fingerprint: digest(),
                    from: maybe { $0.moment() },
                    until: maybe { $0.moment() },
                    store: maybe { $0.key().store },
                    reason: text()
                )
            ),
            .merge(
                MergeOrder(
                    from: user(),
                    into: user(),
                    token: maybe { $0.token() },
                    key: idempotencyKey(),
                    fingerprint: digest()
                )
            ),
            .move(
                PurchaseMove(
                    store: key().store,
                    originalID: text(),
                    to: user(),
                    reason: text()
                )
            ),
            .revokeGrant(GrantRevocation(user: user(), grant: random.next(), reason: text())),
            .install(catalogStamp()),
        ]
    }
}
