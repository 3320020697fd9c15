import EntitlementsClient
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

@testable import entitld

/// Crowds that leave things waiting: what they take has a bound, others are answered, and memory
/// comes back.
@Suite(.serialized) struct WaitingBytesTests {
    private let daemon: TestDaemon
    private let port: UInt16

    init() throws {
        // Room for this test's own ends of all connections.
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        var setup = TestDaemon.Setup()
        port = try setup.servingMetrics()
        daemon = try TestDaemon.started(setup)
        _ = try daemon.call("registerAccount", ["userId": "polite"])
        // What is taken once, is taken before anything is measured.
        _ = try shed("unread")
        _ = try daemon.call("rpc.discover")
    }

    /// Memory of the process that is no file's, in bytes.
    private func anonymous() throws -> Int {
        let pid = try #require(daemon.child).pid
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        return try #require(Int(line.filter(\.isNumber))) << 10
    }

    private func figure(_ series: String) throws -> Int {
        let page = try HTTPExchange.request("GET", "/metrics", [], port: port).text
        let line = try #require(page.split(separator: "\n").first { $0.hasPrefix(series + " ") })
        return try #require(line.split(separator: " ").last.flatMap { Int($0) })
    }

    private func waiting(_ kind: String, _ listener: String = "app") throws -> Int {
        try figure("entitld_waiting_bytes{listener=\"\(listener)\",kind=\"\(kind)\"}")
    }

    private func shed(_ reason: String) throws -> Int {
        try figure("entitld_shed_total{reason=\"\(reason)\"}")
    }

    /// Requests of a long answer, in one piece.
    private static let unread: [UInt8] = {
        let text = #"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#
        let frame = StreamSocket.length(text.utf8.count) + Array(text.utf8)
        return (0..<60).flatMap { _ in frame }
    }()

    private static let share = 128 << 20
    private static let adminBytes = 64 << 20

    private func withOverdraft(_ bytes: Int) -> Int { bytes + bytes / 8 }

    @Test func `a crowd that reads nothing stays within its share, and memory comes back`() throws {
        let before = try anonymous()
        var crowd: [StreamSocket] = []
        for _ in 0..<120 {
            let socket = try StreamSocket.unix(daemon.socket)
            socket.send(Self.unread)
            crowd.append(socket)
        }
        var polite = try Connection(to: daemon.socket, timeout: .seconds(120))
        for _ in 0..<200 {
            #expect(try polite.call("canRender", ["userId": "polite"])["canRender"] != nil)
        }
        // 120 × 60 × 60 KB were asked for.
        #expect(eventually(within: 20) { ((try? waiting("unread")) ?? 0) > 1 << 20 })
        let most = withOverdraft(Self.share) + 120 * 6 << 10
        // Those who were told to leave may take a moment.
        #expect(eventually(within: 20) { ((try? waiting("unread")) ?? .max) <= most })
        #expect(try anonymous() - before < most + 48 << 20)
        #expect(try eventually(within: 20) { try shed("total_bytes") + shed("caller_bytes") > 0 })
        crowd = []
        #expect(eventually(within: 20) { (try? waiting("unread")) == 0 })
        #expect(eventually(within: 20) { ((try? anonymous()) ?? .max) < before + 32 << 20 })
        #expect(try polite.call("canRender", ["userId": "polite"])["canRender"] != nil)
    }

    @Test func `half frames are bounded, and their memory comes back`() throws {
        let before = try anonymous()
        var crowd: [StreamSocket] = []
        let half = StreamSocket.length(1 << 20) + [UInt8](repeating: 0x20, count: 1_000_000)
        for _ in 0..<300 {
            let socket = try StreamSocket.unix(daemon.socket)
            socket.send(half)
            crowd.append(socket)
        }
        #expect(try waiting("half_read") <= withOverdraft(Self.share))
        #expect(try anonymous() - before < withOverdraft(Self.share) + 48 << 20)
        #expect(try shed("incomplete_frames") > 0)
        crowd = []
        #expect(eventually(within: 20) { (try? waiting("half_read")) == 0 })
        #expect(eventually(within: 20) { ((try? anonymous()) ?? .max) < before + 32 << 20 })
    }

    @Test func `watched users are charged for what they take, and their memory comes back`() throws
    {
        let before = try anonymous()
        var crowd: [StreamSocket] = []
        for watcher in 0..<40 {
            let users = (0..<10_000).map { "\"watched user \(watcher) \(1_000_000 + $0)\"" }
            let socket = try StreamSocket.unix(daemon.socket)
            socket.sendFrame(
                #"{"jsonrpc":"2.0","id":1,"method":"watch","params":{"userIds":"#
                    + "[\(users.joined(separator: ","))]}}"
            )
            #expect(try socket.receiveReply()["result"] != nil)
            crowd.append(socket)
        }
        let charged = try waiting("watched")
        #expect(charged > 40 * 10_000 * 128 && charged <= withOverdraft(Self.share))
        #expect(try anonymous() - before < charged + 48 << 20)
        crowd = []
        #expect(eventually(within: 20) { (try? waiting("watched")) == 0 })
        #expect(eventually(within: 20) { ((try? anonymous()) ?? .max) < before + 32 << 20 })
    }

    @Test func `the total of the admin socket is reached, and the greatest holders go`() throws {
        let before = try anonymous()
        var crowd: [StreamSocket] = []
        for _ in 0..<60 {
            let socket = try StreamSocket.unix(daemon.adminSocket)
            socket.send(Self.unread)
            crowd.append(socket)
        }
        #expect(eventually(within: 20) { ((try? shed("total_bytes")) ?? 0) > 0 })
        let most = withOverdraft(Self.adminBytes) + 60 * 6 << 10
        // Those that go are closed one after the other.
        #expect(eventually(within: 20) { ((try? waiting("unread", "admin")) ?? .max) <= most })
        #expect(try anonymous() - before < most + 48 << 20)
        // Neither admins nor apps are kept out.
        #expect(try daemon.call("stats", admin: true)["seq"] != nil)
        #expect(try daemon.canRender("polite")["canRender"] != nil)
        crowd = []
        #expect(eventually(within: 20) { (try? waiting("unread", "admin")) == 0 })
    }

    @Test func `a connection at rest takes what the plan says`() throws {
        let before = try anonymous()
        var crowd: [StreamSocket] = []
        for _ in 0..<2_000 {
            let socket = try StreamSocket.unix(daemon.socket)
            socket.sendFrame(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
            _ = socket.receiveFrame()
            crowd.append(socket)
        }
        // What the metrics page takes for itself is no connection's.
        let taken = try anonymous() - before
        #expect(taken < 2_000 * MemoryPlan.connectionBytes + 2 << 20)
        withExtendedLifetime(crowd) {}
    }
}
