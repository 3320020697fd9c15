import EntitlementsClient
import Fixtures
import Foundation
import JSON
import TestSupport
import Testing

/// Credits in process (docs/calls.md, "Credits"): spent once, held, put back, and the same
/// answer again.
@Suite struct CreditTests {
    private func service() throws -> TestService {
        var setup = TestService.Setup()
        setup.catalog = """
            freeCredits: 3
            plans:
              paid: { products: [com.example.monthly], unlimited: [render] }
            creditPacks: { com.example.pack: 10 }
            """
        return try TestService.started(setup)
    }

    private func consume(
        _ service: TestService,
        _ key: String,
        _ amount: Int64 = 1
    ) throws
        -> JSONValue
    {
        try service.call(
            "consumeCredit",
            ["userId": "alice", "idempotencyKey": .string(key), "amount": .integer(amount)]
        )
    }

    @Test func `a subscriber is never charged`() throws {
        let service = try service()
        let account = try service.call("registerAccount", ["userId": "alice"])
        let life = StoreLife(token: account["appAccountToken"]?.string)
        #expect(
            try service.deliver(service.voice.notification("SUBSCRIBED", about: life)).status == 200
        )
        let free = try consume(service, "a")
        #expect(free["outcome"] == "unlimited")
        #expect(free["creditsRemaining"] == 3)
        #expect(try consume(service, "a")["replayed"] == false, "nothing was stored")
    }

    @Test func `of a pack that the catalog did not name, what was not refunded is credited`() throws
    {
        var setup = TestService.Setup()
        setup.catalog = "freeCredits: 0"
        let service = try TestService.started(setup)
        let account = try service.call("registerAccount", ["userId": "alice"])
        let token = try #require(account["appAccountToken"]?.string)
        for (id, share) in [("1", 33_333), ("2", 100_000)] as [(String, Int64)] {
            let pack = try service.voice.pack(id, of: token, quantity: 3, refundedShare: share)
            _ = try service.call(
                "verifyPurchase",
                ["userId": "alice", "signedTransaction": .string(pack)]
            )
        }
        try service.install(catalog: "creditPacks: { com.example.pack: 10 }")
        #expect(try service.call("getCredits", ["userId": "alice"])["balance"] == 20)
    }

    @Test func `a hold is committed in part, expires, and dies with its connection`() throws {
        let service = try service()
        let grant: JSONObject = ["userId": "alice", "amount": 10, "idempotencyKey": "g"]
        #expect(try service.call("grantCredits", grant, admin: true)["creditsRemaining"] == 10)
        let order: JSONObject = [
            "userId": "alice", "amount": 4, "ttlSeconds": 60, "idempotencyKey": "r",
        ]
        let held = try service.call("reserveCredits", order)
        #expect(held["outcome"] == "reserved")
        #expect(held["creditsRemaining"] == 6)
        let name = try #require(held["reservation"])
        let part = try service.call("commitReservation", ["reservation": name, "amount": 1])
        #expect(part["outcome"] == "committed")
        #expect(part["creditsRemaining"] == 9)
        #expect(
            try service.call("releaseReservation", ["reservation": name])["outcome"] == "committed"
        )
        #expect(
            try service.refusal(of: "commitReservation", ["reservation": "r999"])?.code == -32024
        )
        var short = order
        short["ttlSeconds"] = 1
        short["idempotencyKey"] = "s"
        let brief = try service.call("reserveCredits", short)
        #expect(try service.call("getCredits", ["userId": "alice"])["held"] == 4)
        #expect(
            try eventually { try service.call("getCredits", ["userId": "alice"])["balance"] == 9 }
        )
        let late: JSONObject = ["reservation": brief["reservation"] ?? .null]
        #expect(try service.call("commitReservation", late)["outcome"] == "expired")
        let line = try service.connect()
        let lease: JSONObject = [
            "userId": "alice", "amount": 5, "ttlSeconds": 600, "idempotencyKey": "t",
            "releaseOnDisconnect": true,
        ]
        #expect(try line.call("reserveCredits", lease)["outcome"] == "reserved")
        #expect(try service.call("getCredits", ["userId": "alice"])["balance"] == 4)
        line.close()
        #expect(
            try eventually { try service.call("getCredits", ["userId": "alice"])["balance"] == 9 }
        )
        #expect(try service.rows(of: "leases").isEmpty)
    }

    @Test func `the id of a reservation cannot be told from a seq`() throws {
        let service = try service()
        _ = try service.call("registerAccount", ["userId": "alice"])
        var ids: [UInt64] = []
        for number in 0..<3 {
            let order: JSONObject = [
                "userId": "alice", "amount": 1, "ttlSeconds": 60,
                "idempotencyKey": .string("k\(number)"),
            ]
            let held = try service.call("reserveCredits", order)
            let name = try #require(held["reservation"]?.string)
            let again = try service.call("reserveCredits", order)
            #expect(again["reservation"]?.string == name && again["replayed"] == true)
            ids.append(try #require(UInt64(name.dropFirst())))
        }
        #expect(Set(ids).count == 3)
        // Above every position, and none beside another.
        #expect(ids.allSatisfy { $0 > 1 << 53 })
        let steps = zip(ids.sorted(), ids.sorted().dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 > 1 << 20 })
        let last = try #require(try service.status("alice")["seq"]?.int64)
        for seq in 1...last {
            let guess: JSONObject = ["reservation": .string("r\(seq)")]
            #expect(try service.refusal(of: "releaseReservation", guess)?.code == -32024)
        }
        #expect(try service.call("getCredits", ["userId": "alice"])["held"] == 3)
    }

    @Test func `credits have a source and an end, and the soonest goes first`() throws {
        let service = try service()
        _ = try service.call("registerAccount", ["userId": "alice"])
        let gift: JSONObject = [
            "userId": "alice", "amount": 5, "idempotencyKey": "g", "source": "gift",
            "expiresAt": "2099-01-01T00:00:00.000Z",
        ]
        #expect(try service.call("grantCredits", gift, admin: true)["creditsRemaining"] == 8)
        #expect(try consume(service, "a", 6)["creditsRemaining"] == 2)
        let credits = try service.call("getCredits", ["userId": "alice"])
        #expect(credits["buckets"] == [["amount": 2, "expiresAt": nil, "source": "free"]])
        let take: JSONObject = ["userId": "alice", "amount": -9, "idempotencyKey": "t"]
        #expect(try service.call("adjustCredits", take, admin: true)["creditsRemaining"] == 0)
        #expect(try service.refusal(of: "grantCredits", take, admin: true)?.code == -32602)
    }
}
