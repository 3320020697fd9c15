import EntitlementsClient
import Fixtures
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// Every figure of a live daemon's /metrics moves when what it counts happens.
@Suite struct MetricsFeedTests {
    private let port: UInt16
    private let daemon: TestDaemon

    init() throws {
        var setup = TestDaemon.Setup()
        port = try setup.servingMetrics()
        daemon = try TestDaemon.started(setup)
    }

    /// The value of every series.
    private func page() throws -> [String: Double] {
        let reply = try HTTPExchange.request("GET", "/metrics", [], port: port)
        #expect(reply.status == 200)
        var page: [String: Double] = [:]
        for line in reply.text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " ") else { continue }
            page[String(line[..<space])] = Double(line[line.index(after: space)...])
        }
        return page
    }

    @Test func `rows, the journal and remembered chains are counted`() throws {
        let before = try page()
        #expect(before["entitld_accounts"] == 0 && before["entitld_subscriptions"] == 0)
        for index in 0..<7 {
            let user = "user-\(index)"
            let account = try daemon.call("registerAccount", ["userId": .string(user)])
            guard index < 3 else { continue }
            let life = StoreLife(token: account["appAccountToken"]?.string)
            let body = try daemon.voice.notification("SUBSCRIBED", about: life)
            #expect(try daemon.deliver(body) == (200, "applied"))
        }
        let after = try page()
        #expect(after["entitld_accounts"] == 7)
        #expect(after["entitld_subscriptions"] == 3)
        let directory = daemon.storage + "/journal"
        let sizes = try FileManager.default.contentsOfDirectory(atPath: directory)
            .filter { $0.hasSuffix(".segment") }
            .map { name in
                FileManager.default.contents(atPath: directory + "/" + name)?.count ?? 0
            }
        #expect(after["entitld_journal_bytes"] == Double(sizes.reduce(0, +)))
        // Three notifications of three documents each, all of one chain.
        #expect(after["entitld_chain_cache_misses_total"] == 1)
        #expect(after["entitld_chain_cache_hits_total"] == 8)
    }

    @Test func `every signed document is counted, whoever brought it`() throws {
        func verdicts() throws -> [Double?] {
            let page = try page()
            return ["genuine", "forged", "undecided"]
                .map { page["entitld_jws_verify_total{result=\"\($0)\"}"] }
        }
        #expect(try verdicts() == [0, 0, 0])
        let life = StoreLife()
        // The notification, its transaction, its renewal.
        let body = try daemon.voice.notification("SUBSCRIBED", about: life)
        #expect(try daemon.deliver(body) == (200, "applied"))
        #expect(try verdicts() == [3, 0, 0])
        let mine = try daemon.voice.purchase(StoreLife())
        let other = try StoreVoice().purchase(StoreLife())
        func verify(_ document: String) throws -> String? {
            let parameters: JSONObject = [
                "userId": "anna", "signedTransaction": .string(document),
            ]
            return try daemon.refusal(of: "verifyPurchase", parameters)?.name
        }
        #expect(try verify(mine) == nil)
        #expect(try verdicts() == [4, 0, 0])
        #expect(try verify(other) == "verification_failed")
        #expect(try verdicts() == [4, 1, 0])
        let restored: JSONObject = [
            "userId": "anna", "signedTransactions": [.string(mine), .string(mine)],
        ]
        _ = try daemon.call("restorePurchases", restored)
        #expect(try verdicts() == [6, 1, 0])
        // A genuine one with a forged one inside is two verdicts and no more.
        let data: JSONObject = [
            "appAppleId": .integer(TestDaemon.appAppleID),
            "bundleId": .string(TestDaemon.bundleID),
            "environment": "Production",
            "signedTransactionInfo": .string(other),
        ]
        let mixed = try daemon.voice.body("SUBSCRIBED", saying: data)
        #expect(try daemon.deliver(mixed).status == 401)
        #expect(try verdicts() == [7, 2, 0])
    }

    @Test func `what is no request is counted too`() throws {
        func name(_ code: String) -> String {
            "entitld_rpc_requests_total{method=\"other\",code=\"\(code)\"}"
        }
        let codes = ["parse_error", "invalid_request", "invalid_params", "method_not_found"]
        let before = try page()
        let socket = try StreamSocket.unix(daemon.socket)
        let frames = [
            "{", "[", "{}", "[]", "[1,2]", #"{"jsonrpc":"2.0","id":1,"method":"nope"}"#,
            #"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#,
        ]
        for frame in frames {
            socket.sendFrame(frame)
            _ = try socket.receiveReply()
        }
        let after = try page()
        let counts = codes.map { (after[name($0)] ?? 0) - (before[name($0)] ?? 0) }
        #expect(counts == [2, 4, 1, 1])
    }

    @Test func `connections are counted by door, coming and going`() throws {
        func name(_ metric: String, _ door: String) -> String { "\(metric){listener=\"\(door)\"}" }
        let open = "entitld_connections"
        let accepted = "entitld_connections_accepted_total"
        var held: [StreamSocket] = []
        for _ in 0..<3 { held.append(try StreamSocket.unix(daemon.socket)) }
        for _ in 0..<2 { held.append(try StreamSocket.unix(daemon.adminSocket)) }
        held.append(try StreamSocket.local(port: daemon.port))
        #expect(
            try eventually {
                let now = try page()
                return now[name(open, "app")] == 3 && now[name(open, "admin")] == 2
                    && now[name(open, "webhook")] == 1
            }
        )
        held = []
        #expect(
            try eventually {
                let now = try page()
                return now[name(open, "app")] == 0 && now[name(open, "admin")] == 0
                    && now[name(open, "webhook")] == 0
            }
        )
        let now = try page()
        #expect(now[name(accepted, "app")] == 3 && now[name(accepted, "admin")] == 2)
        #expect(now[name(accepted, "webhook")] == 1)
        #expect(now[name(open, "metrics")] == 1)
        #expect(now[name(accepted, "metrics")] ?? 0 > 2)
    }

    @Test func `half frames beyond what a user may have are shed and counted`() throws {
        var held: [StreamSocket] = []
        for _ in 0..<70 {
            let socket = try StreamSocket.unix(daemon.socket)
            socket.send([0, 0])
            held.append(socket)
        }
        let series = "entitld_shed_total{reason=\"incomplete_frames\"}"
        #expect(try eventually { try page()[series] == 6 })
        #expect(try daemon.call("ping") == [:])
        held = []
    }

    @Test func `the process is described, with descriptors that come and go`() throws {
        let before = try page()
        let now = Date().timeIntervalSince1970
        for name in ["entitld_start_time_seconds", "process_start_time_seconds"] {
            let start = try #require(before[name])
            #expect(start > now - 600 && start <= now + 1, "\(name)")
        }
        #expect(try #require(before["process_resident_memory_bytes"]) > 1_048_576)
        // The system counts, too, in the same moment or nearly.
        let pid = try #require(daemon.child).pid
        let fds = "/proc/\(pid)/fd"
        func counted() throws -> (all: Int, sockets: Int) {
            let files = try FileManager.default.contentsOfDirectory(atPath: fds)
            let targets = files.map {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(fds)/\($0)")) ?? ""
            }
            return (files.count, targets.count { $0.hasPrefix("socket:") })
        }
        func isAsCounted() throws -> Bool {
            let open = try page()["process_open_fds"] ?? 0
            return abs(open - Double(try counted().all)) <= 2
        }
        #expect(try eventually(within: 30, isAsCounted))
        let (base, sockets) = try counted()
        // Two more: a request for the page may have had its own just now.
        let held = try (0..<22).map { _ in try StreamSocket.unix(daemon.socket) }
        #expect(
            try eventually(within: 30) { try counted().sockets >= sockets + 20 && isAsCounted() }
        )
        extendLifetime(held)
        #expect(try #require(before["process_max_fds"]) > Double(base))
    }
}
