import JSON
import Testing
import Wire

@testable import Sockets

/// What one wake-up of an RPC thread may cost, whoever asks for much, and how many places one
/// caller may have.
@Suite(.serialized) struct TurnTests {
    private static let greedyCount = 30
    private let server: TestServer
    /// Keeps the thread at first, until everybody has sent.
    private let first: TestClient
    /// Keeps it again, in the turns of those who go on.
    private let second: TestClient
    private let greedy: [TestClient]

    init() throws {
        server = try TestServer(threads: 1)
        first = try server.client()
        second = try server.client()
        let server = server
        greedy = try (0..<Self.greedyCount).map { _ in try server.client() }
        for client in [first, second] + greedy { #expect(client.ask("ping") != nil) }
    }

    private func big(_ bytes: Int) -> [UInt8] {
        TestClient.frame(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"big\",\"params\":{\"bytes\":\(bytes)}}"
        )
    }

    private func request(_ method: String) -> [UInt8] {
        TestClient.frame("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(method)\"}")
    }

    private func isHeld(_ times: Int) -> Bool {
        TestServer.eventually { server.service.holdCount == times }
    }

    /// The thread is kept while `second` and the greedy send, and then by `second` in its second
    /// turn, with all the greedy behind it.
    private func holdInTurn(_ bytes: [UInt8]) {
        first.send(request("hold"))
        #expect(isHeld(1))
        second.send(big(SocketLimits.replyBytesOfFirstTurnMax) + request("hold"))
        for client in greedy { #expect(client.send(bytes)) }
        server.service.letGo()
        #expect(isHeld(2))
    }

    @Test func `many who ask for much hold nobody up for longer than a wake-up may take`() throws {
        // One for each turn.
        let bytes = 70_000
        #expect(bytes > SocketLimits.replyBytesPerTurnMax)
        let polite = try server.client()
        // It is known for asking little.
        #expect(polite.ask("ping") != nil)
        holdInTurn(Array(repeatElement(big(bytes), count: 6).joined()))
        // Each was answered once, the first time.
        let before = server.service.callCount
        polite.send(request("calls"))
        server.service.letGo()
        let calls = try #require(polite.receiveValue()?["result"]?.int64)
        let most = SocketLimits.turnsBytesMax / bytes + 1
        #expect(Int(calls) - before - 1 <= most, "turns of others came first")
        #expect(Int(calls) > before + 1, "nobody went on beside")
        // And they all come to their end.
        for client in greedy {
            for _ in 0..<6 { #expect(client.receive()?.utf8.count ?? 0 > bytes) }
        }
    }

    @Test func `long frames are read a part at a time`() throws {
        let frame = TestClient.frame(String(repeating: " ", count: 130_000))
        let polite = try server.client()
        #expect(polite.ask("ping") != nil)
        holdInTurn(Array(frame.dropLast()))
        // Of some the first read is there.
        polite.send(request("hold"))
        server.service.letGo()
        #expect(isHeld(3))
        let halfRead = server.server.waitingBytes(at: 0).halfRead
        let most =
            Self.greedyCount * SocketLimits.readBytes + SocketLimits.turnsBytesMax
            + 2 * SocketLimits.readBytes
        #expect(halfRead > SocketLimits.callerTurnsBytesMax && halfRead <= most)
        server.service.letGo()
        for client in greedy {
            client.send(frame.suffix(1))
            #expect(client.receiveValue()?["error"]?["code"] == -32_700)
        }
    }

    @Test func `no caller can take all places of a socket`() throws {
        let server = try TestServer { $0.sockets[0].connectionsMax = 16 }
        let clients = try (0..<12).map { _ in try server.client() }
        for client in clients { #expect(client.ask("ping") != nil) }
        let late = try server.client()
        #expect(late.receiveValue()?["error"]?["code"] == -32_029)
        #expect(late.isAtEnd())
        #expect(server.server.counters[.shed] == 1)
        clients[0].disconnect()
        #expect(TestServer.eventually { server.server.connections == 11 })
        #expect(try server.client().ask("ping") != nil)
        withExtendedLifetime(clients) {}
    }

    @Test func `those who want all places leave some for another`() {
        func share(of greedy: UInt32) -> [Int] {
            let counters = RPCCounters(doors: 1)
            var counts = Array(repeating: 0, count: Int(greedy))
            var wants = true
            while wants {
                wants = false
                for uid in 0..<greedy where counters.hasPlace(for: uid, at: 0, of: 1_000) {
                    counters.countOpened(
                        Arrival(
                            descriptor: -1,
                            caller: Caller(uid: uid, gid: 1, pid: 1, role: .app),
                            isRefused: false,
                            ceiling: .app,
                            door: 0
                        )
                    )
                    counts[Int(uid)] += 1
                    wants = true
                }
            }
            #expect(counters.hasPlace(for: greedy, at: 0, of: 1_000), "another finds a place")
            for uid in 0..<greedy {
                for _ in 0..<counts[Int(uid)] {
                    counters.countClosed(at: 0, uid: uid, isRefused: false)
                }
            }
            #expect(counters.open(at: 0) == 0)
            return counts
        }
        #expect(share(of: 1) == [750])
        let two = share(of: 2)
        #expect(two[0] == two[1] && (428...430).contains(two[0]))
        #expect(share(of: 10).allSatisfy { (96...98).contains($0) })
    }
}
