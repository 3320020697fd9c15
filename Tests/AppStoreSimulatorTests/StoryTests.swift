import Foundation
import JSON
import SimulatorSupport
import Testing

@testable import AppStoreSimulator

/// What customers do less often: in notifications, and as the store's API tells of it.
struct StoryTests {
    private func ids(_ answer: JSONValue) throws -> [JSONValue] {
        try #require(answer["signedTransactions"]?.array)
    }

    @Test func `an upgrade while a renewal is announced replaces it, as the history tells`()
        async throws
    {
        let store = try OpenStore()
        let first = try store.act("alice", .subscribe) { $0.product = "paid.monthly" }
        store.pass(days: 29.5)
        let announced = try store.act("alice", .renewEarly)
        let upgraded = try store.act("alice", .upgrade) { $0.product = "premium.monthly" }
        #expect(upgraded.kind.description == "DID_CHANGE_RENEWAL_PREF/UPGRADE")
        let line = try #require(first.originalID)
        for days in [0.0, 2] {
            store.pass(days: days)
            let statuses = try await store.get("v1/subscriptions/\(line)")
            let item = statuses["data"]?.array?[0]["lastTransactions"]?.array?[0]
            let last = try store.genuine(item?["signedTransactionInfo"])
            #expect(last["transactionId"]?.string == upgraded.transactionID)
            #expect(last["isUpgraded"] == nil && item?["status"] == 1)
        }
        let history = try ids(try await store.get("v2/history/\(line)"))
            .map { try store.genuine($0) }
        let replaced = history.filter { $0["isUpgraded"] == true }
            .map { $0["transactionId"]?.string }
        #expect(replaced.contains(announced.transactionID) && replaced.count == 2)
    }

