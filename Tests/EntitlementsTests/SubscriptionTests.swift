import Entitlements
import Testing

@Suite struct SubscriptionTests {
    private var subscription = Subscription(key: Sample.key("1"))

    private mutating func merge(_ transaction: TransactionFact) -> Bool {
        subscription.merge(Fact(key: subscription.key, transaction: transaction))
    }

    @Test mutating func `the thirty-third transaction pushes out the oldest`() {
        let count = Limits.transactionsKeptMax
        for number in 1...count {
            #expect(merge(Sample.month("\(100 + number)", at: Int64(number))))
        }
        #expect(subscription.transactions.count == count)
        #expect(merge(Sample.month("200", at: 100)))
        #expect(subscription.transactions.count == count)
        #expect(subscription.transactions.first?.id == "102")
        // An older one than all that are kept does not come in, and is not news.
        #expect(!merge(Sample.month("50", at: 0)))
        #expect(subscription.transactions.first?.id == "102")
    }

    @Test mutating func `of nine tokens the greatest eight are remembered`() {
        let count = UInt64(Limits.tokensKeptMax)
        for number in (1...count + 1).reversed() {
            _ = merge(Sample.month("1\(number)", at: Int64(number), token: Sample.token(number)))
        }
        #expect(subscription.tokens == (2...count + 1).map { Sample.token($0) })
        // The one that decides is that of the newest transaction, kept or not.
        #expect(subscription.decidingToken == Sample.token(count + 1))
    }

    @Test mutating func `a token outlives the transaction that carried it`() {
        _ = merge(Sample.month("1", token: Sample.token(7)))
        for number in 1...Limits.transactionsKeptMax {
            _ = merge(Sample.month("\(100 + number)", at: Int64(number)))
        }
        #expect(!subscription.transactions.contains { $0.token != nil })
        #expect(subscription.decidingToken == Sample.token(7))
        #expect(subscription.everEntitled)
    }

    @Test(arguments: [false, true])
    mutating func `the digest decides before the id whose purchase it is, and what is current`(
        isReversed: Bool
    ) {
        // Begun and signed at one time; an erasure gives both other ids.
        var low = Sample.month("9", token: Sample.token(1))
        (low.version, low.reason) = (Sample.version(0, 1), "PURCHASE")
        var high = Sample.month("8", token: Sample.token(2))
        (high.version, high.reason) = (Sample.version(0, 99), "PURCHASE")
        for one in isReversed ? [high, low] : [low, high] { _ = merge(one) }
        #expect(subscription.decidingToken == Sample.token(2))
        #expect(subscription.bearer?.token == Sample.token(2))
        #expect(subscription.claims.map(\.token) == [Sample.token(1), Sample.token(2)])
        #expect(subscription.current(at: Sample.start)?.id == "8")
    }

    @Test mutating func `of two versions signed at one time the greater digest stays`() {
        var first = Sample.month("1")
        first.version = Sample.version(0, 5)
        var second = first
        second.version = Sample.version(0, 6)
        second.expires = Sample.after(1)
        #expect(merge(second))
        #expect(!merge(first))
        #expect(!merge(second))
        #expect(subscription.transactions == [second])
    }

    @Test mutating func `ever entitled needs a period that lasts`() {
        var empty = Sample.month("1")
        empty.expires = empty.purchased
        _ = merge(empty)
        #expect(!subscription.everEntitled)
        empty.expires = nil
        empty.version = Sample.version(1)
        _ = merge(empty)
        #expect(!subscription.everEntitled)
        var revoked = Sample.month("2")
        revoked.revoked = revoked.purchased
        _ = merge(revoked)
        #expect(subscription.everEntitled)
    }

    @Test mutating func `the current one is the latest begun, else the earliest to come`() {
        _ = merge(Sample.month("2", at: 30))
        _ = merge(Sample.month("3", at: 60))
        #expect(subscription.current(at: Sample.after(29))?.id == "2")
        #expect(subscription.current(at: Sample.after(30))?.id == "2")
        #expect(subscription.current(at: Sample.after(60))?.id == "3")
        var upgraded = Sample.month("4", at: 61)
        upgraded.isUpgraded = true
        _ = merge(upgraded)
        #expect(subscription.current(at: Sample.after(62))?.id == "3")
    }

