import CertificateAuthority
import Foundation
import JSON
import SimulatorSupport
import Testing

@testable import AppStoreSimulator

/// What Apple's client libraries ask for besides: app transactions, extensions, the first versions.
struct LibraryEndpointTests {
    @Test func `any number of a customer leads to the app transaction`() async throws {
        let store = try OpenStore()
        let first = try store.act("alice", .subscribe)
        let alice = try #require(try store.directory.subscriber("alice"))
        for number in [try #require(first.transactionID), alice.appTransactionID] {
            let answer = try await store.get("v1/transactions/appTransactions/\(number)")
            let document = answer["signedAppTransactionInfo"]
            let app = try store.genuine(document, dated: "receiptCreationDate")
            #expect(app["appTransactionId"]?.string == alice.appTransactionID)
            #expect(app["bundleId"] == "com.example.app" && app["receiptType"] == "Production")
            #expect(app["appAppleId"] == 1_234_567_890)
            #expect(app["originalPurchaseDate"]?.int64 == alice.joined)
        }
        let unknown = try await store.ask("GET", "v1/transactions/appTransactions/123")
        #expect(unknown["errorCode"] == 4_040_010)
    }

    @Test func `version 1 of the history leaves finished consumables out`() async throws {
        let store = try OpenStore()
        let bought = try store.act("alice", .buy) { $0.product = "credits.10" }
        let kept = try store.act("alice", .buy) { $0.product = "lifetime" }
        let id = try #require(bought.transactionID)
        func ids(_ version: String) async throws -> [String] {
            let answer = try await store.get("\(version)/history/\(id)")
            return try (answer["signedTransactions"]?.array ?? [])
                .compactMap { try store.genuine($0)["transactionId"]?.string }
        }
        #expect(try await ids("v1") == [id, kept.transactionID])
        for number in [id, kept.transactionID ?? ""] {
            let answer = try await store.ask("POST", "v1/transactions/\(number)/finish")
            #expect(answer.status == 200 && answer.body.isEmpty)
        }
        #expect(try await ids("v1") == [kept.transactionID])
        #expect(try await ids("v2") == [id, kept.transactionID])
        let unknown = try await store.ask("POST", "v1/transactions/123/finish")
        #expect(unknown["errorCode"] == 4_040_010)
        let other = try await store.ask("GET", "v1/transactions/\(id)/finish")
        #expect(other.status == 405)
    }

    @Test(arguments: ["True", "true", "False", "false"])
    func `a truth value may be written as Python does`(text: String) async throws {
        let store = try OpenStore()
        let first = try store.act("alice", .subscribe)
        let id = try #require(first.transactionID)
        let answer = try await store.get("v2/history/\(id)?revoked=\(text)")
        let isForRevoked = text.lowercased() == "true"
        #expect(answer["signedTransactions"]?.array?.count == (isForRevoked ? 0 : 1))
    }

    static let wish: JSONObject = [
        "extendByDays": 10, "extendReasonCode": 1, "requestIdentifier": "one",
    ]

    @Test func `a paid period is extended twice in a year`() async throws {
        let store = try OpenStore()
        let first = try store.act("alice", .subscribe) { $0.product = "paid.monthly" }
        let line = try #require(first.originalID)
        let end = try #require(try store.directory.subscriber("alice")?.paidUntil(at: store.now))
        for count in Int64(1)...2 {
            let answer = try await store.ask("PUT", "v1/subscriptions/extend/\(line)", Self.wish)
            #expect(answer.status == 200 && answer["success"] == true)
            #expect(answer["originalTransactionId"]?.string == line)
            // A day takes a minute here.
            #expect(answer["effectiveDate"]?.int64 == end + count * 600_000)
        }
        let third = try await store.ask("PUT", "v1/subscriptions/extend/\(line)", Self.wish)
        #expect(third.status == 403 && third["errorCode"] == 4_030_005)
        let alice = try #require(try store.directory.subscriber("alice"))
        #expect(alice.paidUntil(at: store.now) == end + 1_200_000)
    }

    @Test(
        arguments: [
            ("extendByDays", 0, 4_000_009), ("extendByDays", 91, 4_000_009),
            ("extendByDays", "7", 4_000_009), ("extendReasonCode", 4, 4_000_010),
            ("requestIdentifier", "", 4_000_011),
        ] as [(String, JSONValue, Int64)]
    )
    func `what cannot be given is refused`(key: String, value: JSONValue, code: Int64) async throws
    {
        let store = try OpenStore()
        let line = try #require(try store.act("alice", .subscribe).originalID)
        var wish = Self.wish
        wish[key] = value
        let answer = try await store.ask("PUT", "v1/subscriptions/extend/\(line)", wish)
        #expect(answer["errorCode"]?.int64 == code)
        let all = try await store.ask("POST", "v1/subscriptions/extend/mass", wish)
        #expect(all["errorCode"]?.int64 == code)
    }

