import JSON
import Testing

@testable import AppStoreSimulator

/// What actions do to a line, as the App Store would do it.
struct LineTests {
    @Test func `a renewal is announced before the period that it pays`() throws {
        var counter = try Counter.subscribed()
        let end = counter.customer.paidUntil(at: counter.till.now)
        counter.pass(days: 29.5)
        let renewed = try #require(try counter.act(.renewEarly).transaction)
        #expect(renewed["purchaseDate"]?.int64 == end)
        #expect(try #require(renewed["purchaseDate"]?.int64) > counter.till.now)
        #expect(renewed["transactionReason"] == "RENEWAL")
        #expect(renewed["originalTransactionId"]?.string == counter.customer.originalID)
        #expect(renewed["transactionId"]?.string != counter.customer.originalID)
        #expect(counter.customer.paidUntil(at: counter.till.now) == (end ?? 0) + Counter.month)
    }

    @Test func `a late renewal pays the period that holds now`() throws {
        var counter = try Counter.subscribed()
        counter.pass(days: 75)
        let renewed = try #require(try counter.act(.renew).transaction)
        let (start, end) = (renewed["purchaseDate"]?.int64, renewed["expiresDate"]?.int64)
        #expect(try #require(start) <= counter.till.now && #require(end) > counter.till.now)
    }

    @Test func `recovery within grace keeps the cycle, after it begins a new one`() throws {
        var counter = try Counter.subscribed()
        counter.pass(days: 31)
        let end = counter.customer.paidUntil(at: counter.till.now)
        _ = try counter.act(.failToRenew)
        let copy = counter
        let kept = try #require(try counter.act(.recover).transaction)
        #expect(kept["purchaseDate"]?.int64 == end)
        counter = copy
        counter.pass(days: 16)
        _ = try counter.act(.graceExpires)
        let fresh = try counter.act(.recover)
        #expect(fresh.transaction?["purchaseDate"]?.int64 == counter.till.now)
        #expect(fresh.renewal?["isInBillingRetryPeriod"] == nil)
        #expect(fresh.renewal?["gracePeriodExpiresDate"] == nil)
    }

    @Test func `an upgrade replaces the period at once and may end sooner`() throws {
        var counter = Counter()
        _ = try counter.act(.subscribe) { $0.product = "paid.yearly" }
        let old = try #require(counter.customer.current(at: counter.till.now))
        let new = try #require(
            try counter.act(.upgrade) { $0.product = "premium.monthly" }.transaction
        )
        #expect(try #require(new["expiresDate"]?.int64) < old.expiresDate ?? 0)
        #expect(try counter.customer.transaction(old.id).isUpgraded)
        // Asked for later, the old one says that it was upgraded.
        let asked = try counter.act(.consumptionRequest) { $0.transaction = .number(old.id) }
        #expect(asked.transaction?["isUpgraded"] == true)
    }

    @Test func `a downgrade waits for the renewal and turns it on`() throws {
        var counter = Counter()
        _ = try counter.act(.subscribe) { $0.product = "premium.monthly" }
        _ = try counter.act(.cancel)
        let down = try counter.act(.downgrade) { $0.product = "paid.monthly" }
        #expect(down.transaction?["productId"] == "com.example.app.premium.monthly")
        #expect(down.renewal?["autoRenewProductId"] == "com.example.app.paid.monthly")
        #expect(down.renewal?["autoRenewStatus"] == 1)
        let renewed = try counter.act(.renew)
        #expect(renewed.transaction?["productId"] == "com.example.app.paid.monthly")
    }

    @Test func `an old period is refunded while the subscription goes on`() throws {
        var counter = try Counter.subscribed()
        counter.pass(days: 29.5)
        _ = try counter.act(.renew)
        counter.pass(days: 3)
        let refund = try counter.act(.refund) { $0.transaction = .previous }
        #expect(refund.object["status"] == 1)
        let expires = try #require(refund.transaction?["expiresDate"]?.int64)
        #expect(expires < counter.till.now)
        #expect(refund.renewal?["autoRenewStatus"] == 1)
    }

    @Test func `an offer for the next period comes with it and is used up`() throws {
        var counter = try Counter.subscribed()
        let redeemed = try counter.act(.redeemOffer)
        #expect(redeemed.transaction?["offerType"] == nil)
        #expect(redeemed.renewal?["offerType"] == 3)
        let renewed = try counter.act(.renew)
        #expect(renewed.transaction?["offerType"] == 3)
        #expect(renewed.renewal?["offerType"] == nil)
    }

    @Test func `an extension moves the end of the same transaction`() throws {
        var counter = try Counter.subscribed()
        let end = try #require(counter.customer.paidUntil(at: counter.till.now))
        let extended = try counter.act(.extend) { $0.days = 10 }
        #expect(extended.transaction?["transactionId"]?.string == counter.customer.originalID)
        #expect(extended.transaction?["expiresDate"]?.int64 == end + 10 * 60_000)
        #expect(extended.renewal?["renewalDate"]?.int64 == end + 10 * 60_000)
    }

    @Test func `a resubscription keeps the line's number, whatever the product`() throws {
        var counter = try Counter.subscribed()
        let line = counter.customer.originalID
        counter.pass(days: 90)
        let again = try counter.act(.resubscribe) { $0.product = "premium.monthly" }
        #expect(again.transaction?["originalTransactionId"]?.string == line)
        #expect(again.transaction?["transactionReason"] == "PURCHASE")
    }

    @Test func `no two documents of a customer carry one moment, and numbers are unique`() throws {
        var counter = Counter(.sandbox)
        var signed: [Int64] = []
        var ids: Set<String> = []
        for round in 0..<50 {
            signed.append(
                try counter.customer.perform(.subscribe, .init(), &counter.till).signedDate
            )
            signed.append(try counter.customer.perform(.cancel, .init(), &counter.till).signedDate)
            let id = try #require(counter.customer.transactions.last?.id)
            #expect(id.count == 16 && id.hasPrefix("2") && Int64(id) != nil)
            #expect(ids.insert(id).inserted, "round \(round)")
            signed.append(try counter.customer.perform(.refund, .init(), &counter.till).signedDate)
        }
        #expect(zip(signed, signed.dropFirst()).allSatisfy { $0 < $1 })
        #expect(ids.count == 50)
    }

    static let refused: [(StoreAction, days: Double)] = [
        (.subscribe, 0), (.resume, 0), (.failToRenew, 0), (.expire, 0), (.recover, 0),
        (.graceExpires, 0), (.revoke, 0), (.refundReversed, 0), (.cancelDowngrade, 0),
        (.upgrade, 0), (.downgrade, 0), (.buy, 0), (.renewEarly, 31), (.extend, 31),
    ]

    @Test(arguments: refused)
    func `what the App Store would not do is refused and changes nothing`(
        action: StoreAction,
        days: Double
    ) throws {
        var counter = try Counter.subscribed()
        counter.pass(days: days)
        let before = counter.customer
        #expect(throws: StoreRefusal.self) { try counter.act(action) }
        #expect(counter.customer == before)
    }

    @Test(arguments: StoreAction.allCases.filter { ![.subscribe, .buy].contains($0) })
    func `who has bought nothing has nothing to change`(action: StoreAction) throws {
        var counter = Counter()
        #expect(throws: StoreRefusal.self) {
            try counter.act(action) { $0.product = "premium.monthly" }
        }
    }
}