    @Test mutating func `of two that begin together the newer version is current, then by id`() {
        var resigned = Sample.month("8")
        resigned.version = Sample.version(2)
        _ = merge(resigned)
        _ = merge(Sample.month("9"))
        #expect(subscription.current(at: Sample.after(3))?.id == "8")
        var equal = Sample.month("10")
        equal.version = Sample.version(2)
        _ = merge(equal)
        #expect(subscription.current(at: Sample.after(3))?.id == "10")
    }

    @Test mutating func `what is paid goes on through renewals without a gap, unrevoked`() {
        _ = merge(Sample.month("1"))
        _ = merge(Sample.month("2", at: 30))
        _ = merge(Sample.month("3", at: 59))
        _ = merge(Sample.month("4", at: 90))
        #expect(subscription.era(at: Sample.start)?.paidUntil == Sample.after(89))
        var revoked = Sample.month("2", at: 30)
        revoked.version = Sample.version(40)
        revoked.revoked = Sample.after(40)
        _ = merge(revoked)
        #expect(subscription.era(at: Sample.start)?.paidUntil == Sample.after(30))
        #expect(subscription.era(at: Sample.after(30))?.marks.contains(.revoked) == true)
        #expect(subscription.era(at: Sample.after(59))?.paidUntil == Sample.after(89))
    }

    @Test mutating func `eras begin where transactions do, equal ones too`() {
        _ = merge(Sample.month("1"))
        _ = merge(Sample.month("2", at: 30))
        _ = merge(Sample.month("3", at: 60, product: "yearly"))
        _ = merge(Sample.month("4", at: 60, product: "yearly"))
        let eras = subscription.eras(from: Sample.after(1))
        #expect(eras.map(\.from) == [Sample.start, Sample.after(30), Sample.after(60)])
        #expect(eras.map(\.productID) == ["monthly", "monthly", "yearly"])
        #expect(subscription.eras(from: Sample.after(61)).count == 1)
        #expect(Subscription(key: Sample.key("1")).eras(from: Sample.start).isEmpty)
    }

    @Test mutating func `a pack of credits has no era`() {
        var pack = Sample.month("1")
        pack.expires = nil
        pack.kind = "Consumable"
        _ = merge(pack)
        #expect(subscription.eras(from: Sample.start).isEmpty)
        pack.kind = "Non-Consumable"
        pack.version = Sample.version(1)
        _ = merge(pack)
        #expect(subscription.eras(from: Sample.start).map(\.paidUntil) == [.distantFuture])
    }

    /// The store's word, the renewal information, and what they make of the card.
    struct Billing: Sendable {
        let code: Int64?
        let statusDay: Int64
        let isRetrying: Bool
        let graceDay: Int64?
        let renewalDay: Int64
        let marks: EraMarks
        let grace: Int64?
    }

    @Test(arguments: [
        Billing(
            code: 4,
            statusDay: 31,
            isRetrying: true,
            graceDay: 36,
            renewalDay: 31,
            marks: [.billingProblem],
            grace: 36
        ),
        Billing(
            code: nil,
            statusDay: 0,
            isRetrying: true,
            graceDay: 36,
            renewalDay: 31,
            marks: [.billingProblem],
            grace: 36
        ),
        Billing(
            code: 4,
            statusDay: 31,
            isRetrying: true,
            graceDay: nil,
            renewalDay: 31,
            marks: [.billingProblem, .openGrace],
            grace: nil
        ),
        Billing(
            code: 3,
            statusDay: 37,
            isRetrying: true,
            graceDay: 36,
            renewalDay: 31,
            marks: [.billingProblem],
            grace: nil
        ),
        Billing(
            code: 3,
            statusDay: 31,
            isRetrying: false,
            graceDay: nil,
            renewalDay: 30,
            marks: [.billingProblem],
            grace: nil
        ),
        Billing(
            code: 2,
            statusDay: 37,
            isRetrying: true,
            graceDay: 36,
            renewalDay: 31,
            marks: [.saidExpired],
            grace: nil
        ),
        Billing(
            code: 2,
            statusDay: 30,
            isRetrying: true,
            graceDay: 36,
            renewalDay: 31,
            marks: [.saidExpired, .billingProblem],
            grace: 36
        ),
        Billing(
            code: 3,
            statusDay: 30,
            isRetrying: false,
            graceDay: nil,
            renewalDay: 31,
            marks: [.renews],
            grace: nil
        ),
        Billing(
            code: 1,
            statusDay: 31,
            isRetrying: false,
            graceDay: nil,
            renewalDay: 31,
            marks: [.renews],
            grace: nil
        ),
        Billing(
            code: 9,
            statusDay: 31,
            isRetrying: false,
            graceDay: 40,
            renewalDay: 31,
            marks: [.renews],
            grace: nil
        ),
    ])
    mutating func `the newer of the store's word and the renewal information counts`(
        _ row: Billing
    ) {
        var fact = Fact(key: subscription.key, transaction: Sample.month("1"))
        var renewal = RenewalFact(version: Sample.version(row.renewalDay))
        renewal.isInBillingRetry = row.isRetrying
        renewal.graceUntil = row.graceDay.map { Sample.after($0) }
        renewal.autoRenew = true
        fact.renewal = renewal
        fact.status = row.code.map {
            StatusFact(version: Sample.version(row.statusDay), code: $0)
        }
        _ = subscription.merge(fact)
        let era = subscription.era(at: Sample.after(31))
        #expect(era?.marks == row.marks)
        #expect(era?.graceUntil == row.grace.map { Sample.after($0) })
    }

