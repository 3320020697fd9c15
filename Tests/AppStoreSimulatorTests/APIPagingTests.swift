import Foundation
import JSON
import SimulatorSupport
import Testing

@testable import AppStoreSimulator

/// Walks through pages of transactions and of notifications.
struct APIPagingTests {
    /// A subscription, and so many packs.
    private func store(packs: Int) throws -> (OpenStore, line: String) {
        let store = try OpenStore()
        let line = try #require(try store.act("alice", .subscribe).originalID)
        for _ in 0..<packs { try store.act("alice", .buy) { $0.product = "credits.10" } }
        return (store, line)
    }

    private func ids(_ page: JSONValue, _ store: OpenStore) throws -> [String] {
        try (page["signedTransactions"]?.array ?? [])
            .map { try #require(try store.genuine($0)["transactionId"]?.string) }
    }

    /// All pages of a history.
    private func walk(_ target: String, _ store: OpenStore) async throws -> [[String]] {
        var pages: [[String]] = []
        var page = try await store.get(target)
        pages.append(try ids(page, store))
        while page["hasMore"] == true, pages.count < 20 {
            let revision = try #require(page["revision"]?.string)
            let mark = target.contains("?") ? "&" : "?"
            page = try await store.get("\(target)\(mark)revision=\(revision)")
            pages.append(try ids(page, store))
        }
        return pages
    }

    @Test func `a history comes in pages of twenty, oldest change first`() async throws {
        let (store, line) = try store(packs: 44)
        let pages = try await walk("v2/history/\(line)", store)
        #expect(pages.map(\.count) == [20, 20, 5])
        let alice = try #require(try store.directory.subscriber("alice"))
        let all = [line] + alice.purchases.map(\.id)
        #expect(pages.flatMap { $0 } == all)
        let down = try await walk("v2/history/\(line)?sort=DESCENDING", store)
        #expect(down.flatMap { $0 } == all.reversed())
    }

    @Test(arguments: [0, 19, 20, 39, 40])
    func `the last page says so`(packs: Int) async throws {
        let (store, line) = try store(packs: packs)
        let pages = try await walk("v2/history/\(line)", store)
        #expect(pages.flatMap { $0 }.count == packs + 1)
        #expect(pages.count == packs / 20 + 1)
    }

    @Test func `a kept revision brings what changed since`() async throws {
        let (store, line) = try store(packs: 3)
        let page = try await store.get("v2/history/\(line)")
        let revision = try #require(page["revision"]?.string)
        let none = try await store.get("v2/history/\(line)?revision=\(revision)")
        #expect(none["signedTransactions"] == [] && none["hasMore"] == false)
        let alice = try #require(try store.directory.subscriber("alice"))
        let pack = alice.purchases[0].id
        try store.act("alice", .refund) { $0.transaction = .number(pack) }
        store.pass(days: 29.5)
        let renewed = try #require(try store.act("alice", .renew).transactionID)
        let still = try #require(none["revision"]?.string)
        let next = try await store.get("v2/history/\(line)?revision=\(still)")
        #expect(try ids(next, store) == [pack, renewed])
    }

    @Test func `what changes during a walk comes once more at its end`() async throws {
        let (store, line) = try store(packs: 30)
        let first = try await store.get("v2/history/\(line)")
        try store.act("alice", .refund) { $0.transaction = .number(line) }
        let revision = try #require(first["revision"]?.string)
        let second = try await store.get("v2/history/\(line)?revision=\(revision)")
        #expect(try ids(first, store).first == line && ids(second, store).last == line)
        #expect(second["hasMore"] == false)
        let last = try store.genuine(second["signedTransactions"]?.array?.last)
        #expect(last["revocationDate"] != nil)
    }

    @Test func `filters choose, and belong to the revision`() async throws {
        let (store, line) = try store(packs: 2)
        try store.act("alice", .buy) { $0.product = "lifetime" }
        let packs = try #require(try store.directory.subscriber("alice")).purchases
        try store.act("alice", .refund) { $0.transaction = .number(packs[1].id) }
        let credits = "com.example.app.credits.10"
        let cases: [(String, Int)] = [
            ("productType=CONSUMABLE", 2), ("productType=AUTO_RENEWABLE", 1),
            ("productType=CONSUMABLE&productType=NON_CONSUMABLE", 3),
            ("productType=NON_RENEWABLE", 0), ("productId=\(credits)", 2),
            ("productId=\(credits)&productId=com.example.app.lifetime", 3), ("revoked=true", 1),
            ("revoked=false", 3), ("inAppOwnershipType=PURCHASED", 4),
            ("inAppOwnershipType=FAMILY_SHARED", 0), ("subscriptionGroupIdentifier=21000000", 1),
            ("subscriptionGroupIdentifier=1", 0), ("startDate=\(packs[0].purchaseDate)", 3),
            ("endDate=\(packs[0].purchaseDate)", 1),
        ]
        for (filter, count) in cases {
            let page = try await store.get("v2/history/\(line)?\(filter)")
            #expect(page["signedTransactions"]?.array?.count == count, "\(filter)")
        }
        let wrong: [(String, Int64)] = [
            ("productType=SUBSCRIPTION", 4_000_022), ("sort=UP", 4_000_021),
            ("revoked=yes", 4_000_030), ("inAppOwnershipType=MINE", 4_000_026),
            ("startDate=x", 4_000_015), ("endDate=-1", 4_000_016),
            ("startDate=2&endDate=2", 4_000_013), ("revision=abc", 4_000_005),
        ]
        for (filter, code) in wrong {
            let answer = try await store.ask("GET", "v2/history/\(line)?\(filter)")
            #expect(answer.errorCode == code, "\(filter)")
        }
        let page = try await store.get("v2/history/\(line)?revoked=false")
        let revision = try #require(page["revision"]?.string)
        let other = try await store.ask("GET", "v2/history/\(line)?revision=\(revision)")
        #expect(other.errorCode == 4_000_005)
    }

    @Test func `refunds come in the order in which they were paid`() async throws {
        let (store, line) = try store(packs: 25)
        let packs = try #require(try store.directory.subscriber("alice")).purchases.map(\.id)
        for pack in packs.reversed() {
            try store.act("alice", .refund) { $0.transaction = .number(pack) }
        }
        let pages = try await walk("v2/refund/lookup/\(line)", store)
        #expect(pages.map(\.count) == [20, 5] && pages.flatMap { $0 } == packs.reversed())
    }

    /// All pages of the notification history: types in order.
    private func notices(
        _ store: OpenStore,
        _ filter: JSONObject = [:]
    ) async throws -> [[JSONValue]] {
        var pages: [[JSONValue]] = []
        var token: String?
        repeat {
            let page = try await store.notifications(filter, token: token)
            pages.append(try #require(page["notificationHistory"]?.array))
            token = page["paginationToken"]?.string
            #expect((token != nil) == (page["hasMore"] == true))
        } while token != nil && pages.count < 20
        return pages
    }

    @Test func `the notification history tells all, with what was signed then`() async throws {
        let (store, _) = try store(packs: 44)
        let sent = try store.books.notices()
        let pages = try await notices(store)
        #expect(pages.map(\.count) == [20, 20, 5])
        let uuids = try pages.flatMap { $0 }
            .map { try store.genuine($0["signedPayload"])["notificationUUID"]?.string }
        #expect(uuids == sent.map(\.uuid))
        #expect(pages[0][0]["sendAttempts"]?.array?.first?["sendAttemptResult"] == "SUCCESS")
    }

    @Test func `of failures only those are told that never arrived`() async throws {
        let store = try OpenStore()
        let lost = try store.act("alice", .subscribe, attempts: [.noResponse])
        try store.act("alice", .cancel)
        let late = try store.act("alice", .resume, attempts: [.timedOut])
        try store.act("alice", .buy, attempts: []) { $0.product = "credits.10" }
        func failures() async throws -> [String?] {
            try await notices(store, ["onlyFailures": true]).flatMap { $0 }
                .map { try store.genuine($0["signedPayload"])["notificationUUID"]?.string }
        }
        #expect(try await failures() == [lost.uuid, late.uuid])
        let success = Delivery.Attempt(date: store.now, result: .success, status: 200, body: "")
        try store.books.note(success, of: late.uuid)
        #expect(try await failures() == [lost.uuid])
        let all = try await notices(store).flatMap { $0 }
        #expect(all.map { $0["sendAttempts"]?.array?.count } == [1, 1, 2])
        for _ in 0..<8 { try store.books.note(success, of: late.uuid) }
        let capped = try await notices(store).flatMap { $0 }
        #expect(capped.last?["sendAttempts"]?.array?.count == 6)
    }

    @Test(arguments: [(180, nil), (30, nil), (10, 10)] as [(Int64, Int64?)])
    func `the notification history forgets what is too old by the store's calendar`(
        _ days: Int64,
        _ remembered: Int64?
    ) async throws {
        let store = try OpenStore(days == 30 ? .sandbox : .production) {
            $0.rememberedDays = remembered
        }
        let old = try store.act("alice", .subscribe)
        store.pass(days: Double(days - 1))
        let new = try store.act("bob", .subscribe)
        func told() async throws -> [String?] {
            try await notices(store).flatMap { $0 }
                .map { try store.genuine($0["signedPayload"])["notificationUUID"]?.string }
        }
        #expect(try await told() == [old.uuid, new.uuid])
        store.pass(days: 1)
        #expect(try await told() == [new.uuid])
    }

    @Test func `a type, a subtype, a customer or a time narrows the history`() async throws {
        let store = try OpenStore()
        let alice = try store.act("alice", .subscribe)
        let bob = try store.act("bob", .subscribe)
        try store.act("alice", .cancel)
        try store.act("alice", .resume)
        let pack = try store.act("alice", .buy) { $0.product = "credits.10" }
        let kind = "DID_CHANGE_RENEWAL_STATUS"
        let cases: [(JSONObject, Int)] = [
            (["notificationType": "SUBSCRIBED"], 2), (["notificationType": .string(kind)], 2),
            (["notificationType": .string(kind), "notificationSubtype": "AUTO_RENEW_ENABLED"], 1),
            (["notificationType": "TEST"], 0),
            (["transactionId": .string(try #require(bob.transactionID))], 1),
            (["transactionId": .string(try #require(pack.transactionID))], 4),
            (
                [
                    "transactionId": .string(try #require(alice.transactionID)),
                    "onlyFailures": true,
                ], 0
            ),
            (["startDate": .integer(bob.signedDate)], 4),
            (["endDate": .integer(bob.signedDate)], 2),
        ]
        for (filter, count) in cases {
            let items = try await notices(store, filter).flatMap { $0 }
            #expect(items.count == count, "\(filter)")
        }
    }

    @Test func `a question that makes no sense has its code`() async throws {
        let store = try OpenStore()
        let day: Int64 = 86_400_000
        let cases: [(JSONObject, Int64)] = [
            (["startDate": nil], 4_000_015), (["startDate": "today"], 4_000_015),
            (["endDate": nil], 4_000_016), (["startDate": .integer(store.now * 2)], 4_000_013),
            (["startDate": .integer(store.now - 180 * day - 1)], 4_000_012),
            (["notificationType": "RENEWAL"], 4_000_018),
            (["notificationSubtype": "VOLUNTARY"], 4_000_018),
            (["notificationType": "DID_RENEW", "transactionId": "1"], 4_000_019),
            (["transactionId": "1"], 4_040_010), (["transactionId": "x"], 4_000_006),
            (["onlyFailures": "yes"], 4_000_000),
        ]
        for (filter, code) in cases {
            #expect(try await store.notificationAnswer(filter).errorCode == code, "\(filter)")
        }
        #expect(try await store.notificationAnswer(token: "abc").errorCode == 4_000_014)
        #expect(try await store.ask("POST", "v1/notifications/history").errorCode == 4_000_000)
        let sandbox = try OpenStore(.sandbox)
        for (days, code) in [(29 as Int64, nil as Int64?), (31, 4_000_012)] {
            let filter: JSONObject = ["startDate": .integer(sandbox.now - days * day)]
            #expect(try await sandbox.notificationAnswer(filter).errorCode == code)
        }
    }

    @Test func `a token is good for its question and its time`() async throws {
        let store = try OpenStore { $0.pageTokenLife = 5_000 }
        try store.act("alice", .subscribe)
        for _ in 0..<25 { try store.act("alice", .buy) { $0.product = "credits.10" } }
        let page = try await store.notifications()
        let token = try #require(page["paginationToken"]?.string)
        let other = try await store.notificationAnswer(["onlyFailures": true], token: token)
        #expect(other.errorCode == 4_000_014)
        store.pass(milliseconds: 5_000)
        #expect(try await store.notificationAnswer(token: token).status == 200)
        store.pass(milliseconds: 1)
        #expect(try await store.notificationAnswer(token: token).errorCode == 4_000_017)
    }
}
