import EntitlementsClient
import Fixtures
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// The methods for those who keep a daemon: backup, load, export, the log's level.
@Suite struct AdminMethodTests {
    /// The tables that a load fills.
    private static let loadable = [
        "accounts", "subscriptions", "tokens", "unclaimed", "notifications", "settlements",
        "reservations", "leases", "packs",
    ]

    private static let catalog = """
        freeCredits: 3
        plans:
          paid: { products: [com.example.monthly, { id: com.example.pass, days: 30 }],
                  unlimited: [render], creditsPerPeriod: 5 }
        creditPacks: { com.example.pack: 10 }
        """

    private func daemon(storage: String? = nil) throws -> TestDaemon {
        var setup = TestDaemon.Setup()
        setup.catalog = Self.catalog
        setup.storage = storage
        return try TestDaemon.started(setup)
    }

    /// A daemon with something in every table, lived in for a while.
    private func livedIn() throws -> TestDaemon {
        let daemon = try daemon()
        let odd = "quote\" back\\slash é 👩‍👩‍👧 \u{2028}"
        for user in ["alice", "bob", "carol", odd] {
            let account = try daemon.call("registerAccount", ["userId": .string(user)])
            guard user != "carol" else { continue }
            var life = StoreLife(token: account["appAccountToken"]?.string)
            _ = try daemon.deliver(daemon.voice.notification("SUBSCRIBED", about: life))
            life.renew()
            _ = try daemon.deliver(daemon.voice.notification("DID_RENEW", about: life))
        }
        for id in ["81", "82"] {
            let token = "0f2e4d6c-8b9a-4c3d-9e1f-aabbccddeeff"
            let pass = try daemon.voice.pack(
                id,
                of: token,
                product: "com.example.pass",
                kind: "Non-Renewing Subscription"
            )
            let shown: JSONObject = [
                "userId": "carl", "signedTransaction": .string(pass),
                "appAccountToken": .string(token),
            ]
            _ = try daemon.call("verifyPurchase", shown)
        }
        let stranger = StoreLife(token: "6a6f7266-1111-4222-8333-444455556666")
        _ = try daemon.deliver(daemon.voice.notification("SUBSCRIBED", about: stranger))
        _ = try daemon.deliver(
            daemon.voice.notification("SUBSCRIBED", about: StoreLife(token: nil))
        )
        let carol: JSONObject = ["userId": "carol"]
        func ask(_ method: String, _ more: JSONObject, admin: Bool = false) throws -> JSONValue {
            var parameters = carol
            for member in more.members { parameters[member.key] = member.value }
            return try daemon.call(method, parameters, admin: admin)
        }
        _ = try ask(
            "grantCredits",
            ["amount": 50, "idempotencyKey": "g", "expiresAt": "2099-01-01T00:00:00.000Z"],
            admin: true
        )
        _ = try ask("consumeCredit", ["idempotencyKey": "a", "amount": 2])
        _ = try ask("consumeCredit", ["idempotencyKey": "b", "amount": 1])
        _ = try ask("consumeCredit", ["idempotencyKey": "much", "amount": 1_000])
        _ = try ask("reverseCredits", ["idempotencyKey": "r", "consumeKey": "b"])
        _ = try ask("reverseCredits", ["idempotencyKey": "r2", "consumeKey": "b"])
        let first = try ask(
            "reserveCredits",
            ["idempotencyKey": "h1", "amount": 4, "ttlSeconds": 3_600]
        )
        _ = try ask("reserveCredits", ["idempotencyKey": "h2", "amount": 5, "ttlSeconds": 3_600])
        let reservation = try #require(first["reservation"])
        _ = try daemon.call("commitReservation", ["reservation": reservation, "amount": 1])
        _ = try daemon.call(
            "grantEntitlement",
            [
                "userId": "dora", "plan": "paid", "idempotencyKey": "k", "store": "stripe",
                "expiresAt": "2099-01-01T00:00:00.000Z",
            ],
            admin: true
        )
        return daemon
    }

    private func dump(_ daemon: TestDaemon) throws -> [[UInt8]] {
        try Self.loadable.flatMap { try daemon.rows(of: $0) }.map(\.bytes)
    }

