import EntitlementsClient
import JSON
import Testing

/// mergeAccounts on a live daemon.
@Suite struct MergeTests {
    private static let login: JSONObject = [
        "fromUserId": "guest", "intoUserId": "alice", "idempotencyKey": "login",
    ]

    private func live() throws -> TestDaemon {
        let daemon = try TestDaemon.started()
        let guest = try daemon.call("registerAccount", ["userId": "guest"])
        _ = try daemon.call("registerAccount", ["userId": "alice"])
        let life = StoreLife(token: guest["appAccountToken"]?.string)
        _ = try daemon.deliver(daemon.voice.notification("SUBSCRIBED", about: life))
        return daemon
    }

    @Test func `one has the history of both, and the other none`() throws {
        let daemon = try live()
        let before = try daemon.status("guest")
        #expect(before["isSubscriber"] == true)
        let merged = try daemon.call("mergeAccounts", Self.login)
        #expect(merged["replayed"] == false && merged["status"]?["isSubscriber"] == true)
        #expect(merged["status"]?["userId"] == "alice")
        #expect(try daemon.status("guest")["state"] == "no_account")
        let events = try #require(
            daemon.call("getHistory", ["userId": "alice"])["events"]?.array
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
            let page = try daemon.call(
                "getHistory",
                ["userId": "alice", "afterSeq": place, "limit": 1]
            )
            guard let next = page["events"]?.array, !next.isEmpty else { break }
            paged += next
        }
        #expect(paged == events)
        let none = try daemon.call("getHistory", ["userId": "guest"])
        #expect(none["events"]?.array == [])
        let at = try #require(events.dropLast().last?["at"])
        let then = try daemon.call("getStatus", ["userId": "alice", "at": at])
        #expect(then["isSubscriber"] == false)
        #expect(try daemon.call("mergeAccounts", Self.login)["replayed"] == true)
        let refused = try daemon.refusal(of: "registerAccount", ["userId": "guest"])
        #expect(refused?.name == "ownership_conflict")
        let same = try daemon.refusal(
            of: "mergeAccounts",
            ["fromUserId": "alice", "intoUserId": "alice", "idempotencyKey": "k"]
        )
        #expect(same?.code == -32602)
    }

    @Test func `keys that were used under the old id replay, and nothing else is done for it`()
        throws
    {
        let daemon = try TestDaemon.started()
        for user in ["guest", "alice"] {
            let gift: JSONObject = ["userId": .string(user), "amount": 5, "idempotencyKey": "g"]
            _ = try daemon.call("grantCredits", gift, admin: true)
        }
        func consume(_ user: String, _ key: String, _ amount: Int64 = 1) throws -> JSONValue {
            let charge: JSONObject = [
                "userId": .string(user), "idempotencyKey": .string(key), "amount": .integer(amount),
            ]
            return try daemon.call("consumeCredit", charge)
        }
        let first = try consume("guest", "mine")
        _ = try consume("guest", "both")
        _ = try consume("alice", "both", 2)
        _ = try daemon.call("mergeAccounts", Self.login)
        try daemon.restart()
        for user in ["guest", "alice"] {
            let again = try consume(user, "mine")
            #expect(again["replayed"] == true && again["seq"] == first["seq"], "\(user)")
            #expect(again["creditsRemaining"] == first["creditsRemaining"], "\(user)")
        }
        #expect(try consume("guest", "both")["creditsRemaining"] == 3)
        #expect(try consume("alice", "both", 2)["creditsRemaining"] == 3)
        let other: JSONObject = ["userId": "guest", "idempotencyKey": "mine", "amount": 2]
        #expect(try daemon.refusal(of: "consumeCredit", other)?.code == -32023)
        #expect(try daemon.call("getCredits", ["userId": "alice"])["balance"] == 6)
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
            let refused = try daemon.refusal(of: method, params, admin: admin)
            #expect(refused?.code == -32021 && refused?.reason == "merged", "\(method)")
        }
        #expect(try daemon.call("getCredits", ["userId": "alice"])["balance"] == 6)
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
    }

    @Test(arguments: [false, true])
    func `both are told to watchers, as it happens and later`(later: Bool) throws {
        let daemon = try live()
        let socket = try StreamSocket.unix(daemon.socket)
        let seq = try daemon.status("alice")["seq"]?.int64 ?? 0
        if later { _ = try daemon.call("mergeAccounts", Self.login) }
        let params = later ? #"{"fromSeq":\#(seq)}"# : "{}"
        socket.sendFrame(#"{"jsonrpc":"2.0","id":1,"method":"watch","params":\#(params)}"#)
        _ = try #require(try socket.receiveReply()["result"]?["seq"])
        if !later { _ = try daemon.call("mergeAccounts", Self.login) }
        var told: [String: JSONValue] = [:]
        while told.count < 2 {
            let message = try socket.receiveReply()
            guard message["method"] == "entitlementChanged",
                let change = message["params"], let user = change["userId"]?.string
            else { continue }
            told[user] = change
        }
        #expect(told["guest"]?["status"]?["state"] == "no_account")
        #expect(told["alice"]?["status"]?["isSubscriber"] == true)
        #expect(told.values.allSatisfy { $0["cause"] == "transferred" })
    }

    @Test func `erased, exported and loaded elsewhere, it is one person`() throws {
        let daemon = try live()
        _ = try daemon.call(
            "grantCredits",
            ["userId": "guest", "amount": 2, "idempotencyKey": "g"],
            admin: true
        )
        _ = try daemon.call("consumeCredit", ["userId": "guest", "idempotencyKey": "c"])
        _ = try daemon.call("mergeAccounts", Self.login)
        let export = try daemon.call("exportUser", ["userId": "alice"], admin: true)
        #expect(export["account"]?["formers"] == ["guest"])
        #expect((export["settlements"]?.array?.count ?? 0) >= 2)
        let told = (export["events"]?.array ?? []).flatMap { $0["events"]?.array ?? [] }
        #expect(told.contains { $0["event"] == "accounts_merged" })
        #expect(told.contains { $0["event"] == "credited" })
        let rows = try daemon.rows()
        #expect(rows.contains { $0["table"] == "merges" && $0["key"] == "guest" })
        let other = try TestDaemon.started()
        let loadable = rows.filter { row in
            !["alarms", "ticks", "tombstones", "meta"].contains(row["table"]?.string ?? "")
        }
        let loaded = try other.call("load", ["entries": .array(loadable)], admin: true)
        #expect(loaded["loaded"]?.int64 == Int64(loadable.count))
        #expect(try other.status("alice")["isSubscriber"] == true)
        let gone = try other.refusal(of: "registerAccount", ["userId": "guest"])
        #expect(gone?.name == "ownership_conflict")
        let refused = try daemon.refusal(of: "eraseUser", ["userId": "guest"], admin: true)
        #expect(refused?.name == "ownership_conflict")
        let erased = try daemon.call("eraseUser", ["userId": "alice"], admin: true)
        #expect(erased["erased"] == true)
        #expect(try !daemon.rows(of: "merges").contains { $0["key"] == "guest" })
        #expect(try daemon.refusal(of: "registerAccount", ["userId": "guest"]) == nil)
    }
}