    @Test mutating func `a status 5 revokes what was signed before it, not what came after`() {
        var fact = Fact(key: subscription.key, transaction: Sample.month("1", at: 5))
        fact.status = StatusFact(version: Sample.version(5), code: 5)
        _ = subscription.merge(fact)
        #expect(subscription.era(at: Sample.after(6))?.marks.contains(.revoked) == true)
        _ = merge(Sample.month("2", at: 8))
        #expect(subscription.era(at: Sample.after(9))?.marks.contains(.revoked) == false)
    }

    /// Each device that restores it has a transaction of its own, dated as of then.
    @Test(arguments: [false, true])
    mutating func `what was bought for good is refunded with all of its copies`(isLate: Bool) {
        var bought = Sample.month("1", at: 0, product: "lifetime")
        (bought.kind, bought.expires) = ("Non-Consumable", nil)
        var copy = bought
        (copy.id, copy.purchased, copy.version) = ("2", Sample.after(5), Sample.version(5))
        copy.terms = .ofReceipt
        var refunded = bought
        (refunded.version, refunded.revoked) = (Sample.version(9), Sample.after(9))
        for one in isLate ? [bought, refunded, copy] : [bought, copy, refunded] { _ = merge(one) }
        #expect(subscription.era(at: Sample.after(10))?.marks.contains(.revoked) == true)
        // It may be bought again, and a refund may be undone.
        var undone = bought
        undone.version = Sample.version(12)
        var again = bought
        (again.id, again.purchased, again.version) = ("3", Sample.after(11), Sample.version(11))
        for next in [undone, again] {
            var subscription = subscription
            _ = subscription.merge(Fact(key: subscription.key, transaction: next))
            #expect(subscription.era(at: Sample.after(13))?.marks.contains(.revoked) == false)
        }
    }

    @Test mutating func `what a receipt calls by another id is what was signed`() {
        var signed = Sample.month("1")
        (signed.offerType, signed.offerDiscount) = (3, "FREE_TRIAL")
        var told = Sample.month("2")
        told.version = Sample.version(1)
        told.terms = .ofReceipt
        for order in [[signed, told], [told, signed]] {
            for one in order { _ = merge(one) }
            #expect(subscription.era(at: Sample.after(2))?.marks.contains(.trial) == true)
            subscription = Subscription(key: Sample.key("1"))
        }
    }

