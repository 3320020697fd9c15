import EntitlementsClient
import Fixtures
import Foundation
import Glibc
import JSON
import Synchronization
import TestSupport
import Testing

/// Nobody's long questions stop anybody else's answers.
@Suite struct LaneTests {
    private let port: UInt16
    private let daemon: TestDaemon

    init() throws {
        var setup = TestDaemon.Setup()
        port = try setup.servingMetrics()
        daemon = try TestDaemon.started(setup)
    }

    private func metric(_ series: String) throws -> Int? {
        let page = try HTTPExchange.request("GET", "/metrics", [], port: port).text
        let line = page.split(separator: "\n").first { $0.hasPrefix(series + " ") }
        return line?.split(separator: " ").last.flatMap { Int($0) }
    }

    private func request(_ id: Int, _ method: String, _ params: JSONObject) -> String {
        let request: JSONValue = [
            "jsonrpc": "2.0", "id": .integer(Int64(id)), "method": .string(method),
            "params": .object(params),
        ]
        return String(decoding: request.bytes, as: UTF8.self)
    }

    /// Gives `user` credits so many times, in batches.
    private func live(_ user: String, events: Int) throws {
        let socket = try StreamSocket.unix(daemon.adminSocket)
        for start in stride(from: 0, to: events, by: 100) {
            let batch = (start..<min(start + 100, events))
                .map { index in
                    let params: JSONObject = [
                        "userId": .string(user), "amount": 1,
                        "idempotencyKey": .string("k\(index)"),
                    ]
                    return request(index, "grantCredits", params)
                }
            socket.sendFrame("[" + batch.joined(separator: ",") + "]")
            let replies = try #require(try socket.receiveReply().array)
            #expect(replies.allSatisfy { $0["error"] == nil })
        }
    }

    /// What others ask for meanwhile: a notification, a grant, a purchase.
    private func serveOthers(_ name: String) throws {
        let body = try daemon.voice.notification("SUBSCRIBED", about: StoreLife())
        #expect(try daemon.deliver(body) == (200, "applied"))
        let grant: JSONObject = [
            "userId": .string(name), "plan": "premium", "idempotencyKey": "g",
        ]
        #expect(try daemon.call("grantEntitlement", grant, admin: true)["replayed"] == false)
        let document = try daemon.voice.purchase(StoreLife())
        let purchase: JSONObject = [
            "userId": .string(name), "signedTransaction": .string(document),
        ]
        #expect(try daemon.call("verifyPurchase", purchase)["applied"] == true)
    }

    @Test func `pipelined histories hold up no notification, grant or purchase`() throws {
        try live("busy", events: 1_000)
        let asked = 400
        let greedy = GreedyClient(
            daemon.socket,
            (1...asked).map { request($0, "getHistory", ["userId": "busy", "limit": 100]) }
        )
        // The greedy one is being served before the others come.
        #expect(eventually(within: 20) { greedy.answered > 0 })
        try serveOthers("polite")
        // So is another's question of the same kind.
        let history = try daemon.call("getHistory", ["userId": "polite"])
        #expect(history["events"]?.array?.isEmpty == false)
        #expect(greedy.answered < asked, "all histories came first")
        let depth = #"entitld_lane_depth{lane="questions"}"#
        #expect(try metric(depth) ?? 0 > 0)
        // What nobody waits for any more is not done.
        greedy.leave()
        #expect(try eventually(within: 20) { try metric(depth) == 0 })
        #expect(try metric(#"entitld_lane_dropped_total{lane="questions"}"#) ?? 0 > 0)
        let ok = #"entitld_rpc_requests_total{method="getHistory",code="ok"}"#
        #expect(try metric(ok) ?? asked < asked)
        #expect(daemon.stop() == .exited(0))
    }

