import FoundationEssentials
import JSON
import TestSupport
import Testing

@testable import EntitlementsClient

struct RecordCallTests {
    private func client(_ daemon: FakeDaemon) throws -> EntitlementsClient {
        try EntitlementsClient(
            socketPath: daemon.path,
            readTimeout: .seconds(120),
            writeTimeout: .seconds(120)
        )
    }

    @Test func `restored purchases are typed one by one`() async throws {
        let daemon = try FakeDaemon([
            "restorePurchases": .result([
                "entitlement": Samples.entitlement, "status": Samples.status,
                "results": [
                    ["originalTransactionId": "1", "outcome": "linked"],
                    ["originalTransactionId": "2", "outcome": "refused"],
                ],
            ])
        ])
        let restored = try await client(daemon).restorePurchases(["a.b.c", "d.e.f"], for: "alice")
        #expect(restored.entitlement.isActive)
        #expect(restored.results.map(\.originalTransactionID) == ["1", "2"])
        #expect(restored.results.map(\.outcome) == [.linked, .refused])
        #expect(
            daemon.requests.map(\.params) == [
                ["userId": "alice", "signedTransactions": ["a.b.c", "d.e.f"]]
            ]
        )
    }

    @Test func `purchases are restored from an app receipt alone, too`() async throws {
        let daemon = try FakeDaemon([
            "restorePurchases": .result([
                "entitlement": Samples.entitlement, "status": Samples.status, "results": [],
            ])
        ])
        let client = try client(daemon)
        let restored = try await client.restorePurchases(receiptData: "MII=", for: "alice")
        #expect(restored.results.isEmpty)
        _ = try await client.restorePurchases(purchaseTokens: ["t"], for: "alice")
        #expect(
            daemon.requests.map(\.params) == [
                ["userId": "alice", "receiptData": "MII="],
                ["userId": "alice", "purchaseTokens": ["t"]],
            ]
        )
    }

    @Test func `a receipt says whether it gives access`() async throws {
        let daemon = try FakeDaemon([
            "verifyReceipt": .result([
                "isValid": true, "expiresAt": nil, "tier": "paid", "message": "It does.",
                "status": Samples.status,
            ])
        ])
        let receipt = try await client(daemon).verifyReceipt("MII=", for: "alice", productID: "p")
        #expect(receipt.isValid)
        #expect(receipt.expiresAt == nil)
        #expect(receipt.tier == "paid")
        #expect(receipt.message == "It does.")
        #expect(
            daemon.requests.map(\.params) == [
                ["userId": "alice", "receiptData": "MII=", "productId": "p"]
            ]
        )
    }

    @Test func `a purchase may be an id alone`() async throws {
        let daemon = try FakeDaemon([
            "verifyPurchase": .result([
                "entitlement": Samples.entitlement, "status": Samples.status, "applied": true,
            ])
        ])
        let purchase = Purchase(transactionID: "1001")
        #expect(try await client(daemon).verifyPurchase(purchase, for: "alice").applied)
        #expect(
            daemon.requests.map(\.params) == [["userId": "alice", "transactionId": "1001"]]
        )
    }

    @Test func `a history is read page by page`() async throws {
        let daemon = try FakeDaemon { request, _ in
            let event: JSONValue = [
                "seq": 7, "at": "2026-02-15T10:00:00.000Z", "cause": "registered",
                "before": Samples.noAccount, "after": Samples.status,
                "by": ["role": "app", "token": "shop"],
                "detail": ["productId": "p", "price": 9_990],
            ]
            return .result([
                "events": request.params["afterSeq"] == 7 ? [] : [event],
                "oldest": "2026-02-01T10:00:00.000Z",
            ])
        }
        let client = try client(daemon)
        let page = try await client.history(of: "alice")
        #expect(page.map(\.seq) == [7])
        #expect(page.first?.at == UTCTime.date("2026-02-15T10:00:00.000Z"))
        #expect(page.first?.cause == .registered)
        #expect(page.first?.before.state == .noAccount)
        #expect(page.first?.after.state == .subscribed)
        #expect(page.first?.by?.role == "app" && page.first?.by?.token == "shop")
        #expect(page.first?.by?.uid == nil && page.first?.detail?.plan == nil)
        #expect(page.first?.detail?.productID == "p" && page.first?.detail?.price == 9_990)
        let last = try await client.historyPage(of: "alice", after: 7, limit: 5)
        #expect(last.events.isEmpty && last.oldest == UTCTime.date("2026-02-01T10:00:00.000Z"))
        #expect(
            daemon.requests.map(\.params) == [
                ["userId": "alice"], ["userId": "alice", "afterSeq": 7, "limit": 5],
            ]
        )
    }

    @Test func `subscriptions come with what was paid`() async throws {
        let extra: JSONObject = [
            "group": "21465342", "ownership": "PURCHASED",
            "offer": ["type": 1, "id": nil, "discount": "FREE_TRIAL", "period": "P1W"],
            "price": 9_990, "currency": "USD", "storefront": "USA", "billingPlan": "MONTHLY",
            "commitmentExpiresAt": "2027-02-15T10:00:00.000Z", "givesAccess": true,
        ]
        var one = try #require(Samples.subscription.object)
        for member in extra.members { one[member.key] = member.value }
        let daemon = try FakeDaemon([
            "getSubscriptions": .result(["subscriptions": [.object(one)]])
        ])
        let found = try await client(daemon).subscriptions(of: "alice")
        let first = try #require(found.first)
        #expect(first.subscription.originalTransactionID == "1000")
        #expect(first.offer?.discount == "FREE_TRIAL")
        #expect(first.offer?.id == nil)
        #expect(first.price == 9_990)
        #expect(first.commitmentExpiresAt == UTCTime.date("2027-02-15T10:00:00.000Z"))
        #expect(first.givesAccess)
        #expect(found.count == 1)
    }

    @Test func `a past moment is sent to the millisecond`() async throws {
        let explained: JSONValue = [
            "at": "1970-01-01T00:00:01.500Z", "rule": "never", "because": "Nothing was bought.",
            "catalogVersion": 1, "facts": [], "grants": [], "credits": [:],
            "status": Samples.noAccount, "seq": 3,
        ]
        let daemon = try FakeDaemon([
            "explain": .result(explained), "getStatus": .result(Samples.noAccount),
        ])
        let client = try client(daemon)
        let moment = Date(timeIntervalSince1970: 1.5)
        let explanation = try await client.explain("alice", at: moment)
        #expect(explanation.at == moment)
        #expect(explanation.rule == "never")
        #expect(explanation.because == "Nothing was bought.")
        #expect(explanation.status.state == .noAccount)
        #expect(explanation.json == String(decoding: explained.bytes, as: UTF8.self))
        #expect(try await client.status(of: "alice", at: moment).state == .noAccount)
        let sent: JSONValue = ["userId": "alice", "at": "1970-01-01T00:00:01.500Z"]
        #expect(daemon.requests.map(\.params) == [sent, sent])
    }

    @Test func `an export is one object, whatever its pages`() async throws {
        let daemon = try FakeDaemon { request, _ in
            request.params["cursor"] == "c"
                ? .result([
                    "userId": "alice", "account": ["a": 1], "seq": 5, "tokens": [],
                    "events": [3], "cursor": nil,
                ])
                : .result([
                    "userId": "alice", "account": ["a": 1], "seq": 4, "tokens": ["t"],
                    "events": [1, 2], "cursor": "c",
                ])
        }
        let record = try await client(daemon).exportUser("alice")
        #expect(record.isKnown)
        #expect(
            record.json
                == #"{"userId":"alice","account":{"a":1},"seq":5,"tokens":["t"],"events":[1,2,3]}"#
        )
        #expect(
            daemon.requests.map(\.params) == [
                ["userId": "alice"], ["userId": "alice", "cursor": "c"],
            ]
        )
    }

    @Test func `an export whose cursor stands still is not walked for ever`() async throws {
        let daemon = try FakeDaemon { _, _ in
            .result(["userId": "alice", "account": nil, "cursor": "c"])
        }
        let client = try client(daemon)
        let error = await #expect(throws: ClientError.self) {
            try await client.exportUser("alice")
        }
        #expect(error?.name == "malformed_reply")
        #expect(daemon.requests.count == 2)
    }

    @Test func `of a stranger nothing is kept, and erasing is sent once`() async throws {
        let daemon = try FakeDaemon([
            "exportUser": .result(["userId": "nobody", "account": nil]),
            "eraseUser": .result(["erased": true, "seq": 8]),
        ])
        let client = try client(daemon)
        #expect(try await client.exportUser("nobody").isKnown == false)
        let erasure = try await client.eraseUser("alice")
        #expect(erasure.erased)
        #expect(erasure.seq == 8)
        let broken = try FakeDaemon { _, _ in .hangUp }
        let other = try self.client(broken)
        _ = await #expect(throws: ClientError.self) { try await other.eraseUser("alice") }
        #expect(broken.requests.count == 1)
    }
}
