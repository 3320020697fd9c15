import Glibc
import JSON
import Testing
import Wire

@testable import Sockets

/// Frames whose check would keep others waiting.
@Suite(.serialized) struct LongFrameTests {
    private static let longBytes = 3 * SocketLimits.readBytes

    private func text(_ method: String, _ id: Int, padding: Int) -> String {
        let filling = String(repeating: "[],", count: padding / 3)
        return "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"\(method)\",\"params\":{\"x\":["
            + filling + "0]}}"
    }

    private func long(_ method: String, _ id: Int) -> [UInt8] {
        TestClient.frame(text(method, id, padding: Self.longBytes))
    }

    @Test func `long frames alone are checked elsewhere, and answered in their order`() throws {
        let server = try TestServer(threads: 1)
        let client = try server.client()
        for id in 0..<200 { #expect(client.ask("ping", id)?["id"] == .integer(Int64(id))) }
        client.send(TestClient.frame(text("ping", 1, padding: SocketLimits.readBytes - 1_000)))
        #expect(client.receiveValue()?["id"] == 1)
        #expect(server.server.longFramesChecked == 0)
        var frames: [UInt8] = []
        for id in 0..<30 { frames += id % 3 == 1 ? long("ping", id) : TestClient.ping(id) }
        client.send(frames)
        for id in 0..<30 { #expect(client.receiveValue()?["id"] == .integer(Int64(id))) }
        #expect(server.server.longFramesChecked == 10)
        #expect(TestServer.eventually { server.server.waitingBytes(at: 0).halfRead == 0 })
    }

    @Test func `a long batch is checked once, and cut like any other`() throws {
        let server = try TestServer(threads: 1)
        let client = try server.client()
        let requests = (0..<50).map { text("ping", $0, padding: Self.longBytes / 50) }
        client.sendFrame("[" + requests.joined(separator: ",") + "]")
        let replies = try #require(client.receiveValue()?.array)
        #expect(replies.compactMap { $0["id"]?.int64 } == Array(0..<50))
        #expect(server.server.longFramesChecked == 1)
        #expect(client.ask("ping", 7)?["id"] == 7)
    }

    @Test func `a long frame that is wrong is told so, and so is one of a refused caller`() throws {
        let server = try TestServer(threads: 1)
        let client = try server.client()
        let twice = text("ping", 1, padding: Self.longBytes)
            .replacing("\"params\"", with: "\"id\":2,\"params\"")
        client.sendFrame(twice)
        #expect(client.receiveValue()?["error"]?["code"] == -32_700)
        #expect(client.ask("ping", 7)?["id"] == 7)
        let strict = try TestServer(
            threads: 1,
            access: AccessRules([.init(.uid(getuid() &+ 1), .admin)])
        )
        let stranger = try strict.client()
        stranger.send(long("ping", 9))
        let refusal = stranger.receiveValue()
        #expect(refusal?["error"]?["code"] == -32_001 && refusal?["id"] == 9)
        #expect(stranger.isAtEnd())
        #expect(strict.server.longFramesChecked == 1)
    }

    @Test func `what a client sent whole that is gone is carried out, and its memory given back`()
        throws
    {
        let server = try TestServer(threads: 1)
        // The thread is kept until all have sent and left.
        let first = try server.client()
        first.sendFrame("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hold\"}")
        #expect(TestServer.eventually { server.service.holdCount == 1 })
        let frame = TestClient.frame(text("ping", 1, padding: SocketLimits.readBytes + 10_000))
        for _ in 0..<20 {
            let client = try server.client()
            client.send(frame)
            client.disconnect()
        }
        server.service.letGo()
        #expect(TestServer.eventually { server.service.callCount == 21 })
        #expect(TestServer.eventually { server.server.connections == 1 })
        #expect(server.server.longFramesChecked == 20)
        #expect(server.server.waitingBytes(at: 0).halfRead == 0)
        #expect(first.receiveValue()?["id"] == 1)
    }

    @Test func `connections over their caller's share leave nothing of their long frames behind`()
        throws
    {
        let server = try TestServer { $0.sockets[0].callerBytesMax = 64 << 10 }
        for round in 0..<5 {
            let clients = try (0..<8).map { _ in try server.client() }
            for client in clients { client.send(long("ping", round)) }
            for client in clients { client.disconnect() }
            #expect(TestServer.eventually { server.server.connections == 0 })
        }
        #expect(server.server.waitingBytes(at: 0).halfRead == 0)
        #expect(TestServer.eventually { server.server.doors[0].bytes.heldBytes == 0 })
        let client = try server.client()
        #expect(client.ask("ping", 7)?["id"] == 7)
    }
}