    @Test func `beside erasures and a backup, notifications, grants and purchases are answered`()
        throws
    {
        try live("busy", events: 2_000)
        let admin = try StreamSocket.unix(daemon.adminSocket)
        let erased = 30
        let names = (1...erased).map { JSONValue.string("person-\($0)") }
        let registrations = names.map { request(1, "registerAccount", ["userId": $0]) }
        admin.sendFrame("[" + registrations.joined(separator: ",") + "]")
        #expect(try admin.receiveReply().array?.count == erased)
        for name in names { admin.sendFrame(request(1, "eraseUser", ["userId": name])) }
        let other = try StreamSocket.unix(daemon.adminSocket)
        let path = daemon.scratch.file("copy")
        other.sendFrame(request(1, "backup", ["path": .string(path)]))
        try serveOthers("polite")
        let history = try daemon.call("getHistory", ["userId": "polite"])
        #expect(history["events"]?.array?.isEmpty == false)
        for _ in 0..<erased { #expect(try admin.receiveReply()["result"] != nil) }
        #expect(try other.receiveReply()["result"]?["bytes"] != nil)
        #expect(daemon.stop() == .exited(0))
    }

    @Test func `a purchase that waits for the store holds up its user's writes and no others`()
        throws
    {
        // Connections are made, and nobody ever answers.
        let silence = try SilentPort()
        let scratch = try Scratch()
        let store = try PlayedStore(month: "10m", in: scratch)
        let daemon = try store.daemon(
            reconcile: "{ failuresEverySeconds: 36000, askBeforeEndSeconds: 0 }",
            askedAt: silence.port
        )
        try daemon.start()
        let (alice, bob) = (UUID().uuidString.lowercased(), UUID().uuidString.lowercased())
        for user in [alice, bob] {
            let credits: JSONObject = [
                "userId": .string(user), "amount": 5, "idempotencyKey": "k",
            ]
            _ = try daemon.call("grantCredits", credits, admin: true)
        }
        func hold(_ user: String) throws -> JSONValue {
            let order: JSONObject = [
                "userId": .string(user), "amount": 1, "ttlSeconds": 600, "idempotencyKey": "h",
            ]
            return try daemon.call("reserveCredits", order)["reservation"] ?? .null
        }
        let holds = [try hold(alice), try hold(bob)]
        func charge(_ user: String) -> JSONObject {
            ["userId": .string(user), "idempotencyKey": "c"]
        }
        let socket = try StreamSocket.unix(daemon.socket)
        let purchase: JSONObject = [
            "userId": .string(alice), "transactionId": "2000000000000001",
        ]
        socket.sendFrame(request(1, "verifyPurchase", purchase))
        socket.sendFrame(request(2, "consumeCredit", charge(alice)))
        socket.sendFrame(request(3, "commitReservation", ["reservation": holds[0]]))
        socket.sendFrame(request(4, "consumeCredit", charge(bob)))
        socket.sendFrame(request(5, "commitReservation", ["reservation": holds[1]]))
        // Bob's are answered while alice's purchase waits.
        var order: [Int64?] = []
        for _ in 0..<2 { order.append(try socket.receiveReply()["id"]?.int64) }
        #expect(order == [4, 5])
        #expect(!socket.hasAnswer(withinMilliseconds: 200))
        #expect(try daemon.call("getCredits", ["userId": .string(alice)])["balance"] == 4)
        // Another connection's writes wait for nothing.
        let elsewhere: JSONObject = ["userId": .string(alice), "idempotencyKey": "other"]
        #expect(try daemon.call("consumeCredit", elsewhere)["creditsRemaining"] == 3)
        order = []
        for _ in 0..<3 {
            let reply = try socket.receiveReply()
            order.append(reply["id"]?.int64)
            let isPurchase = reply["id"] == 1
            #expect((reply["error"]?["data"]?["code"] == "overloaded") == isPurchase, "\(reply)")
        }
        #expect(order == [1, 2, 3])
    }
}

/// A client on a thread of its own, which asks for everything at once and counts the answers.
private final class GreedyClient: Sendable {
    private let count = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)

    init(_ path: String, _ frames: [String]) {
        Thread.detachNewThread { [self] in
            guard let socket = try? StreamSocket.unix(path) else { return }
            for frame in frames { socket.sendFrame(frame) }
            while !isOver.load(ordering: .relaxed), socket.receiveFrame() != nil {
                count.add(1, ordering: .relaxed)
            }
        }
    }

    var answered: Int { count.load(ordering: .relaxed) }

    /// Reads nothing more, and closes the connection.
    func leave() { isOver.store(true, ordering: .relaxed) }
}
