import EntitlementsClient
import Fixtures
import Foundation
import JSON
import Testing

/// mergeAccounts in process.
@Suite struct MergeTests {
    private static let login: JSONObject = [
        "fromUserId": "guest", "intoUserId": "alice", "idempotencyKey": "login",
    ]

    private func live() throws -> TestService {
        let service = try TestService.started()
        let guest = try service.call("registerAccount", ["userId": "guest"])
        _ = try service.call("registerAccount", ["userId": "alice"])
        let life = StoreLife(token: guest["appAccountToken"]?.string)
        _ = try service.deliver(service.voice.notification("SUBSCRIBED", about: life))
        return service
    }

    @Test func `one has the history of both, and the other none`() throws {
        let service = try live()
        let before = try service.status("guest")
        #expect(before["isSubscriber"] == true)
        // A moment has a millisecond: what comes before the merger is in an earlier one.
        usleep(2_000)
        let merged = try service.call("mergeAccounts", Self.login)
        #expect(merged["replayed"] == false && merged["status"]?["isSubscriber"] == true)
        #expect(merged["status"]?["userId"] == "alice")
        #expect(try service.status("guest")["state"] == "no_account")
        let why = try service.call("explain", ["userId": "guest"])
        #expect(why["rule"] == "no_account")
        #expect(why["because"] == "The account went into that of alice.")
        let events = try #require(
            service.call("getHistory", ["userId": "alice"])["events"]?.array
        )
        let seqs = events.compactMap { $0["seq"]?.int64 }
        #expect(seqs == seqs.sorted() && events.last?["seq"] == merged["seq"])
        #expect(
            events.compactMap { $0["cause"]?.string }
                == ["registered", "registered", "notification", "transferred"]
        )
        var paged: [JSONValue] = []
        while true {
            let place = paged.last?["seq"] ?? 0
            let page = try service.call(
                "getHistory",
                ["userId": "alice", "afterSeq": place, "limit": 1]
            )
            guard let next = page["events"]?.array, !next.isEmpty else { break }
            paged += next
        }
        #expect(paged == events)
        let none = try service.call("getHistory", ["userId": "guest"])
        #expect(none["events"]?.array == [])
        let at = try #require(events.dropLast().last?["at"])
        let then = try service.call("getStatus", ["userId": "alice", "at": at])
        #expect(then["isSubscriber"] == false)
        #expect(try service.call("mergeAccounts", Self.login)["replayed"] == true)
        let refused = try service.refusal(of: "registerAccount", ["userId": "guest"])
        #expect(refused?.name == "ownership_conflict")
        let same = try service.refusal(
            of: "mergeAccounts",
            ["fromUserId": "alice", "intoUserId": "alice", "idempotencyKey": "k"]
        )
        #expect(same?.code == -32602)
    }

    @Test func `a repeated merge answers who has everything now, and a charge comes back in full`()
        throws
    {
        let service = try TestService.started()
        for user in ["guest", "alice", "anna"] {
            let gift: JSONObject = ["userId": .string(user), "amount": 5, "idempotencyKey": "g"]
            _ = try service.call("grantCredits", gift, admin: true)
        }
        let charge: JSONObject = ["userId": "guest", "idempotencyKey": "k", "amount": 4]
        _ = try service.call("consumeCredit", charge)
        _ = try service.call("mergeAccounts", Self.login)
        let next: JSONObject = [
            "fromUserId": "alice", "intoUserId": "anna", "idempotencyKey": "next",
        ]
        let merged = try service.call("mergeAccounts", next)
        let again = try service.call("mergeAccounts", Self.login)
        #expect(again["replayed"] == true)
        #expect(again["status"]?["userId"] == "anna")
        #expect(again["status"]?["creditsRemaining"] == merged["status"]?["creditsRemaining"])
        let back: JSONObject = ["userId": "anna", "consumeKey": "k", "idempotencyKey": "r"]
        #expect(try service.call("reverseCredits", back)["outcome"] == "reversed")
        let events = try service.call("getHistory", ["userId": "anna"])["events"]?.array
        #expect(events?.last?["cause"] == "reversed")
        #expect(events?.last?["detail"]?["amount"] == 4)
        let record = try service.call("exportUser", ["userId": "anna"], admin: true)
        let exported = String(decoding: record.bytes, as: UTF8.self)
        #expect(exported.contains(#""event":"reversed""#))
    }

    @Test func `keys that were used under the old id replay, and nothing else is done for it`()
        throws
    {
        let service = try TestService.started()
        for user in ["guest", "alice"] {
            let gift: JSONObject = ["userId": .string(user), "amount": 5, "idempotencyKey": "g"]
            _ = try service.call("grantCredits", gift, admin: true)
        }
        func consume(_ user: String, _ key: String, _ amount: Int64 = 1) throws -> JSONValue {
            let charge: JSONObject = [
                "userId": .string(user), "idempotencyKey": .string(key), "amount": .integer(amount),
            ]
            return try service.call("consumeCredit", charge)
        }
        let first = try consume("guest", "mine")
        _ = try consume("guest", "both")
        _ = try consume("alice", "both", 2)
        _ = try service.call("mergeAccounts", Self.login)
        try service.restart()
        for user in ["guest", "alice"] {
            let again = try consume(user, "mine")
            #expect(again["replayed"] == true && again["seq"] == first["seq"], "\(user)")
            #expect(again["creditsRemaining"] == first["creditsRemaining"], "\(user)")
        }
        #expect(try consume("guest", "both")["creditsRemaining"] == 3)
        #expect(try consume("alice", "both", 2)["creditsRemaining"] == 3)
        let other: JSONObject = ["userId": "guest", "idempotencyKey": "mine", "amount": 2]
        #expect(try service.refusal(of: "consumeCredit", other)?.code == -32023)
        #expect(try service.call("getCredits", ["userId": "alice"])["balance"] == 6)
        let writes: [(String, JSONObject, Bool)] = [
            ("consumeCredit", ["idempotencyKey": "new"], false),
            ("reserveCredits", ["idempotencyKey": "new", "amount": 1, "ttlSeconds": 9], false),
            ("reverseCredits", ["idempotencyKey": "new", "consumeKey": "mine"], false),
            ("registerAccount", [:], false),
            ("grantCredits", ["idempotencyKey": "new", "amount": 1], true),
            ("adjustCredits", ["idempotencyKey": "new", "amount": 1], true),
            ("grantEntitlement", ["idempotencyKey": "new", "plan": "default"], true),
            ("eraseUser", [:], true),
        ]
        for (method, params, admin) in writes {
            var params = params
            params["userId"] = "guest"
            let refused = try service.refusal(of: method, params, admin: admin)
            #expect(refused?.code == -32021 && refused?.reason == "merged", "\(method)")
        }
        #expect(try service.call("getCredits", ["userId": "alice"])["balance"] == 6)
        #expect(try service.isSoundOnceStopped())
    }

    @Test func `erased, exported and loaded elsewhere, it is one person`() throws {
        let service = try live()
        _ = try service.call(
            "grantCredits",
            ["userId": "guest", "amount": 2, "idempotencyKey": "g"],
            admin: true
        )
        _ = try service.call("consumeCredit", ["userId": "guest", "idempotencyKey": "c"])
        _ = try service.call("mergeAccounts", Self.login)
        let export = try service.call("exportUser", ["userId": "alice"], admin: true)
        #expect(export["account"]?["formers"] == ["guest"])
        #expect((export["settlements"]?.array?.count ?? 0) >= 2)
        let told = (export["events"]?.array ?? []).flatMap { $0["events"]?.array ?? [] }
        #expect(told.contains { $0["event"] == "accounts_merged" })
        #expect(told.contains { $0["event"] == "credited" })
        let rows = try service.rows()
        #expect(rows.contains { $0["table"] == "merges" && $0["key"] == "guest" })
        let other = try TestService.started()
        let loadable = rows.filter { row in
            !["alarms", "ticks", "tombstones", "meta"].contains(row["table"]?.string ?? "")
        }
        let loaded = try other.call("load", ["entries": .array(loadable)], admin: true)
        #expect(loaded["loaded"]?.int64 == Int64(loadable.count))
        #expect(try other.status("alice")["isSubscriber"] == true)
        let gone = try other.refusal(of: "registerAccount", ["userId": "guest"])
        #expect(gone?.name == "ownership_conflict")
        let refused = try service.refusal(of: "eraseUser", ["userId": "guest"], admin: true)
        #expect(refused?.name == "ownership_conflict")
        let erased = try service.call("eraseUser", ["userId": "alice"], admin: true)
        #expect(erased["erased"] == true)
        #expect(try !service.rows(of: "merges").contains { $0["key"] == "guest" })
        #expect(try service.refusal(of: "registerAccount", ["userId": "guest"]) == nil)
    }
}
