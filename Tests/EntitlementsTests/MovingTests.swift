import Entitlements
import Fixtures
import JSON
import Testing

/// movePurchase: support gives a purchase to a user.
@Suite struct MovingTests {
    private static let key = Sample.key("1")
    private static let carol = Sample.user("carol")
    private let policy = Policy(Policy.Source())
    private var ledger = MemoryLedger()

    private mutating func submit(_ kind: Command.Kind, onDay day: Int64 = 0) -> Outcome {
        ledger.submit(kind, at: Sample.after(day), under: policy)
    }

    private static func move(_ user: UserID, _ id: String = "1") -> Command.Kind {
        .move(PurchaseMove(store: .appStore, originalID: id, to: user, reason: "asked"))
    }

    private static func month(_ id: String, _ day: Int64, _ token: Token?) -> Fact {
        var transaction = Sample.month(id, at: day, token: token)
        transaction.reason = "PURCHASE"
        return Fact(key: key, transaction: transaction)
    }

    private var owner: UserID? { ledger.subscriptions[Self.key]?.owner }

    private mutating func begin() {
        _ = submit(Sample.register(Sample.alice, Sample.token(1)))
        let bought = Self.month("10", 0, Sample.token(1))
        _ = submit(.record(Sample.notification(1, [bought])))
    }

    @Test mutating func `a purchase is theirs to whom it is moved, as of that moment`() {
        begin()
        #expect(owner == Sample.alice)
        #expect(submit(Self.move(Sample.bob), onDay: 3) == .moved)
        #expect(owner == Sample.bob)
        #expect(ledger.accounts[Sample.alice]?.answer.slots.isEmpty == true)
        #expect(ledger.accounts[Sample.bob]?.answer.slots.isEmpty == false)
        #expect(ledger.accounts[Sample.alice]?.answer.flags.contains(.hadSubscription) == true)
        // A renewal with the token moves nothing; what is bought later with one does.
        var renewed = Self.month("11", 30, Sample.token(1))
        renewed.transaction?.reason = "RENEWAL"
        _ = submit(.record(Sample.notification(2, [renewed])), onDay: 30)
        #expect(owner == Sample.bob)
        let anew = Self.month("12", 70, Sample.token(1))
        _ = submit(.record(Sample.notification(3, [anew])), onDay: 70)
        #expect(owner == Sample.alice)
    }

    // The reason is about what is shown, and nothing is: the subscription is bob's. The paywall is
    // about hadSubscription, which stays true. So both words are right, each by its own rule.
    @Test mutating func `who gave a purchase away is told never_subscribed, and to resubscribe`() {
        begin()
        _ = submit(Self.move(Sample.bob), onDay: 3)
        guard let account = ledger.accounts[Sample.alice] else {
            Issue.record("no account")
            return
        }
        let known = Policy(Policy.Source(), numbering: ledger.numbering)
        let decision = account.answer.decision(
            ofCost: 1,
            at: Sample.after(4),
            under: known,
            sandboxes: .all
        )
        #expect(decision.reason == .neverSubscribed && decision.status == nil)
        let status = CoreStatus(
            account: account,
            policy: known,
            at: Sample.after(4),
            subscriptions: ledger.subscriptions
        )
        .reply
        #expect(status["paywall"] == "resubscribe" && status["hadSubscription"] == true)
        #expect(status["state"] == "free_no_credits" && status["subscription"] == .null)
    }

    @Test mutating func `what decided by a later clock of the store does not beat it`() {
        begin()
        _ = submit(.record(Sample.notification(2, [Self.month("11", 9, Sample.token(1))])))
        #expect(submit(Self.move(Sample.bob), onDay: 3) == .moved)
        #expect(owner == Sample.bob)
        #expect(submit(Self.move(Sample.alice), onDay: 2) == .moved)
        #expect(owner == Sample.alice)
    }

    @Test mutating func `what nobody knows is not moved, and begins no account`() {
        #expect(submit(Self.move(Sample.bob)) == .purchaseUnknown)
        #expect(ledger.accounts.isEmpty && ledger.journal.isEmpty)
    }

    @Test mutating func `where both environments have it, the real one is moved`() {
        begin()
        let sandbox = Sample.key("1", .sandbox)
        let bought = Sample.month("10", at: 0, token: Sample.token(1))
        let fact = Fact(key: sandbox, transaction: bought)
        _ = submit(.record(Sample.notification(2, [fact])))
        #expect(submit(Self.move(Sample.bob), onDay: 1) == .moved)
        #expect(owner == Sample.bob)
        #expect(ledger.subscriptions[sandbox]?.owner == Sample.alice)
    }

    @Test mutating func `whoever shared it does so no more`() {
        var source = Policy.Source()
        source.transferPolicy = .share
        begin()
        var shown = Self.month("10", 0, nil)
        shown.transaction?.version = Sample.version(5)
        _ = ledger.submit(
            .restore(Restoration(user: Self.carol, facts: [shown], claimed: [])),
            at: Sample.after(5),
            under: Policy(source)
        )
        #expect(ledger.subscriptions[Self.key]?.sharers == [Self.carol])
        #expect(submit(Self.move(Sample.bob), onDay: 6) == .moved)
        #expect(ledger.subscriptions[Self.key]?.users == [Sample.bob])
        #expect(ledger.accounts[Self.carol]?.subscriptions.isEmpty == true)
    }
}
