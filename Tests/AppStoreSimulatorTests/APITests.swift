import CertificateAuthority
import Foundation
import JSON
import SimulatorSupport
import Testing

@testable import AppStoreSimulator

/// What the store's API answers about transactions and subscriptions, and what it changes.
struct APITests {
    @Test func `the status of a subscription comes with both documents`() async throws {
        let store = try OpenStore()
        let first = try store.act("alice", .subscribe, token: Counter.token)
        let line = try #require(first.originalID)
        let answer = try await store.get("v1/subscriptions/\(line)")
        #expect(answer["environment"] == "Production" && answer["bundleId"] == "com.example.app")
        #expect(answer["appAppleId"] == 1_234_567_890)
        let group = try #require(answer["data"]?.array?.first)
        #expect(group["subscriptionGroupIdentifier"]?.string == StoreSettings.group)
        let item = try #require(group["lastTransactions"]?.array?.first)
        #expect(item["status"] == 1 && item["originalTransactionId"]?.string == line)
        let transaction = try store.genuine(item["signedTransactionInfo"])
        #expect(transaction["transactionId"]?.string == line)
        #expect(try #require(transaction["signedDate"]?.int64) >= first.signedDate)
        #expect(try store.genuine(item["signedRenewalInfo"])["autoRenewStatus"] == 1)
    }

    @Test func `any number of the customer leads to the last transaction`() async throws {
        let store = try OpenStore()
        try store.act("alice", .subscribe) { $0.product = "paid.monthly" }
        store.pass(days: 29.5)
        let renewed = try store.act("alice", .renew)
        let alice = try #require(try store.directory.subscriber("alice"))
        let numbers = alice.transactions.map(\.id) + [alice.appTransactionID]
        #expect(numbers.count == 3)
        for number in numbers {
            let answer = try await store.get("v1/subscriptions/\(number)")
            let item = answer["data"]?.array?.first?["lastTransactions"]?.array?.first
            // It is announced and has not begun.
            let transaction = try store.genuine(item?["signedTransactionInfo"])
            #expect(transaction["transactionId"]?.string == renewed.transactionID)
            #expect(item?["status"] == 1)
        }
    }

    static let stories: [(Int64, [(days: Double, StoreAction)])] = [
        (1, [(0, .subscribe), (1, .cancel)]),
        (2, [(0, .subscribe), (1, .cancel), (31, .expire)]),
        (3, [(0, .subscribe), (31, .failToRenew), (17, .graceExpires)]),
        (4, [(0, .subscribe), (31, .failToRenew)]),
        (5, [(0, .subscribe), (1, .refund)]),
    ]