    @Test(arguments: [false, true])
    mutating func `whoever leaves a family has nothing of it, also where a period is announced`(
        saysStatus: Bool
    ) {
        var month = Sample.month("1")
        month.ownership = "FAMILY_SHARED"
        var next = Sample.month("2", at: 30)
        (next.ownership, next.version) = ("FAMILY_SHARED", Sample.version(29))
        _ = merge(month)
        _ = merge(next)
        #expect(subscription.era(at: Sample.after(29))?.marks.contains(.revoked) == false)
        (next.version, next.revoked) = (
            Version(signed: Sample.after(29).advanced(byMilliseconds: 9), digest: Sample.digest(0)),
            Sample.after(29)
        )
        next.terms.revocationType = "FAMILY_REVOKE"
        var fact = Fact(key: subscription.key, transaction: next)
        if saysStatus { fact.status = StatusFact(version: next.version, code: 5) }
        _ = subscription.merge(fact)
        for day in [29, 31] as [Int64] {
            #expect(subscription.era(at: Sample.after(day))?.marks.contains(.revoked) == true)
        }
        // The family shares it again.
        var again = Sample.month("3", at: 32)
        again.ownership = "FAMILY_SHARED"
        _ = merge(again)
        #expect(subscription.era(at: Sample.after(33))?.marks.contains(.revoked) == false)
    }

    @Test(arguments: [false, true])
    mutating func `what is shared again before the period that was withdrawn holds at once`(
        isRenewalHeard: Bool
    ) {
        var month = Sample.month("1")
        month.ownership = "FAMILY_SHARED"
        _ = merge(month)
        var next = Sample.month("2", at: 30)
        (next.ownership, next.version) = ("FAMILY_SHARED", Sample.version(28))
        if isRenewalHeard { _ = merge(next) }
        (next.version, next.revoked) = (Sample.version(29), Sample.after(28))
        next.terms.revocationType = "FAMILY_REVOKE"
        var fact = Fact(key: subscription.key, transaction: next)
        fact.status = StatusFact(version: next.version, code: 5)
        _ = subscription.merge(fact)
        #expect(subscription.era(at: Sample.after(29))?.marks.contains(.revoked) == true)
        var again = Sample.month("3", at: 29)
        (again.ownership, again.version) = ("FAMILY_SHARED", Sample.version(30))
        _ = merge(again)
        for day in [29, 31, 58] as [Int64] {
            #expect(subscription.era(at: Sample.after(day))?.marks.contains(.revoked) == false)
        }
    }

    @Test mutating func `whoever leaves a family keeps the periods that were over`() {
        for (number, day) in [("1", 0), ("2", 30), ("3", 60)] as [(String, Int64)] {
            var month = Sample.month(number, at: day)
            (month.ownership, month.version) = ("FAMILY_SHARED", Sample.version(day))
            if number == "3" {
                (month.version, month.revoked) = (Sample.version(41), Sample.after(40))
            }
            _ = merge(month)
        }
        let shares = subscription.paidPeriods { _ in nil }.map(\.revokedShare)
        #expect(shares == [0, TransactionFact.wholeShare, TransactionFact.wholeShare])
    }

    @Test mutating func `a refund of a family's announced period leaves what is paid`() {
        var month = Sample.month("1")
        month.ownership = "FAMILY_SHARED"
        _ = merge(month)
        var next = Sample.month("2", at: 30)
        (next.ownership, next.version) = ("FAMILY_SHARED", Sample.version(29))
        (next.revoked, next.terms.revocationType) = (Sample.after(28), "REFUND_FULL")
        _ = merge(next)
        #expect(subscription.era(at: Sample.after(29))?.marks.contains(.revoked) == false)
        #expect(subscription.era(at: Sample.after(29))?.paidUntil == Sample.after(30))
    }

    @Test mutating func `a receipt that has an id of its own for a period revokes what was signed`()
    {
        let signed = Sample.month("1")
        var told = Sample.month("2")
        (told.version, told.revoked) = (Sample.version(5), Sample.after(4))
        told.terms = .ofReceipt
        var restored = Sample.month("3")
        restored.version = Sample.version(7)
        restored.terms = .ofReceipt
        for order in [[signed, told], [told, signed]] {
            subscription = Subscription(key: Sample.key("1"))
            for one in order { _ = merge(one) }
            #expect(subscription.era(at: Sample.after(6))?.marks.contains(.revoked) == true)
            #expect(subscription.revoked(signed) == told.revoked)
            #expect(subscription.paidPeriods { _ in nil }.first?.ends == told.revoked)
            // A newer one says that the refund was undone.
            _ = merge(restored)
            #expect(subscription.era(at: Sample.after(8))?.marks.contains(.revoked) == false)
        }
    }
}