    @Test func `a trial, a shared and an ended subscription are not extended`() async throws {
        let store = try OpenStore()
        let trial = try store.act("alice", .subscribe) { $0.trial = Period(1, .week) }
        let shared = try store.act("bob", .subscribe) { $0.isFamilyShared = true }
        let over = try store.act("carol", .subscribe) { $0.product = "paid.monthly" }
        store.pass(days: 6)
        let cases = [(trial, 4_030_004 as Int64), (shared, 4_030_007)]
        for (subscription, code) in cases {
            let path = "v1/subscriptions/extend/\(subscription.originalID ?? "")"
            #expect(try await store.ask("PUT", path, Self.wish)["errorCode"]?.int64 == code)
        }
        store.pass(days: 30)
        let path = "v1/subscriptions/extend/\(over.originalID ?? "")"
        #expect(try await store.ask("PUT", path, Self.wish)["errorCode"] == 4_030_004)
        let unknown = try await store.ask("PUT", "v1/subscriptions/extend/123", Self.wish)
        #expect(unknown["errorCode"] == 4_040_005)
    }

    @Test func `an extension for all is done once, counted and told`() async throws {
        let server = try await TinyServer.start()
        let store = try OpenStore { $0.delivery = Delivery(to: server.url, retryDelays: []) }
        for name in ["alice", "bob"] {
            try store.act(name, .subscribe) { $0.product = "paid.monthly" }
        }
        try store.act("carol", .subscribe) {
            $0.product = "paid.monthly"
            $0.isFamilyShared = true
        }
        try store.act("dave", .subscribe) { $0.product = "premium.monthly" }
        var wish = Self.wish
        wish["productId"] = "com.example.app.paid.monthly"
        let status = "v1/subscriptions/extend/mass/com.example.app.paid.monthly/one"
        #expect(try await store.ask("GET", status)["errorCode"] == 4_040_009)
        for _ in 1...2 {
            let answer = try await store.ask("POST", "v1/subscriptions/extend/mass", wish)
            #expect(answer.status == 200 && answer["requestIdentifier"] == "one")
        }
        let done = try await store.get(status)
        #expect(done["complete"] == true && done["requestIdentifier"] == "one")
        #expect(done["succeededCount"] == 2 && done["failedCount"] == 1)
        await store.api.settle()
        try await server.stop()
        let kinds = try store.books.notices().map(\.kind.description).filter { $0.contains("EXT") }
        #expect(
            kinds.sorted() == [
                "RENEWAL_EXTENDED", "RENEWAL_EXTENDED", "RENEWAL_EXTENSION/FAILURE",
                "RENEWAL_EXTENSION/SUMMARY",
            ]
        )
        // What was done is read again from the store's directory.
        let again = try StoreBooks(store.directory)
        let kept = try again.read { pages, _ in
            pages.massExtension("com.example.app.paid.monthly", "one")
        }
        #expect(kept?.succeeded == 2 && kept?.failed == 1)
    }

    @Test(
        arguments: [
            ("productId", "com.example.other", 4_000_023),
            ("productId", "com.example.app.lifetime", 4_000_023),
            ("storefrontCountryCodes", [], 4_000_027),
            ("storefrontCountryCodes", ["US"], 4_000_028),
            ("storefrontCountryCodes", ["usa"], 4_000_028),
        ] as [(String, JSONValue, Int64)]
    )
    func `an extension for all names a product and storefronts`(
        key: String,
        value: JSONValue,
        code: Int64
    ) async throws {
        let store = try OpenStore()
        var wish = Self.wish
        wish["productId"] = "com.example.app.paid.monthly"
        wish[key] = value
        let answer = try await store.ask("POST", "v1/subscriptions/extend/mass", wish)
        #expect(answer["errorCode"]?.int64 == code)
    }

    static let oldReport: JSONObject = [
        "customerConsented": true, "consumptionStatus": 3, "platform": 1,
        "sampleContentProvided": false, "deliveryStatus": 0, "appAccountToken": "",
        "accountTenure": 7, "playTime": 7, "lifetimeDollarsRefunded": 7,
        "lifetimeDollarsPurchased": 7, "userStatus": 4, "refundPreference": 3,
    ]

    @Test func `consumption is told in the first version's numbers, too`() async throws {
        let store = try OpenStore()
        let bought = try store.act("alice", .buy) { $0.product = "credits.10" }
        let path = "v1/transactions/consumption/\(bought.transactionID ?? "")"
        for report in [Self.oldReport, ["customerConsented": true]] {
            #expect(try await store.ask("PUT", path, report).status == 202)
        }
        #expect(try store.books.consumptionReports().map(\.body).first == Self.oldReport)
        let wrong: [(String, JSONValue, Int64)] = [
            ("customerConsented", false, 4_000_035), ("consumptionStatus", 4, 4_000_034),
            ("platform", -1, 4_000_039), ("sampleContentProvided", "no", 4_000_041),
            ("deliveryStatus", "DELIVERED", 4_000_036), ("appAccountToken", "me", 4_000_033),
            ("accountTenure", 8, 4_000_032), ("playTime", 8, 4_000_040),
            ("lifetimeDollarsRefunded", 8, 4_000_038), ("userStatus", 5, 4_000_042),
            ("lifetimeDollarsPurchased", 8, 4_000_037), ("refundPreference", 4, 4_000_000),
        ]
        for (key, value, code) in wrong {
            var report = Self.oldReport
            report[key] = value
            #expect(try await store.ask("PUT", path, report)["errorCode"]?.int64 == code, "\(key)")
        }
    }
}
