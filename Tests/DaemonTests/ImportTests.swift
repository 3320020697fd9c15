import EntitlementsClient
import Fixtures
import Foundation
import JSON
import TestSupport
import Testing

/// Users of another system, brought over with `entitlctl import` and compared with `compare`.
@Suite struct ImportTests {
    private static func started() throws -> TestDaemon {
        var setup = TestDaemon.Setup()
        setup.catalog = """
            freeCredits: 3
            creditPacks: { com.example.pack: 10 }
            plans:
              paid: { rank: 1, tier: paid, products: [com.example.monthly], unlimited: [render] }
              gold: { rank: 2, tier: paid, products: [com.example.gold], unlimited: [render] }
            """
        setup.logLevel = "warning"
        return try TestDaemon.started(setup)
    }

    private func began(_ daemon: TestDaemon, _ words: String...) throws -> ChildProcess {
        let socket = ["--json", "--timeout", "60", "--socket", daemon.adminSocket]
        return try ChildProcess("entitlctl", words + socket, in: daemon.scratch)
    }

    private func write(_ lines: [JSONObject], _ name: String, _ daemon: TestDaemon) throws -> String
    {
        let texts = lines.map { String(decoding: JSONValue.object($0).bytes, as: UTF8.self) }
        return try daemon.scratch.write(texts.joined(separator: "\n") + "\n", to: name)
    }

    private func users(_ count: Int, _ daemon: TestDaemon) throws -> [JSONObject] {
        try (0..<count)
            .map { number in
                let token = UUID().uuidString.lowercased()
                let document = try daemon.voice.purchase(StoreLife(token: token))
                var user: JSONObject = ["userId": .string("user\(number)")]
                user["tokens"] = [.string(token)]
                if number % 2 == 0 {
                    user["purchases"] = [["signedTransaction": .string(document)]]
                }
                if number % 3 == 0 { user["credits"] = .integer(Int64(number)) }
                if number % 5 == 0 { user["grants"] = [["plan": "gold"]] }
                return user
            }
    }

    private func dump(_ daemon: TestDaemon) throws -> String {
        let child = try began(daemon, "dump")
        #expect(child.wait(seconds: 60) == .exited(0))
        return child.output
    }

    private func expectImported(_ count: Int, _ daemon: TestDaemon) throws {
        for number in 0..<count {
            let status = try daemon.status("user\(number)")
            let plan = number % 5 == 0 ? "gold" : number % 2 == 0 ? "paid" : "free"
            #expect(status["plan"]?.string == plan, "\(number)")
            let credits = number % 3 == 0 ? number : 3
            #expect(status["creditsRemaining"]?.int64 == Int64(credits), "\(number)")
        }
    }

    @Test func `of who had free credits before, those are taken and no others, once`() throws {
        let daemon = try Self.started()
        _ = try daemon.call(
            "grantCredits",
            [
                "userId": "bob", "amount": 100, "idempotencyKey": "g",
                "expiresAt": "2100-01-01T00:00:00.000Z",
            ],
            admin: true
        )
        let lines: [JSONObject] = ["bob", "new"]
            .map {
                ["userId": .string($0), "freeCreditsGiven": true]
            }
        let file = try write(lines, "users.jsonl", daemon)
        for _ in 0..<2 {
            let child = try began(daemon, "import", file)
            #expect(child.wait(seconds: 60) == .exited(0), "\(child.log)")
            let buckets = try daemon.call("getCredits", ["userId": "bob"])["buckets"]?.array ?? []
            #expect(buckets.map { $0["source"]?.string } == ["grant"])
            #expect(buckets.first?["amount"] == 100)
            #expect(try daemon.call("getCredits", ["userId": "new"])["buckets"] == [])
        }
        // Where the daemon has forgotten the key, the history has it.
        let events = try daemon.call("getHistory", ["userId": "bob"])["events"]?.array ?? []
        let taken = events.filter {
            $0["detail"]?["reason"]?.string?.hasSuffix("key import:free") == true
        }
        #expect(taken.count == 1)
    }