    @Test func `an announced renewal is refunded, and the present period stays paid`() throws {
        var counter = try Counter.subscribed()
        counter.pass(days: 29.5)
        #expect(throws: StoreRefusal.self) {
            try counter.act(.refund) { $0.transaction = .announced }
        }
        _ = try counter.act(.renewEarly)
        let end = try #require(counter.customer.current(at: counter.till.now)?.expiresDate)
        let refunded = try counter.act(.refund) { $0.transaction = .announced }
        let payload = try #require(refunded.transaction)
        #expect(payload["revocationDate"]?.int64 ?? 0 < payload["purchaseDate"]?.int64 ?? 0)
        #expect(counter.customer.paidUntil(at: counter.till.now) == end)
        #expect(refunded.object["status"] == 1)
    }

    @Test func `one of three is refunded by its share`() async throws {
        let store = try OpenStore()
        let bought = try store.act("alice", .buy) {
            $0.product = "credits.10"
            $0.quantity = 3
        }
        let id = try #require(bought.transactionID)
        #expect(throws: StoreRefusal.self) {
            try store.act("alice", .refund) {
                $0.transaction = .purchase
                $0.units = 4
            }
        }
        try store.act("alice", .refund) {
            $0.transaction = .purchase
            $0.units = 1
        }
        let refunds = try ids(try await store.get("v2/refund/lookup/\(id)"))
        let refund = try store.genuine(refunds.first)
        #expect(refund["revocationPercentage"] == 33_333 && refund["quantity"] == 3)
        #expect(refund["revocationType"] == "REFUND_PRORATED")
        let other = try store.act("bob", .buy) {
            $0.product = "credits.10"
            $0.quantity = 2
        }
        try store.act("bob", .refund) {
            $0.transaction = .number(other.transactionID ?? "")
            $0.units = 2
        }
        let whole = try ids(try await store.get("v2/refund/lookup/\(other.transactionID ?? "")"))
        #expect(try store.genuine(whole.first)["revocationType"] == "REFUND_FULL")
    }

    @Test func `a year that is paid by the month has twelve payments, then twelve more`() throws {
        var counter = Counter()
        #expect(throws: StoreRefusal.self) {
            try counter.act(.subscribe) {
                $0.product = "paid.monthly"
                $0.isMonthly = true
            }
        }
        let first = try counter.act(.subscribe) {
            $0.product = "paid.yearly"
            $0.isMonthly = true
        }
        let began = try #require(first.transaction?["purchaseDate"]?.int64)
        let year = began + 360 * 60_000
        func check(_ notification: SimulatedNotification, _ number: Int64, until end: Int64) {
            let payload = notification.transaction
            #expect(payload?["billingPlanType"] == "MONTHLY")
            #expect(
                payload?["commitmentInfo"] == [
                    "billingPeriodNumber": .integer(number), "totalBillingPeriods": 12,
                    "commitmentPrice": 49_990, "commitmentExpiresDate": .integer(end),
                ]
            )
            #expect(payload?["price"] == 4_165)
            let renewal = notification.renewal?["commitmentInfo"]
            #expect(renewal?["commitmentRenewalDate"]?.int64 == end)
            #expect(notification.renewal?["renewalPrice"] == 4_165)
        }
        check(first, 1, until: year)
        for number in Int64(2)...13 {
            counter.pass(days: 30)
            let renewed = try counter.act(.renew)
            check(
                renewed,
                number == 13 ? 1 : number,
                until: number == 13 ? year + 360 * 60_000 : year
            )
        }
    }

    @Test func `who cancels a commitment pays to its end, and no longer`() throws {
        var counter = Counter()
        _ = try counter.act(.subscribe) {
            $0.product = "paid.yearly"
            $0.isMonthly = true
        }
        let cancelled = try #require(try counter.act(.cancel).renewal)
        #expect(cancelled["autoRenewStatus"] == 1)
        #expect(cancelled["commitmentInfo"]?["commitmentAutoRenewStatus"] == 0)
        #expect(throws: StoreRefusal.self) { try counter.act(.cancel) }
        let resumed = try #require(try counter.act(.resume).renewal)
        #expect(resumed["commitmentInfo"]?["commitmentAutoRenewStatus"] == 1)
        _ = try counter.act(.cancel)
        for number in 2...12 {
            counter.pass(days: 30)
            let renewed = try #require(try counter.act(.renew).renewal)
            #expect(renewed["autoRenewStatus"]?.int64 == (number == 12 ? 0 : 1))
        }
        counter.pass(days: 31)
        #expect(throws: StoreRefusal.self) { try counter.act(.renew) }
        #expect(try counter.act(.expire).kind.description == "EXPIRED/VOLUNTARY")
    }

    @Test func `a migrated line is known by both numbers`() async throws {
        let store = try OpenStore()
        let first = try store.act("alice", .subscribe) { $0.product = "paid.monthly" }
        let old = try #require(first.originalID)
        let new = try #require(try store.act("alice", .migrate).originalID)
        #expect(new != old)
        for number in [old, new] {
            let statuses = try await store.get("v1/subscriptions/\(number)")
            let item = statuses["data"]?.array?[0]["lastTransactions"]?.array?[0]
            let last = try store.genuine(item?["signedTransactionInfo"])
            #expect(last["originalTransactionId"]?.string == new)
            #expect(last["previousOriginalTransactionId"]?.string == old)
        }
        store.pass(days: 29.5)
        let renewed = try store.act("alice", .renew)
        #expect(renewed.originalID == new)
    }

    @Test func `another account of the app buys with the same Apple account`() async throws {
        let store = try OpenStore()
        let (one, two) = (UUID().uuidString.lowercased(), UUID().uuidString.lowercased())
        let first = try store.act("alice", .subscribe, token: one) { $0.product = "paid.monthly" }
        try store.act("alice", .cancel)
        store.pass(days: 31)
        try store.act("alice", .expire)
        let again = try store.act("alice", .resubscribe, token: two)
        #expect(again.originalID == first.originalID && again.transactionID != first.transactionID)
        let history = try ids(try await store.get("v2/history/\(again.transactionID ?? "")"))
        let tokens = try history.map { try store.genuine($0)["appAccountToken"]?.string }
        #expect(Set(tokens) == [one, two])
    }

    @Test func `who comes back after a year begins anew, in the same line`() throws {
        var counter = try Counter.subscribed()
        let line = counter.customer.originalID
        _ = try counter.act(.cancel)
        counter.pass(days: 31)
        _ = try counter.act(.expire)
        counter.pass(days: 360)
        let again = try counter.act(.resubscribe)
        #expect(again.kind.description == "SUBSCRIBED/RESUBSCRIBE")
        #expect(again.transaction?["originalTransactionId"]?.string == line)
        let renewal = try #require(again.renewal)
        #expect(renewal["autoRenewStatus"] == 1 && renewal["expirationIntent"] == nil)
        #expect(renewal["recentSubscriptionStartDate"] == again.transaction?["purchaseDate"])
    }

    @Test func `lives with stories have all of them, and others are as they were`() {
        let settings = StoreSettings(time: StoreTime(monthMilliseconds: Counter.month))
        var seen: Set<String> = []
        for number in 0..<400 {
            var till = Till(settings, now: Counter.start)
            var customer = Subscriber("c\(number)", at: &till)
            var plan = LifePlan(seed: 7, number: UInt64(number), months: 24, stories: true)
            while let step = plan.next(for: customer, settings, now: till.now) {
                till.now = max(till.now, step.moment)
                let isAnnounced = customer.transactions.contains {
                    $0.purchaseDate > till.now && !$0.isUpgraded
                }
                let before = till.now - (customer.paidUntil(at: till.now) ?? till.now)
                guard let told = try? step.happen(to: &customer, &till) else { continue }
                if isAnnounced, step.action == .upgrade { seen.insert("upgrade") }
                if step.words.transaction == .announced { seen.insert("announced") }
                if step.words.units != nil { seen.insert("units") }
                if step.words.percentage == 40 { seen.insert("percentage") }
                if step.words.isMonthly { seen.insert("commitment") }
                if step.action == .migrate { seen.insert("migrate") }
                if step.action == .refundItem { seen.insert("item") }
                if step.action == .resubscribe, before > 300 * 60_000 { seen.insert("former") }
                if let token = step.token {
                    #expect(told.transaction?["appAccountToken"]?.string == token)
                    #expect(token.utf8.count == 36 && customer.transactions[0].token == nil)
                    seen.insert("account")
                }
            }
        }
        #expect(
            seen == [
                "upgrade", "announced", "units", "percentage", "commitment", "migrate", "former",
                "account", "item",
            ]
        )
    }
}
