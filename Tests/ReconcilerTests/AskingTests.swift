import Entitlements
import Testing

@testable import Reconciler

/// About which subscriptions the store is asked, by what it said of them.
@Suite struct AskingTests {
    private static let day: Int64 = 86_400_000
    private static let start = Moment(1_750_000_000_000)
    private static let key = SubscriptionKey(
        store: .appStore,
        environment: .production,
        originalID: "200000"
    )

    private static func after(_ days: Int64, _ milliseconds: Int64 = 0) -> Moment {
        start.advanced(byMilliseconds: days * day + milliseconds)
    }

    private static func version(_ signed: Moment) -> Version {
        Version(signed: signed, digest: Digest256(0, 0, 0, UInt64(signed.milliseconds)))
    }

    /// A month that begins so many days after the start.
    private static func month(_ id: String, from days: Int64) -> TransactionFact {
        var month = TransactionFact(
            id: id,
            version: version(after(days)),
            productID: "monthly",
            purchased: after(days)
        )
        month.expires = after(days + 30)
        month.kind = "Auto-Renewable Subscription"
        return month
    }

    private func told(_ facts: Fact...) -> Subscription {
        facts.reduce(into: Subscription(key: Self.key)) { subscription, fact in
            _ = subscription.merge(fact)
        }
    }

    @Test func `a grace period that was announced without an end is asked about`() {
        var renewal = RenewalFact(version: Self.version(Self.after(30, 60_000)))
        renewal.autoRenew = true
        renewal.isInBillingRetry = true
        var fact = Fact(key: Self.key, transaction: Self.month("1", from: 0), renewal: renewal)
        fact.status = StatusFact(version: renewal.version, code: 4)
        let now = Self.after(31)
        #expect(told(fact).unheardRenewal(at: now) == Self.after(30))
        #expect(told(fact).isMissed(at: now))
    }

    @Test func `who pays in a grace period, or while the card is tried, is asked about`() {
        var renewal = RenewalFact(version: Self.version(Self.after(30, 60_000)))
        renewal.autoRenew = true
        renewal.isInBillingRetry = true
        renewal.graceUntil = Self.after(46)
        var fact = Fact(key: Self.key, transaction: Self.month("1", from: 0), renewal: renewal)
        fact.status = StatusFact(version: renewal.version, code: 4)
        // Before the grace ends, and after it.
        for now in [Self.after(31), Self.after(46, -60_000), Self.after(46, 60_000)] {
            #expect(told(fact).unheardRenewal(at: now) == Self.after(46))
            #expect(told(fact).isMissed(at: now))
        }
        #expect(told(fact).unheardRenewal(at: Self.after(90)) == nil)
        // Without a grace, and where it was said to be over, while the store tries the card.
        fact.renewal?.graceUntil = nil
        fact.status = StatusFact(version: renewal.version, code: 3)
        let ended = Fact(
            key: Self.key,
            status: StatusFact(version: Self.version(Self.after(46, 1)), code: 3)
        )
        #expect(told(fact).unheardRenewal(at: Self.after(31)) == Self.after(30))
        #expect(told(fact, ended).unheardRenewal(at: Self.after(47)) == Self.after(30))
        #expect(!told(fact).isMissed(at: Self.after(31)))
        // Not where the store has given up.
        let over = Fact(
            key: Self.key,
            status: StatusFact(version: Self.version(Self.after(47)), code: 2)
        )
        #expect(told(fact, ended, over).unheardRenewal(at: Self.after(48)) == nil)
    }

    /// An app may show the first of many periods, by an old receipt or its number.
    @Test(arguments: [91, 400, 4_000] as [Int64])
    func `what ended long ago may go on where nothing was said of its state since`(day: Int64) {
        let first = Fact(key: Self.key, transaction: Self.month("1", from: 0))
        let begun = Fact(
            key: Self.key,
            status: StatusFact(version: Self.version(Self.after(1)), code: 1)
        )
        let now = Self.after(day)
        for kept in [told(first), told(first, begun)] {
            #expect(kept.unheardRenewal(at: now) == Self.after(30))
            #expect(kept.isSwept(at: now))
            #expect(!kept.isMissed(at: now), "no message was lost")
        }
        let over = Fact(
            key: Self.key,
            status: StatusFact(version: Self.version(now), code: 2)
        )
        let kept = told(first, begun, over)
        #expect(kept.unheardRenewal(at: now) == nil && !kept.isSwept(at: now))
    }

    @Test func `what was turned off in a former life keeps nobody from asking`() {
        var off = RenewalFact(version: Self.version(Self.after(5)))
        off.autoRenew = false
        let first = Fact(key: Self.key, transaction: Self.month("1", from: 0), renewal: off)
        let ended = Fact(
            key: Self.key,
            status: StatusFact(version: Self.version(Self.after(30, 1)), code: 2)
        )
        #expect(told(first).unheardRenewal(at: Self.after(31)) == nil)
        let again = Fact(key: Self.key, transaction: Self.month("2", from: 400))
        let now = Self.after(431)
        #expect(told(first, ended, again).unheardRenewal(at: now) == Self.after(430))
        #expect(told(again, ended, first).unheardRenewal(at: now) == Self.after(430))
        // In the present life it does.
        off = RenewalFact(version: Self.version(Self.after(405)))
        off.autoRenew = false
        let offAgain = Fact(key: Self.key, renewal: off)
        #expect(told(first, ended, again, offAgain).unheardRenewal(at: now) == nil)
    }

    /// A whole state, told so many days after the start.
    private static func state(_ code: StatusCode, _ day: Int64, _ one: TransactionFact) -> Fact {
        var one = one
        one.version = version(after(day))
        let key = SubscriptionKey(
            store: .googlePlay,
            environment: .production,
            originalID: "token"
        )
        return Fact(
            snapshotOf: key,
            status: StatusFact(version: one.version, code, word: "WORD"),
            transactions: [one]
        )
    }

    private func stated(_ fact: Fact) -> Subscription {
        var subscription = Subscription(key: fact.key)
        _ = subscription.merge(fact)
        return subscription
    }

    @Test func `the sweep asks about what waits for its payment, and forgets it after a month`() {
        var month = Self.month("1", from: 0)
        month.expires = nil
        var pack = month
        pack.kind = TransactionFact.oneTimeKind
        for one in [month, pack] {
            let waiting = stated(Self.state(.pending, 0, one))
            #expect(waiting.isSwept(at: Self.after(29)))
            #expect(!waiting.isSwept(at: Self.after(31)))
            let cancelled = stated(Self.state(.expired, 1, one))
            #expect(!cancelled.isSwept(at: Self.after(2)))
        }
    }

    @Test func `the sweep asks about a pause for as long as a pause may last`() {
        let paused = stated(Self.state(.paused, 30, Self.month("1", from: 0)))
        #expect(paused.isSwept(at: Self.after(125)))
        #expect(!paused.isSwept(at: Self.after(131)))
        let expired = stated(Self.state(.expired, 30, Self.month("1", from: 0)))
        #expect(expired.isSwept(at: Self.after(32)))
        #expect(!expired.isSwept(at: Self.after(34)))
    }
}