    @Test func `users come over with what is theirs, once`() throws {
        let daemon = try Self.started()
        let file = try write(try users(60, daemon), "users.jsonl", daemon)
        let first = try began(daemon, "import", file)
        #expect(first.wait(seconds: 120) == .exited(0), "\(first.log)")
        let said = try JSONValue.parse(Array(first.output.utf8))
        #expect(said["users"] == 60 && said["purchases"] == 30 && said["grants"] == 12)
        try expectImported(60, daemon)
        // Some live on meanwhile.
        for (user, key) in [("user3", "a"), ("user6", "b")] {
            let order: JSONObject = ["userId": .string(user), "idempotencyKey": .string(key)]
            _ = try daemon.call("consumeCredit", order)
        }
        let before = try dump(daemon)
        let second = try began(daemon, "import", file)
        #expect(second.wait(seconds: 120) == .exited(0), "\(second.log)")
        #expect(try dump(daemon) == before)
        #expect(try daemon.status("user3")["creditsRemaining"] == 2)
    }

    @Test func `a daemon that is killed meanwhile is waited for`() throws {
        let daemon = try Self.started()
        let file = try write(try users(300, daemon), "users.jsonl", daemon)
        let child = try began(daemon, "import", "--connections", "4", file)
        #expect(try eventually(within: 60) { try daemon.status("user40")["state"] != "no_account" })
        daemon.killAtOnce()
        try daemon.start()
        #expect(child.wait(seconds: 120) == .exited(0), "\(child.log)")
        try expectImported(300, daemon)
        let before = try dump(daemon)
        let again = try began(daemon, "import", file)
        #expect(again.wait(seconds: 120) == .exited(0), "\(again.log)")
        #expect(try dump(daemon) == before)
    }

    @Test func `what is not taken is said, and all else is`() throws {
        let daemon = try Self.started()
        let token = UUID().uuidString.lowercased()
        let alices = try daemon.voice.purchase(StoreLife(token: token))
        let pack = try daemon.voice.pack("7", of: token)
        let text = """
            {"userId":"alice","tokens":["\(token)"],"purchases":[{"signedTransaction":"\(alices)"},
            """
        let lines: [JSONObject] = [
            [
                "userId": "alice", "tokens": [.string(token)],
                "purchases": [
                    ["signedTransaction": .string(alices)], ["signedTransaction": .string(pack)],
                ],
                "credits": [["amount": 4, "source": "old"]],
            ],
            [
                "userId": "bob",
                "purchases": [["signedTransaction": .string(alices)], ["transactionId": "1"]],
                "grants": [["plan": "platinum"], ["plan": "gold"]],
            ],
            ["userId": "carol", "credit": 1], ["userId": "dave", "credits": -1],
        ]
        let file = try write(lines, "users.jsonl", daemon)
        let whole = try String(contentsOfFile: file, encoding: .utf8)
        try daemon.scratch.write(whole + text, to: "users.jsonl")
        let child = try began(daemon, "import", file)
        #expect(child.wait(seconds: 60) == .exited(1), "\(child.log)")
        let said = try child.output.split(separator: "\n")
            .map { try JSONValue.parse(Array($0.utf8)) }
        func fault(_ line: Int64, _ what: String? = nil) -> JSONValue? {
            said.first { $0["line"]?.int64 == line && $0["what"]?.string == what }
        }
        #expect(fault(2, "purchases[0]")?["code"] == "ownership_conflict")
        #expect(fault(2, "purchases[1]")?["userId"] == "bob")
        #expect(fault(2, "grants[0]")?["code"] == "invalid_params")
        #expect(fault(3)?["message"] == "has credit, which is not known")
        #expect(fault(4) != nil && fault(5) != nil)
        #expect(said.last?["notTaken"] == 6 && said.last?["users"] == 2)
        #expect(said.last?["purchases"] == 2 && said.last?["grants"] == 1)
        #expect(try daemon.status("alice")["plan"] == "paid")
        // Its pack and its free credits are in the balance.
        #expect(try daemon.status("alice")["creditsRemaining"] == 4)
        #expect(try daemon.status("bob")["plan"] == "gold")
        #expect(try daemon.status("carol")["state"] == "no_account")
    }