    @Test(arguments: stories)
    func `each status has its number, and can be asked for`(
        status: Int64,
        story: [(days: Double, StoreAction)]
    ) async throws {
        let store = try OpenStore(.sandbox)
        for step in story {
            store.pass(days: step.days)
            try store.act("alice", step.1) { $0.product = "paid.monthly" }
        }
        let line = try #require(try store.directory.subscriber("alice")?.originalID)
        let answer = try await store.get("v1/subscriptions/\(line)")
        let item = answer["data"]?.array?.first?["lastTransactions"]?.array?.first
        #expect(item?["status"]?.int64 == status)
        #expect(answer["appAppleId"] == nil && answer["environment"] == "Sandbox")
        for wanted in Int64(1)...5 {
            let some = try await store.get("v1/subscriptions/\(line)?status=\(wanted)")
            #expect((some["data"]?.array?.isEmpty == false) == (wanted == status))
        }
        let both = try await store.get("v1/subscriptions/\(line)?status=1&status=\(status)")
        #expect(both["data"]?.array?.count == 1)
        #expect(
            try await store.ask("GET", "v1/subscriptions/\(line)?status=6")["errorCode"]
                == 4_000_031
        )
    }

    @Test func `a document says how things stand, and never ties with a later one`() async throws {
        let store = try OpenStore()
        let first = try store.act("alice", .subscribe)
        let line = try #require(first.originalID)
        store.pass(milliseconds: 10)
        let before = try await store.get("v1/transactions/\(line)")["signedTransactionInfo"]
        // In the same millisecond the customer gets the money back.
        var till = Till(store.books.settings, now: store.now)
        let refund = try store.books.change("alice", &till) { customer, till in
            try customer.perform(.refund, .init(), &till)
        }
        let after = try await store.get("v1/transactions/\(line)")["signedTransactionInfo"]
        let (old, new) = (try store.genuine(before), try store.genuine(after))
        #expect(old["revocationDate"] == nil && new["revocationDate"] != nil)
        let dates = [old, new].compactMap { $0["signedDate"]?.int64 }
        #expect(first.signedDate <= dates[0] && dates[0] < refund.signedDate)
        #expect(refund.signedDate <= dates[1])
    }

    @Test func `single purchases have a transaction and no status`() async throws {
        let store = try OpenStore()
        let bought = try store.act("alice", .buy) { $0.product = "credits.10" }
        let id = try #require(bought.transactionID)
        let document = try await store.get("v1/transactions/\(id)")["signedTransactionInfo"]
        #expect(try store.genuine(document)["productId"] == "com.example.app.credits.10")
        #expect(try await store.get("v1/subscriptions/\(id)")["data"] == [])
        let order = try await store.get("v1/lookup/M\(id)")
        #expect(order["status"] == 0)
        let ordered = try store.genuine(order["signedTransactions"]?.array?.first)
        #expect(ordered["transactionId"]?.string == id)
        #expect(try await store.get("v1/lookup/M1") == ["status": 1])
    }

    @Test(arguments: [
        ("GET", "v1/subscriptions/123", 4_040_010), ("GET", "v1/transactions/123", 4_040_010),
        ("GET", "v2/history/123", 4_040_010), ("GET", "v2/refund/lookup/123", 4_040_010),
        ("PUT", "v2/transactions/consumption/123", 4_040_010),
        ("PUT", "v1/transactions/123/appAccountToken", 4_040_005),
        ("GET", "v1/subscriptions/abc", 4_000_006), ("GET", "v1/transactions/1%202", 4_000_006),
        ("GET", "v2/history/123456789012345678901", 4_000_006),
        ("GET", "v1/notifications/test/abc", 4_000_020),
        (
            "GET", "v1/notifications/test/7e3fb20b-4cdb-47cc-936d-99d65f608138_1790000000000",
            4_040_008
        ),
        ("POST", "v1/notifications/test", 4_040_007),
    ])
    func `what the store does not know is said in Apple's way`(
        method: String,
        path: String,
        code: Int64
    ) async throws {
        let store = try OpenStore()
        let answer = try await store.ask(method, path)
        #expect(answer["errorCode"]?.int64 == code && answer.errorCode == code)
        #expect(answer["errorMessage"]?.string?.isEmpty == false)
        #expect(Int64(answer.status) == code / 10_000)
        #expect(store.api.events.map(\.errorCode) == [code])
    }

    @Test func `another path or another method has no body`() async throws {
        let store = try OpenStore()
        for path in ["v1/nothing", "v1/transactions/", "v3/history/1", "v1/subscriptions/1/2"] {
            let answer = try await store.ask("GET", path)
            #expect(answer.status == 404 && answer.body.isEmpty, "\(path)")
        }
        let answer = try await store.ask("POST", "v1/subscriptions/1")
        #expect(answer.status == 405 && answer.header("Allow") == "GET")
    }

    @Test func `without a token nothing is told`() async throws {
        let store = try OpenStore()
        let line = try #require(try store.act("alice", .subscribe).originalID)
        let target = "/inApps/v1/transactions/\(line)"
        for authorization in [
            nil, "Bearer x", try store.access.authorization(at: store.now - 600_000),
        ] {
            let answer = await store.api.answer(
                to: APIRequest("GET", target, authorization: authorization)
            )
            #expect(answer.status == 401 && answer.errorCode == nil)
            #expect(!String(decoding: answer.body, as: UTF8.self).contains("signed"))
        }
        #expect(store.api.events.map(\.refusal) == [.absent, .malformed, .expired])
    }

    @Test func `another user is set for a line and its renewals, and nothing is sent`() async throws
    {
        let store = try OpenStore()
        let line = try #require(try store.act("alice", .subscribe).originalID)
        let pack = try store.act("alice", .buy) { $0.product = "credits.10" }
        let target = "v1/transactions/\(line)/appAccountToken"
        let sent = try store.books.notices().count
        let answer = try await store.ask("PUT", target, ["appAccountToken": .string(Counter.token)])
        #expect(answer.status == 200 && answer.body.isEmpty)
        #expect(try store.books.notices().count == sent)
        let document = try await store.get("v1/transactions/\(line)")["signedTransactionInfo"]
        #expect(try store.genuine(document)["appAccountToken"]?.string == Counter.token)
        let id = try #require(pack.transactionID)
        let other = try await store.get("v1/transactions/\(id)")["signedTransactionInfo"]
        #expect(try store.genuine(other)["appAccountToken"] == nil)
        store.pass(days: 29.5)
        let renewed = try store.act("alice", .renew)
        let data = try store.genuine(.string(renewed.signedPayload))["data"]
        let transaction = try store.genuine(data?["signedTransactionInfo"])
        #expect(transaction["appAccountToken"]?.string == Counter.token)
        #expect(
            try store.genuine(data?["signedRenewalInfo"])["appAccountToken"]?.string
                == Counter.token
        )
        let again = try await store.ask(
            "PUT",
            "v1/transactions/\(try #require(renewed.transactionID))/appAccountToken",
            ["appAccountToken": .string(Counter.token)]
        )
        #expect(again["errorCode"] == 4_000_187)
        let bad = try await store.ask("PUT", target, ["appAccountToken": "alice"])
        #expect(bad["errorCode"] == 4_000_183)
        let none = try await store.ask("PUT", target)
        #expect(none["errorCode"] == 4_000_000)
    }

    @Test func `a family's line and an app's download take no user`() async throws {
        let store = try OpenStore()
        let line = try #require(
            try store.act("bob", .subscribe) { $0.isFamilyShared = true }.originalID
        )
        let download = try #require(try store.directory.subscriber("bob")?.appTransactionID)
        let body: JSONObject = ["appAccountToken": .string(Counter.token)]
        for (number, code) in [(line, 4_000_185 as Int64), (download, 4_000_048)] {
            let target = "v1/transactions/\(number)/appAccountToken"
            #expect(try await store.ask("PUT", target, body).errorCode == code)
        }
    }

    @Test func `consumption is accepted, kept, and checked`() async throws {
        let store = try OpenStore()
        let id = try #require(
            try store.act("alice", .buy) { $0.product = "credits.10" }.transactionID
        )
        let body: JSONObject = [
            "customerConsented": true, "deliveryStatus": "DELIVERED",
            "sampleContentProvided": false, "refundPreference": "DECLINE",
        ]
        let target = "v2/transactions/consumption/\(id)"
        #expect(try await store.ask("PUT", target, body).status == 202)
        let report = try #require(try store.books.consumptionReports().first)
        #expect(report.transactionID == id && report.body == body)
        let wrong: [(String, JSONValue, Int64)] = [
            ("customerConsented", false, 4_000_035), ("deliveryStatus", "LOST", 4_000_036),
            ("deliveryStatus", 0, 4_000_036), ("sampleContentProvided", "no", 4_000_041),
        ]
        for (key, value, code) in wrong {
            var bad = body
            bad[key] = value
            #expect(try await store.ask("PUT", target, bad).errorCode == code)
        }
        #expect(try store.books.consumptionReports().count == 1)
    }
}
