import Entitlements

/// Small records for tables.
enum Sample {
    static let day: Int64 = 86_400_000
    static let start = Moment(1_772_000_000_000)
    static let alice = user("alice")
    static let bob = user("bob")

    static func user(_ name: String) -> UserID {
        guard let user = UserID(name) else { preconditionFailure("\(name) is a user id") }
        return user
    }

    static func token(_ number: UInt64) -> Token {
        guard let token = Token(high: number, low: 1) else { preconditionFailure("not zero") }
        return token
    }

    static func digest(_ number: UInt64) -> Digest256 { Digest256(0, 0, 0, number) }

    static func key(_ id: String, _ environment: StoreEnvironment = .production) -> SubscriptionKey
    {
        SubscriptionKey(store: .appStore, environment: environment, originalID: id)
    }

    /// `days` after the start.
    static func after(_ days: Int64) -> Moment { start.advanced(byMilliseconds: days * day) }

    static func version(_ days: Int64, _ digest: UInt64 = 0) -> Version {
        Version(signed: after(days), digest: Sample.digest(digest))
    }

    /// A month of `product`, bought `days` after the start.
    static func month(
        _ id: String,
        at days: Int64 = 0,
        product: String = "monthly",
        token: Token? = nil
    ) -> TransactionFact {
        var fact = TransactionFact(
            id: id,
            version: version(days),
            productID: product,
            purchased: after(days)
        )
        fact.expires = after(days + 30)
        fact.kind = "Auto-Renewable Subscription"
        fact.token = token
        return fact
    }

    /// A slot that began at the start and is paid for 30 days.
    static func slot(
        marks: EraMarks = [],
        product: UInt32 = 0,
        environment: StoreEnvironment = .production,
        ordinal: UInt16 = 0,
        paidUntil: Moment = after(30),
        graceUntil: Moment = .distantPast
    ) -> Slot {
        Slot(
            ordinal: ordinal,
            store: .appStore,
            environment: environment,
            product: product,
            marks: marks,
            from: start,
            paidUntil: paidUntil,
            graceUntil: graceUntil
        )
    }

    static func grant(_ id: UInt64, plan: UInt32, until: Moment, from: Moment = start) -> Grant {
        Grant(id: id, plan: plan, from: from, until: until, storeCode: 0)
    }

    /// A notification with these facts.
    static func notification(_ number: UInt64, _ facts: [Fact]) -> Notification {
        Notification(
            id: NotificationID(signed: start, digest: digest(number)),
            type: "DID_RENEW",
            subtype: "",
            document: digest(number),
            facts: facts
        )
    }

    static func register(_ user: UserID, _ token: Token) -> Command.Kind {
        .register(Registration(user: user, token: token))
    }

    static func order(
        _ plan: String,
        key: UInt64,
        fingerprint: UInt64 = 0,
        until: Moment? = nil
    ) -> Command.Kind {
        .grant(
            GrantOrder(
                user: alice,
                plan: plan,
                key: IdempotencyKey(user: alice, digest: digest(key)),
                fingerprint: digest(fingerprint),
                from: nil,
                until: until,
                store: nil,
                reason: ""
            )
        )
    }
}