    @Test func `a parameter that is null is absent, and an empty prefix is none`() throws {
        let daemon = try daemon()
        _ = try daemon.call("registerAccount", ["userId": "alice", "appAccountToken": .null])
        let calls: [(String, JSONObject)] = [
            ("canRender", ["cost": .null]), ("getStatus", ["at": .null]),
            ("getHistory", ["afterSeq": .null, "limit": .null]),
            ("consumeCredit", ["idempotencyKey": "n", "amount": .null]),
            ("getManagementURL", ["platform": .null]),
        ]
        for (method, optional) in calls {
            var parameters = optional
            parameters["userId"] = "alice"
            #expect(try daemon.refusal(of: method, parameters) == nil, "\(method)")
        }
        #expect(try daemon.refusal(of: "watch", ["fromSeq": .null, "userIds": .null]) == nil)
        #expect(try daemon.refusal(of: "canRender", ["userId": .null])?.code == -32602)
        let whole = try daemon.call("dump", ["table": "accounts"], admin: true)
        let same: JSONObject = [
            "table": "accounts", "prefix": "", "limit": .null, "cursor": .null,
        ]
        #expect(try daemon.call("dump", same, admin: true) == whole)
    }

    @Test func `dump, load, dump: the same bytes, and a journal that makes them`() throws {
        let daemon = try livedIn()
        let before = try dump(daemon)
        let tables = Set(try daemon.rows().compactMap { $0["table"]?.string })
        #expect(tables.isSuperset(of: Set(Self.loadable).subtracting(["leases", "packs"])))
        let other = try self.daemon()
        // Its products get other numbers.
        _ = try other.call(
            "grantEntitlement",
            ["userId": "zoe", "plan": "paid", "idempotencyKey": "z"],
            admin: true
        )
        let own = Set(try dump(other))
        let entries = try daemon.rows()
        var loaded: Int64 = 0
        for start in stride(from: 0, to: entries.count, by: 7) {
            let page = Array(entries[start..<min(start + 7, entries.count)])
            loaded += try #require(
                other.call("load", ["entries": .array(page)], admin: true)["loaded"]?.int64
            )
        }
        #expect(Int(loaded) == before.count)
        #expect(try dump(other).filter { !own.contains($0) } == before)
        for user in ["alice", "bob", "carl", "carol", "dora"] {
            let (mine, theirs) = (try daemon.status(user), try other.status(user))
            for key in ["state", "canRender", "creditsRemaining", "plan", "expiresAt"] {
                #expect(mine[key] == theirs[key], "\(user): \(key)")
            }
        }
        // What was answered there is answered here.
        let again = try other.call(
            "consumeCredit",
            ["userId": "carol", "idempotencyKey": "a", "amount": 2]
        )
        #expect(again["replayed"] == true)
        try other.restart()
        #expect(try dump(other).filter { !own.contains($0) } == before)
        #expect(other.stop() == .exited(0))
        #expect(try other.run("verify").ending == .exited(0))
    }

    @Test func `a row with another value is refused, and named`() throws {
        let daemon = try livedIn()
        let rows = try daemon.rows(of: "tokens")
        #expect(
            try daemon.call("load", ["entries": .array(rows)], admin: true)["loaded"]
                == .integer(Int64(rows.count))
        )
        var row = try #require(rows.last?.object)
        row["value"] = ["userId": "somebody else"]
        let entries: JSONValue = .array([rows[0], .object(row)])
        let refusal = try daemon.refusal(of: "load", ["entries": entries], admin: true)
        #expect(refusal?.code == -32602)
        for wrong: JSONValue in [
            [], "rows", [["table": "nothing", "key": "k", "value": [:]]],
            [["table": "tokens", "key": "no uuid", "value": ["userId": "a"]]],
            [["table": "accounts", "key": "a", "value": ["userId": "a"]]],
            [rows[0], rows[0]],
        ] {
            #expect(
                try daemon.refusal(of: "load", ["entries": wrong], admin: true)?.code == -32602
            )
        }
    }

    @Test func `a backup under writes is a data directory of one moment`() throws {
        let daemon = try livedIn()
        let path = daemon.scratch.file("backup")
        let socket = daemon.socket
        let writes = Thread {
            guard var connection = try? Connection(to: socket, timeout: .seconds(120)) else {
                return
            }
            for number in 0..<2_000 {
                _ = try? connection.call("registerAccount", ["userId": .string("w\(number)")])
            }
        }
        writes.start()
        let made = try daemon.call("backup", ["path": .string(path)], admin: true)
        #expect(made.object?.keys == ["path", "bytes", "digest", "seq"])
        #expect(made["digest"]?.string?.utf8.count == 64)
        let seq = try #require(made["seq"]?.int64)
        let again = try daemon.refusal(of: "backup", ["path": .string(path)], admin: true)
        #expect(again?.code == -32602)
        let relative = try daemon.refusal(of: "backup", ["path": "backup"], admin: true)
        #expect(relative?.code == -32602)
        let copy = try self.daemon(storage: path)
        #expect(try copy.call("stats", admin: true)["seq"]?.int64 == seq)
        // Whoever was written up to that position is there, and nobody who came later.
        let originals = Set(try dump(daemon))
        let kept = try dump(copy)
        #expect(!kept.isEmpty)
        #expect(Set(kept).isSubset(of: originals))
        #expect(copy.stop() == .exited(0))
        #expect(try copy.run("verify").ending == .exited(0))
        while !writes.isFinished { usleep(10_000) }
    }

    @Test func `kill -9 during a backup leaves nothing under its name`() throws {
        let daemon = try livedIn()
        for round in 0..<5 {
            let path = daemon.scratch.file("backup\(round)")
            let socket = daemon.adminSocket
            let asking = Thread {
                guard var connection = try? Connection(to: socket, timeout: .seconds(120)) else {
                    return
                }
                _ = try? connection.call("backup", ["path": .string(path)])
            }
            asking.start()
            usleep(UInt32(500 + round * 4_000))
            daemon.killAtOnce()
            try daemon.start()
            guard access(path, F_OK) == 0 else { continue }
            // It was finished before.
            let copy = try self.daemon(storage: path)
            #expect(copy.stop() == .exited(0))
            #expect(try copy.run("verify").ending == .exited(0))
        }
    }

    @Test func `an export says everything about one person, and nothing of others`() throws {
        let daemon = try livedIn()
        let carol = try daemon.call("exportUser", ["userId": "carol"], admin: true)
        #expect(
            carol.object?.keys == [
                "userId", "account", "seq", "tokens", "subscriptions", "settlements",
                "reservations", "packs", "events", "cursor",
            ]
        )
        #expect(carol["cursor"] == .null)
        #expect(carol["settlements"]?.array?.count == 8)
        #expect(carol["reservations"]?.array?.count == 2)
        #expect(carol["tokens"]?.array?.count == 1)
        let words = carol["events"]?.array?.flatMap { $0["events"]?.array ?? [] }
            .compactMap { $0["event"]?.string }
        for word in ["registered", "credited", "spent", "held", "hold_ended", "reversed"] {
            #expect(words?.contains(word) == true, "\(word)")
        }
        let text = String(decoding: carol.bytes, as: UTF8.self)
        #expect(!text.contains("alice") && !text.contains("dora"))
        let alice = try daemon.call("exportUser", ["userId": "alice"], admin: true)
        #expect(alice["subscriptions"]?.array?.first?["transactions"]?.array?.count == 2)
        #expect(
            try daemon.call("exportUser", ["userId": "nobody"], admin: true)
                == ["userId": "nobody", "account": nil]
        )
    }

    @Test func `an export that does not fit a frame goes on`() throws {
        let daemon = try daemon()
        _ = try daemon.call(
            "grantCredits",
            [
                "userId": "dan", "amount": 100_000, "idempotencyKey": "g",
            ],
            admin: true
        )
        var connection = try Connection(to: daemon.socket, timeout: .seconds(120))
        for number in 0..<2_500 {
            _ = try connection.call(
                "consumeCredit",
                ["userId": "dan", "idempotencyKey": .string("k\(number)")]
            )
        }
        var (settlements, events, pages) = (Set<String>(), 0, 0)
        var parameters: JSONObject = ["userId": "dan"]
        repeat {
            let page = try daemon.call("exportUser", parameters, admin: true)
            for one in page["settlements"]?.array ?? [] {
                settlements.insert(String(decoding: one["key"]?.bytes ?? [], as: UTF8.self))
            }
            events += page["events"]?.array?.count ?? 0
            pages += 1
            parameters["cursor"] = page["cursor"]
        } while parameters["cursor"] != .null && pages < 100
        #expect(pages > 1)
        #expect(settlements.count == 2_501)
        #expect(events == 2_501)
    }

    @Test func `the log's level changes at once`() throws {
        let daemon = try daemon()
        // What each delivery says of itself, at info.
        func told() -> Int {
            daemon.log.split(separator: "\n").count { $0.contains("\"msg\":\"Notification\"") }
        }
        for (level, count) in [("error", 0), ("info", 1), ("warning", 1), ("debug", 2)] {
            let set = try daemon.call("setLogLevel", ["level": .string(level)], admin: true)
            #expect(set == ["level": .string(level)])
            let body = try daemon.voice.notification("DID_RENEW", about: StoreLife())
            #expect(try daemon.deliver(body) == (200, "applied"))
            // Lines keep their order: one too many is seen at the latest with the next.
            #expect(eventually { told() >= count }, "\(level)")
            #expect(told() == count, "\(level)")
        }
        #expect(
            try daemon.refusal(of: "setLogLevel", ["level": "loud"], admin: true)?.code == -32602
        )
        #expect(try daemon.refusal(of: "setLogLevel", ["level": "error"])?.code == -32001)
    }
}
