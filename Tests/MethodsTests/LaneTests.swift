import Entitlements
import JSON
import Ledger
import Telemetry
import TestSupport
import Testing
import Threads
import Wire

@testable import Methods

/// What is done neither by an RPC thread nor by the writer.
final class LaneTests {
    private let stage: Stage
    private let service: MethodService
    private let metrics = Metrics(version: "", methods: Calls.names)
    /// What keeps threads busy until it is closed.
    private let gate = BlockingQueue<Bool>(countMax: 1)

    init() throws {
        stage = try Stage(startingAt: 1_750_000_000_000)
        service = try MethodService(
            Calls.all,
            ledger: stage.ledger,
            storefronts: [],
            settings: MethodSettings(tokenNamespace: "x", frameBytesMax: 1 << 20, version: "1"),
            metrics: metrics
        )
        service.phase = .serving
    }

    deinit {
        gate.close()
        service.stop()
    }

    private func session(_ uid: UInt32 = 1) -> Session {
        Session(caller: Caller(uid: uid, gid: 1, pid: 1, role: .admin))
    }

    /// Keeps all threads of a lane busy until the gate is closed.
    private func block(_ name: LaneName) throws {
        let started = BlockingQueue<Bool>(countMax: name.bounds.workers)
        for _ in 0..<name.bounds.workers {
            let runs = service.lanes[name]
                .run(for: nil) { [gate] _ in
                    _ = started.offer(true)
                    _ = gate.take(1)
                }
            #expect(runs)
        }
        for _ in 0..<name.bounds.workers { _ = try #require(started.take(1, waiting: 20_000)) }
    }

    /// Fills what is free of a lane with work of users from `uid` on.
    private func fill(_ name: LaneName) throws {
        try block(name)
        var uid: UInt32 = 100
        while service.lanes[name].depth < name.bounds.jobs {
            let session = session(uid)
            while service.lanes[name].run(for: session, { _ in }) {}
            uid += 1
        }
    }

    private func error(_ response: JSONValue?) -> String? {
        response?["error"]?["data"]?["code"]?.string
    }

    @Test func `pages and questions about large accounts are no work of an RPC thread`() throws {
        var asker = Asker(service)
        for index in 0..<60 {
            let credits: JSONObject = [
                "userId": "large", "amount": 1, "idempotencyKey": .string("k\(index)"),
                "expiresAt": .string("2099-01-01T00:00:\(index < 10 ? "0" : "")\(index).000Z"),
            ]
            #expect(try asker.call("grantCredits", credits)["result"] != nil)
        }
        _ = try asker.call("registerAccount", ["userId": "small"])
        let reader = try LedgerReader(stage.ledger)
        let (small, large) = (try #require(UserID("small")), try #require(UserID("large")))
        func isShort(_ user: UserID) throws -> Bool {
            let found = try reader.account(of: user, within: MethodLimits.bytesInPlaceMax)
            if case .read(let account) = found { return account != nil }
            return false
        }
        #expect(try isShort(small) && !isShort(large))
        reader.rest()
        let worker = try #require(asker.worker as? MethodWorker)
        let reads = ["getStatus", "getEntitlement", "getCredits", "getManagementURL"]
        for method in reads {
            for user in ["small", "nobody"] {
                let before = worker.reader?.accountsRead ?? 0
                let response = asker.ask(method, ["userId": .string(user)])
                #expect(response?["result"] != nil, "\(method) of \(user)")
                #expect(worker.reader?.accountsRead == before + 1, "\(method) of \(user)")
            }
            #expect(asker.ask(method, ["userId": "large"]) == nil, "\(method)")
            #expect(try asker.next()?["result"] != nil, "\(method)")
        }
        let credits = try asker.call("getCredits", ["userId": "large"])["result"]
        #expect(credits?["buckets"]?.array?.count == 60 && credits?["balance"] == 60)
        // What is wrong with a request is said at once.
        #expect(error(asker.ask("getStatus", ["userId": ""])) == "invalid_params")
        #expect(error(asker.ask("dump", ["table": "none"])) == "invalid_params")
        let pages: [(String, JSONObject)] = [
            ("dump", [:]), ("get", ["table": "accounts", "key": "small"]), ("stats", [:]),
            ("getHistory", ["userId": "small"]), ("explain", ["userId": "small"]),
            ("exportUser", ["userId": "small"]),
            ("getStatus", ["userId": "small", "at": "2025-06-15T15:06:40.000Z"]),
            ("load", ["entries": [["table": "meta", "key": "x", "value": [:]]]]),
        ]
        for (method, params) in pages {
            #expect(asker.ask(method, params) == nil, "\(method)")
            #expect(try asker.next()?["result"] != nil, "\(method)")
        }
        #expect(asker.unanswered == 0)
    }

    @Test func `what was asked on a connection that has ended is not done`() throws {
        for lane in [LaneName.questions, .rows] { try block(lane) }
        var asker = Asker(service)
        for _ in 0..<3 { #expect(asker.ask("getHistory", ["userId": "alice"]) == nil) }
        // A write that was sent whole is carried out all the same.
        let row: JSONValue = ["table": "meta", "key": "x", "value": [:]]
        #expect(asker.ask("load", ["entries": [row]]) == nil)
        #expect(service.figures(of: .questions).depth == 3)
        #expect(service.figures(of: .rows).depth == 1)
        asker.session.close()
        gate.close()
        var answered = 0
        for _ in 0..<4 where try asker.next() != nil { answered += 1 }
        #expect(answered == 1 && asker.unanswered == 0)
        #expect(service.figures(of: .questions).dropped == 3)
        #expect(metrics.rpcRequests.series("getHistory", "ok").value == 0)
        #expect(metrics.rpcRequests.series("load", "ok").value == 1)
    }

    @Test(arguments: LaneName.allCases)
    func `a lane that is full refuses what comes, of a connection, a user and all`(
        name: LaneName
    ) throws {
        try block(name)
        let lane = service.lanes[name]
        let one = session()
        for _ in 0..<name.bounds.jobsPerSession { #expect(lane.run(for: one) { _ in }) }
        #expect(!lane.run(for: one) { _ in })
        #expect(lane.refused == 1 && lane.depth == name.bounds.jobsPerSession)
        while lane.depth < name.bounds.jobsPerCaller { #expect(lane.run(for: session()) { _ in }) }
        #expect(!lane.run(for: session()) { _ in })
        #expect(lane.refused == 2)
        var uid: UInt32 = 100
        while lane.depth < name.bounds.jobs {
            let session = session(uid)
            while lane.run(for: session, { _ in }) {}
            uid += 1
        }
        #expect(!lane.run(for: session(99)) { _ in })
        #expect(!lane.run(for: nil) { _ in })
        #expect(lane.depth == name.bounds.jobs && name.bounds.workers > 0)
        gate.close()
        // The threads of some lanes give way to all others, which may keep a machine busy.
        #expect(eventually(within: 300) { lane.depth == 0 })
    }

    @Test func `the metrics know every lane`() {
        #expect(MetricLabels.lanes == LaneName.allCases.map(\.rawValue))
    }

    @Test func `a full lane is told, and holds up no other`() throws {
        try fill(.questions)
        try fill(.upkeep)
        try fill(.purchases)
        var asker = Asker(service)
        #expect(try error(asker.call("getHistory", ["userId": "a"])) == "overloaded")
        #expect(try error(asker.call("backup", ["path": "/nowhere/new"])) == "overloaded")
        let purchase: JSONObject = ["userId": "a", "signedTransaction": "a.b.c"]
        #expect(try error(asker.call("verifyPurchase", purchase)) == "overloaded")
        let grant: JSONObject = ["userId": "a", "plan": "default", "idempotencyKey": "k"]
        #expect(try asker.call("grantEntitlement", grant)["result"]?["replayed"] == false)
        // A backup that was refused is not under way.
        #expect(try error(asker.call("backup", ["path": "/nowhere/new"])) == "overloaded")
        #expect(try asker.call("canRender", ["userId": "a"])["result"]?["canRender"] == true)
        // What is on disk and cannot be answered is said to be tried again, with the same key.
        try fill(.answers)
        let other: JSONObject = ["userId": "b", "plan": "default", "idempotencyKey": "k"]
        #expect(try error(asker.call("grantEntitlement", other)) == "overloaded")
        #expect(try asker.call("canRender", ["userId": "b"])["result"]?["canRender"] == true)
    }

    @Test func `what is read and written in bulk holds up no question about one user`() throws {
        try fill(.rows)
        var asker = Asker(service)
        let bulk: [(String, JSONObject)] = [
            ("dump", [:]), ("exportUser", ["userId": "a"]),
            ("load", ["entries": [["table": "meta", "key": "x", "value": [:]]]]),
        ]
        for (method, params) in bulk {
            #expect(try error(asker.call(method, params)) == "overloaded", "\(method)")
        }
        let questions: [(String, JSONObject)] = [
            ("getHistory", ["userId": "a"]), ("explain", ["userId": "a"]), ("stats", [:]),
            ("getStatus", ["userId": "a", "at": "2025-06-15T15:06:40.000Z"]),
        ]
        for (method, params) in questions {
            #expect(try asker.call(method, params)["result"] != nil, "\(method)")
        }
    }

    @Test func `a write waits for an earlier one of its user alone`() throws {
        var asker = Asker(service)
        for user in ["alice", "bob"] {
            let credits: JSONObject = ["userId": .string(user), "amount": 9, "idempotencyKey": "g"]
            _ = try asker.call("grantCredits", credits)
        }
        func reserve(_ user: String) -> JSONObject {
            ["userId": .string(user), "amount": 1, "ttlSeconds": 60, "idempotencyKey": "r"]
        }
        let alices = try asker.call("reserveCredits", reserve("alice"))["result"]?["reservation"]
        let bobs = try asker.call("reserveCredits", reserve("bob"))["result"]?["reservation"]
        // The erasure takes its time, and all of alice's writes wait behind it.
        #expect(asker.ask("eraseUser", ["userId": "alice"]) == nil)
        #expect(asker.ask("commitReservation", ["reservation": alices ?? .null]) == nil)
        let charge: JSONObject = ["userId": "alice", "idempotencyKey": "c"]
        #expect(asker.ask("consumeCredit", charge) == nil)
        let ended = try asker.call("commitReservation", ["reservation": bobs ?? .null])
        #expect(ended["result"]?["outcome"] == "committed")
        let spent = try asker.call("consumeCredit", ["userId": "bob", "idempotencyKey": "c"])
        #expect(spent["result"]?["outcome"] == "consumed")
        // A reservation that nobody knows may be anybody's.
        #expect(asker.ask("releaseReservation", ["reservation": "r7"]) == nil)
        #expect(asker.ask("consumeCredit", ["userId": "bob", "idempotencyKey": "d"]) == nil)
        #expect(asker.unanswered == 5)
        gate.close()
        var outcomes: [Int64: String] = [:]
        for _ in 0..<5 {
            let response = try #require(try asker.next())
            let outcome = response["result"]?["outcome"]?.string ?? error(response)
            outcomes[response["id"]?.int64 ?? 0] = outcome ?? "erased"
        }
        // Nothing of alice is left for what came behind her erasure; bob's last one came after all.
        #expect(
            outcomes.sorted { $0.key < $1.key }.map(\.value) == [
                "erased", "not_found", "insufficient", "not_found", "consumed",
            ]
        )
    }
}
