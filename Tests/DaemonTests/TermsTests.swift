import Fixtures
import Foundation
import Glibc
import JSON
import Testing
import Wire

/// Who did what, on which terms was bought, and all subscriptions, on a live daemon.
@Suite struct TermsTests {
    private func transaction(
        _ life: StoreLife,
        _ more: JSONObject,
        _ daemon: TestDaemon
    ) throws
        -> String
    {
        var payload = life.transaction(signed: daemon.voice.signingTime())
        for member in more.members { payload[member.key] = member.value }
        return try daemon.voice.sign(payload)
    }

    private var uid: JSONValue { .integer(Int64(getuid())) }

    @Test func `subscriptions come with what was paid, the best first`() throws {
        let daemon = try TestDaemon.started()
        let nobody = try daemon.call("getSubscriptions", ["userId": "nobody"])
        #expect(nobody == ["subscriptions": []])
        let token = try daemon.call("registerAccount", ["userId": "alice"])["appAccountToken"]
        var over = StoreLife(token: token?.string, expiresIn: -3)
        over.isTrial = true
        over.status = 2
        #expect(
            try daemon.deliver(daemon.voice.notification("SUBSCRIBED", about: over))
                == (200, "applied")
        )
        let committed = StoreLife(token: token?.string)
        let end = StoreVoice.now + 300 * StoreLife.day
        let signed = try transaction(
            committed,
            [
                "price": 4_990, "currency": "EUR", "storefront": "DEU", "offerType": 2,
                "offerIdentifier": "spring", "offerDiscountType": "PAY_AS_YOU_GO",
                "offerPeriod": "P1M", "billingPlanType": "MONTHLY",
                "commitmentInfo": [
                    "billingPeriodNumber": 1, "totalBillingPeriods": 12,
                    "commitmentPrice": 59_880, "commitmentExpiresDate": .integer(end),
                ],
            ],
            daemon
        )
        let renewal = try daemon.voice.sign(
            {
                var payload = committed.renewal(signed: daemon.voice.signingTime())
                payload["commitmentInfo"] = ["commitmentAutoRenewStatus": 0]
                return payload
            }()
        )
        _ = try daemon.call(
            "verifyPurchase",
            [
                "userId": "alice", "signedTransaction": .string(signed),
                "signedRenewalInfo": .string(renewal),
            ]
        )
        let found = try daemon.call("getSubscriptions", ["userId": "alice"])["subscriptions"]
        let all = try #require(found?.array)
        #expect(all.count == 2)
        #expect(all[0]["originalTransactionId"]?.string == committed.originalID)
        #expect(all[0]["givesAccess"] == true)
        #expect(all[0]["status"] == "cancelled")
        #expect(all[0]["autoRenew"] == true)
        #expect(all[0]["group"] == "21000000")
        #expect(all[0]["ownership"] == "PURCHASED")
        #expect(
            all[0]["offer"] == [
                "type": 2, "id": "spring", "discount": "PAY_AS_YOU_GO", "period": "P1M",
            ]
        )
        #expect(all[0]["price"] == 4_990)
        #expect(all[0]["currency"] == "EUR")
        #expect(all[0]["storefront"] == "DEU")
        #expect(all[0]["billingPlan"] == "MONTHLY")
        #expect(all[0]["commitmentExpiresAt"]?.string == TimeText.text(end))
        #expect(all[1]["originalTransactionId"]?.string == over.originalID)
        #expect(all[1]["givesAccess"] == false)
        #expect(all[1]["status"] == "expired")
        #expect(all[1]["price"] == 0)
        #expect(
            all[1]["offer"] == ["type": 1, "id": nil, "discount": "FREE_TRIAL", "period": "P1W"]
        )
        #expect(all[1]["commitmentExpiresAt"] == .null)
        // The one that a status shows is one of them.
        let shown = try #require(daemon.status("alice")["subscription"]?.object)
        for member in shown.members { #expect(all[0][member.key] == member.value) }
        // What is on disk is what was answered.
        daemon.killAtOnce()
        try daemon.start()
        #expect(try daemon.call("getSubscriptions", ["userId": "alice"])["subscriptions"] == found)
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
    }

    @Test func `a history says who did what, and what a store said in its own words`() throws {
        let daemon = try TestDaemon.started()
        let token = try daemon.call("registerAccount", ["userId": "alice"])["appAccountToken"]
        let life = StoreLife(token: token?.string)
        let notice = try daemon.voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life)
        #expect(try daemon.deliver(notice) == (200, "applied"))
        _ = try daemon.call(
            "grantCredits",
            [
                "userId": "alice", "amount": 7, "idempotencyKey": "g", "source": "support",
                "reason": "ticket 12",
            ],
            admin: true
        )
        let given = try daemon.call(
            "grantEntitlement",
            ["userId": "alice", "plan": "premium", "idempotencyKey": "p", "reason": "gift"],
            admin: true
        )
        let grant = given["grant"] ?? .null
        _ = try daemon.call(
            "revokeGrant",
            ["userId": "alice", "grant": grant, "reason": "mistake"],
            admin: true
        )
        let history = try daemon.call("getHistory", ["userId": "alice"])["events"]?.array ?? []
        let app: JSONValue = ["role": "app", "uid": uid]
        let admin: JSONValue = ["role": "admin", "uid": uid]
        #expect(history.map { $0["by"] } == [app, .null, admin, admin, admin])
        #expect(
            history.map { $0["detail"] } == [
                [:],
                [
                    "store": "app_store", "type": "SUBSCRIBED", "subtype": "INITIAL_BUY",
                    "productId": "com.example.monthly",
                    "transactionId": .string(life.transactionID), "price": 9_990,
                    "currency": "USD",
                ],
                ["amount": 7, "reason": "ticket 12", "source": "support"],
                ["plan": "premium", "grant": grant, "reason": "gift"],
                ["grant": grant, "reason": "mistake"],
            ]
        )
        let export = try daemon.call("exportUser", ["userId": "alice"], admin: true)
        let told = export["events"]?.array ?? []
        #expect(told.map { $0["by"] } == history.map { $0["by"] })
        #expect(told.map { $0["detail"] } == history.map { $0["detail"] })
        let facts = told.flatMap { $0["events"]?.array ?? [] }
            .compactMap { $0["transaction"]?["appTransactionId"] }
        #expect(facts == ["704000000000000000"])
        let why = try daemon.call("explain", ["userId": "alice"])
        let bought = why["facts"]?.array?.first?["transactions"]?.array?.first
        #expect(bought?["price"] == 9_990)
        #expect(bought?["subscriptionGroupIdentifier"] == "21000000")
        // What no answer needs stands in the journal alone.
        #expect(bought?["appTransactionId"] == nil)
        #expect(daemon.stop() == .exited(0))
    }
}
