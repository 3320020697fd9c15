import Glibc
import JSON
import Testing
import Wire

@testable import Sockets

/// Connections that have their last answer: the other side can read it, and whatever it still sends
/// reaches nobody.
@Suite(.serialized) struct LingerTests {
    private static let wrongLength: [UInt8] = [0, 0, 0, 0]

    @Test func `who sends on behind a wrong length still reads why`() throws {
        let server = try TestServer(threads: 1)
        let client = try server.client()
        client.send(TestClient.ping(1) + Self.wrongLength)
        #expect(client.receiveValue()?["id"] == 1)
        #expect(client.receiveValue()?["error"]?["code"] == -32600)
        let before = server.service.callCount
        for _ in 0..<100 {
            let isTaken = client.send(TestClient.ping(2))
            #expect(isTaken)
        }
        #expect(client.isAtEnd())
        #expect(server.service.callCount == before, "nothing behind it is carried out")
        client.disconnect()
        #expect(TestServer.eventually { server.server.connections == 0 })
    }

    @Test func `who does not end is closed after a while`() throws {
        let server = try TestServer(threads: 1) { $0.patience.lingerMs = 50 }
        let client = try server.client()
        client.send(Self.wrongLength)
        #expect(client.receiveValue()?["error"]?["code"] == -32600)
        #expect(TestServer.eventually { server.server.connections == 0 })
        #expect(!client.send(TestClient.ping(1)))
    }

    @Test func `who never stops sending is closed sooner`() throws {
        let server = try TestServer(threads: 1) { $0.patience.lingerMs = 600_000 }
        let client = try server.client()
        let hold = TestClient.frame(#"{"jsonrpc":"2.0","id":1,"method":"hold"}"#)
        client.send(hold + Self.wrongLength)
        server.service.letGo()
        let piece = [UInt8](repeating: 0, count: 1 << 20)
        var sent = 0
        while client.send(piece), sent < 1 << 30 { sent += piece.count }
        #expect(sent < 1 << 30)
        #expect(TestServer.eventually { server.server.connections == 0 })
    }

    @Test func `what it still sends does not take the place of what another has asked`() throws {
        let server = try TestServer(threads: 1)
        let holder = try server.client()
        let victim = try server.client()
        let stranger = try server.client()
        for client in [holder, victim, stranger] { #expect(client.ask("ping") != nil) }
        // More than the kernel keeps for it, so that a part waits with the daemon.
        let bytes = 110_000
        #expect(bytes > 3 * SocketLimits.sendBufferBytes)
        let big = #"{"jsonrpc":"2.0","id":1,"method":"big","params":{"bytes":\#(bytes)}}"#
        stranger.send(TestClient.frame(big) + Self.wrongLength)
        #expect(TestServer.eventually { server.service.callCount == 4 })
        // Of the same length as the request of the other.
        stranger.send(Array(repeating: TestClient.ping(666), count: 1_000).joined())
        #expect(holder.ask("ping") != nil)
        // While the thread is kept, the other asks, and then the stranger makes room.
        holder.sendFrame(#"{"jsonrpc":"2.0","id":1,"method":"hold"}"#)
        #expect(TestServer.eventually { server.service.holdCount == 1 })
        victim.send(TestClient.ping(777))
        #expect(stranger.receivedAtOnce() > 2 * SocketLimits.sendBufferBytes - 4_096)
        server.service.letGo()
        #expect(victim.receiveValue()?["id"] == 777)
    }
}
