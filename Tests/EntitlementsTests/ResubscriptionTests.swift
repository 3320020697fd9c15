import Entitlements
import Fixtures
import Testing

/// Whose a subscription is that was bought again outside the app: of the purchase before Google
/// names the token, and the account id that the app gave then.
@Suite struct ResubscriptionTests {
    private static let former = key("a1")
    private static let again = key("a2")
    private static let aliceToken = Sample.token(1)
    private static let bobToken = Sample.token(2)

    private var ledger = MemoryLedger()

    private static func key(_ id: String) -> SubscriptionKey {
        SubscriptionKey(store: .googlePlay, environment: .production, originalID: id)
    }

    private static func state(
        _ key: SubscriptionKey,
        _ code: StatusCode = .active,
        told day: Int64,
        _ change: (inout TransactionFact) -> Void
    ) -> Fact {
        var one = Sample.month("GPA.\(key.originalID)", at: day, product: "best")
        one.version = Sample.version(day)
        one.reason = "PURCHASE"
        change(&one)
        let status = StatusFact(version: one.version, code)
        return Fact(snapshotOf: key, status: status, transactions: [one])
    }

    /// The purchase of alice that has expired.
    private static let expired = state(former, .expired, told: 0) { $0.token = aliceToken }

    /// It was bought again, and Google names alice's account id of then.
    private static let resubscribed = state(again, told: 40) {
        $0.reason = TransactionFact.resubscription
        $0.token = aliceToken
        $0.terms.previousOriginalID = former.originalID
    }

    /// The same once it is acknowledged: Google names the purchase before no more.
    private static let acknowledged = state(again, told: 40) { $0.version = Sample.version(41) }

    /// It was bought again with an account id of its own.
    private static let ownAccount = state(again, told: 40) {
        $0.token = aliceToken
        $0.terms.previousOriginalID = former.originalID
    }

    private static let moved = Command.Kind.move(
        PurchaseMove(store: .googlePlay, originalID: "a1", to: Sample.bob, reason: "")
    )

    private mutating func submit(_ kind: Command.Kind) -> Outcome {
        ledger.submit(kind, at: Sample.after(45), under: Policy(.init()))
    }

    private mutating func register() {
        _ = submit(Sample.register(Sample.alice, Self.aliceToken))
        _ = submit(Sample.register(Sample.bob, Self.bobToken))
    }

    private var owners: [UserID?] {
        [Self.former, Self.again].map { ledger.subscriptions[$0]?.owner }
    }

    @Test func `it goes to whoever has the purchase before, in every order`() {
        let kinds: [Command.Kind] = [
            .learn([Self.expired]), .learn([Self.resubscribed]), .learn([Self.acknowledged]),
        ]
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        for order in orders {
            for place in 0...order.count {
                var test = self
                test.register()
                for (number, kind) in order.enumerated() {
                    if number == place { _ = test.submit(Self.moved) }
                    _ = test.submit(.learn(kinds[kind].facts))
                }
                // Support can move what is known alone.
                _ = test.submit(Self.moved)
                #expect(test.owners == [Sample.bob, Sample.bob], "\(order), \(place)")
            }
        }
    }

    @Test mutating func `where the purchase before is not known, its account id decides`() {
        register()
        _ = submit(.learn([Self.resubscribed]))
        #expect(owners == [nil, Sample.alice])
        _ = submit(.learn([Self.acknowledged]))
        #expect(owners == [nil, Sample.alice])
        // Another user cannot have it by showing it.
        let theft = Purchase(user: Sample.bob, facts: [Self.resubscribed], claimed: [Self.bobToken])
        #expect(submit(.link(theft)) == .conflict(.owned))
    }

    @Test mutating func `a registration of its account id takes it where nobody has it`() {
        _ = submit(.learn([Self.resubscribed]))
        #expect(owners == [nil, nil])
        _ = submit(Sample.register(Sample.alice, Self.aliceToken))
        #expect(owners == [nil, Sample.alice])
    }

    @Test mutating func `who has the purchase before may show it, and nobody else`() {
        register()
        _ = submit(.learn([Self.expired]))
        _ = submit(Self.moved)
        let theft = Purchase(
            user: Sample.alice,
            facts: [Self.resubscribed],
            claimed: [Self.aliceToken]
        )
        #expect(submit(.link(theft)) == .conflict(.owned))
        let shown = Purchase(
            user: Sample.bob,
            facts: [Self.resubscribed],
            claimed: [Self.bobToken]
        )
        #expect(submit(.link(shown)) == .linked(applied: true))
        #expect(owners == [Sample.bob, Sample.bob])
    }

    @Test mutating func `an account id of its own decides against whoever has the one before`() {
        register()
        _ = submit(.learn([Self.expired]))
        _ = submit(Self.moved)
        _ = submit(.learn([Self.ownAccount]))
        #expect(owners == [Sample.bob, Sample.alice])
    }
}