    @Test func `what another system says is held beside what this one says`() throws {
        let daemon = try Self.started()
        for user in ["alice", "bob", "carol"] {
            _ = try daemon.call("registerAccount", ["userId": .string(user)])
        }
        let end = Date().addingTimeInterval(86_400).formatted(.iso8601)
        let grant: JSONObject = [
            "userId": "alice", "plan": "gold", "idempotencyKey": "a", "expiresAt": .string(end),
        ]
        _ = try daemon.call("grantEntitlement", grant, admin: true)
        let lines: [JSONObject] = [
            ["userId": "alice", "plan": "gold", "isSubscriber": true, "expiresAt": .string(end)],
            ["userId": "bob", "plan": "gold"], ["userId": "carol", "plan": "gold"],
            ["userId": "nobody", "state": "no_account"],
        ]
        let file = try write(lines, "old.jsonl", daemon)
        let child = try began(daemon, "compare", file)
        #expect(child.wait(seconds: 60) == .exited(1), "\(child.log)")
        let said = try JSONValue.parse(Array(child.output.utf8))
        #expect(said["users"] == 4 && said["differing"] == 2)
        #expect(
            said["differences"] == [
                [
                    "difference": "plan: gold, here free (never_subscribed)", "count": 2,
                    "users": ["bob", "carol"],
                ]
            ]
        )
        let same = try write([lines[0], lines[3]], "same.jsonl", daemon)
        #expect(try began(daemon, "compare", same).wait(seconds: 60) == .exited(0))
        let slip = try write([["userId": "alice", "plann": "gold"]], "slip.jsonl", daemon)
        #expect(try began(daemon, "compare", slip).wait(seconds: 60) == .exited(65))
    }

    @Test func `a catalog says whom it would change before it is loaded`() throws {
        let daemon = try Self.started()
        let file = try write(try users(30, daemon), "users.jsonl", daemon)
        #expect(try began(daemon, "import", file).wait(seconds: 60) == .exited(0))
        let text = try String(contentsOfFile: daemon.scratch.file("catalog.yaml"), encoding: .utf8)
        let before = try dump(daemon)
        // The monthly product is in no plan any more: who pays for it alone loses.
        let less = try daemon.scratch.write(
            text.replacing("com.example.monthly", with: "com.example.weekly"),
            to: "less.yaml"
        )
        let child = try began(daemon, "preview", less)
        #expect(child.wait(seconds: 60) == .exited(0), "\(child.log)")
        let said = try JSONValue.parse(Array(child.output.utf8))
        // Even numbers have bought it, and every fifth has a better plan by a grant.
        #expect(said["users"] == 30 && said["differing"] == 12)
        let kinds = (said["differences"]?.array ?? [])
            .map { "\($0["count"]?.int64 ?? 0) \($0["difference"]?.string ?? "")" }
        #expect(kinds.contains("12 plan: paid -> free"), "\(kinds)")
        #expect(kinds.contains("12 isSubscriber: yes -> no"), "\(kinds)")
        #expect(try dump(daemon) == before)
        let same = try began(daemon, "preview", daemon.scratch.file("catalog.yaml"))
        #expect(same.wait(seconds: 60) == .exited(0))
        #expect(try JSONValue.parse(Array(same.output.utf8))["differing"] == 0)
        let slip = try daemon.scratch.write("plans: { a: { rank: x } }", to: "slip.yaml")
        let refused = try began(daemon, "preview", slip)
        #expect(refused.wait(seconds: 60) == .exited(2))
        #expect(refused.log.contains("plans.a.rank"), "\(refused.log)")
        // What was said comes true.
        try daemon.install(catalog: try String(contentsOfFile: less, encoding: .utf8))
        #expect(try daemon.status("user2")["plan"] == "free")
        #expect(try daemon.status("user10")["plan"] == "gold")
    }
}
