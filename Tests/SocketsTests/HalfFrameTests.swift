import Foundation
import JSON
import Testing
import Wire

@testable import Sockets

/// Frames that begin and do not end: how many one user may have, and who makes room.
@Suite(.serialized) struct HalfFrameTests {
    private static let most = SocketLimits.halfFramesPerUserMax

    /// A ping that lacks its last byte.
    private func half(_ server: TestServer) throws -> TestClient {
        let client = try server.client()
        client.send(TestClient.ping(1).dropLast())
        return client
    }

    private func waits(_ server: TestServer, _ count: Int) -> Bool {
        TestServer.eventually { server.server.halfFrames.count(of: getuid()) == count }
    }

    @Test func `as many half frames as a user may have all come to their end`() throws {
        let server = try TestServer()
        let clients = try (0..<Self.most).map { _ in try half(server) }
        #expect(waits(server, Self.most))
        for client in clients {
            client.send("}".utf8)
            #expect(client.receiveValue()?["id"] == 1)
        }
        #expect(waits(server, 0))
        #expect(server.server.counters[.halfFrames] == 0)
    }

    @Test func `one more closes the oldest, on whatever thread it is`() throws {
        let server = try TestServer(threads: 3)
        let bystander = try server.client()
        #expect(bystander.ask("ping")?["id"] == 1)
        var clients: [TestClient] = []
        for count in 1...Self.most {
            clients.append(try half(server))
            #expect(waits(server, count))
        }
        for round in 1...3 {
            let late = try half(server)
            #expect(TestServer.eventually { server.server.counters[.halfFrames] == round })
            #expect(clients[0].isAtEnd())
            clients.removeFirst()
            clients.append(late)
        }
        #expect(waits(server, Self.most))
        #expect(bystander.ask("ping", 2)?["id"] == 2)
        for client in clients {
            client.send("}".utf8)
            #expect(client.receiveValue()?["id"] == 1)
        }
        #expect(TestServer.eventually { server.server.connections == Self.most + 1 })
    }

    @Test func `a connection that goes with half a frame gives its place back`() throws {
        let server = try TestServer()
        for _ in 0..<3 {
            let clients = try (0..<Self.most).map { _ in try half(server) }
            #expect(waits(server, Self.most))
            for client in clients { client.disconnect() }
            #expect(waits(server, 0))
        }
        #expect(server.server.counters[.halfFrames] == 0)
    }

    @Test func `a frame that begins behind a whole one is the youngest`() throws {
        let server = try TestServer(threads: 1)
        let first = try half(server)
        #expect(waits(server, 1))
        let second = try half(server)
        #expect(waits(server, 2))
        // Ends its frame and begins another.
        first.send(Array("}".utf8) + TestClient.ping(2).dropLast())
        #expect(first.receiveValue()?["id"] == 1)
        let others = try (0..<Self.most - 2).map { _ in try half(server) }
        #expect(waits(server, Self.most))
        let last = try half(server)
        #expect(TestServer.eventually { server.server.counters[.halfFrames] == 1 })
        #expect(second.isAtEnd())
        first.send("}".utf8)
        #expect(first.receiveValue()?["id"] == 2)
        for client in others + [last] { client.disconnect() }
    }

    @Test func `connections are counted by socket, coming and going`() throws {
        let server = try TestServer()
        let counters = server.server.counters
        let apps = try (0..<5).map { _ in try server.client() }
        let admin = try #require(TestClient(server.adminPath))
        #expect(admin.ask("ping")?["id"] == 1)
        for app in apps { #expect(app.ask("ping")?["id"] == 1) }
        #expect(counters.open(at: 0) == 5 && counters.open(at: 1) == 1)
        apps[0].disconnect()
        admin.disconnect()
        #expect(TestServer.eventually { counters.open(at: 0) == 4 && counters.open(at: 1) == 0 })
        #expect(counters.accepted(at: 0) == 5 && counters.accepted(at: 1) == 1)
        withExtendedLifetime((apps, admin)) {}
        server.stop()
        #expect(counters.open(at: 0) == 0)
    }
}
