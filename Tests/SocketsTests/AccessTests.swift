import Foundation
import JSON
import Synchronization
import Testing
import Wire

@testable import Sockets

@Suite(.serialized) struct AccessTests {
    @Test func `callers are who the kernel says, with their socket's role`() throws {
        let server = try TestServer()
        let app = try server.client()
        let result = app.ask("who")?["result"]?.array
        #expect(result?[0].int64 == Int64(getuid()) && result?[1].int64 == Int64(getgid()))
        #expect(result?[2].int64 == Int64(getpid()) && result?[3] == "app")
        let admin = try #require(TestClient(server.adminPath))
        #expect(admin.ask("who")?["result"]?.array?[3] == "admin")
    }

    @Test func `rules lower and never raise`() throws {
        let server = try TestServer(access: AccessRules([.init(.uid(getuid()), .app)]))
        #expect(try server.client().ask("who")?["result"]?.array?[3] == "app")
        let admin = try #require(TestClient(server.adminPath))
        #expect(admin.ask("who")?["result"]?.array?[3] == "app")
    }

    @Test func `whom no rule names is told so by id, then closed`() throws {
        let server = try TestServer(access: AccessRules([.init(.uid(getuid() &+ 1), .admin)]))
        let client = try server.client()
        client.send(TestClient.ping(7) + TestClient.ping(8))
        let refused = client.receiveValue()
        #expect(refused?["id"] == 7 && refused?["error"]?["code"] == -32_001)
        #expect(client.isAtEnd())
        #expect(server.service.callCount == 0)
        #expect(server.server.counters[.refused] == 1)
    }

    @Test func `new rules hold for who is connected, too`() throws {
        // More connections than threads, so that each thread has some.
        let server = try TestServer { $0.threads = 2 }
        let apps = try (0..<6).map { _ in try server.client() }
        let admin = try #require(TestClient(server.adminPath))
        for client in apps + [admin] { #expect(client.ask("ping")?["id"] == 1) }
        // The same role for apps, another one for the admin.
        server.server.obey(AccessRules([.init(.uid(getuid()), .app)]))
        #expect(admin.isAtEnd())
        for client in apps { #expect(client.ask("ping")?["id"] == 1) }
        let lowered = try #require(TestClient(server.adminPath))
        #expect(lowered.ask("who")?["result"]?.array?[3] == "app")
        server.server.obey(AccessRules([.init(.uid(getuid() &+ 1), .admin)]))
        for client in apps + [lowered] { #expect(client.isAtEnd()) }
        let refused = try server.client()
        #expect(refused.ask("ping")?["error"]?["code"] == -32_001)
        server.server.obey(AccessRules())
        #expect(try server.client().ask("ping")?["id"] == 1)
    }

    @Test func `the first rule that matches decides`() {
        let rules = AccessRules([
            .init(.uid(1), .reader), .init(.gid(5), .admin), .init(.uid(2), .app),
        ])
        #expect(rules.role(uid: 1, gid: 5, ceiling: .admin) == .reader)
        #expect(rules.role(uid: 2, gid: 5, ceiling: .admin) == .admin)
        #expect(rules.role(uid: 2, gid: 5, ceiling: .app) == .app)
        #expect(rules.role(uid: 2, gid: 6, ceiling: .admin) == .app)
        #expect(rules.role(uid: 3, gid: 6, ceiling: .admin) == nil)
        #expect(AccessRules().role(uid: 3, gid: 6, ceiling: .admin) == .admin)
    }

    @Test func `accepting survives a want of descriptors`() throws {
        let failures = Atomic<Int>(0)
        let server = try TestServer { configuration in
            let real = configuration.accept
            configuration.accept = { listener in
                failures.add(1, ordering: .relaxed).newValue <= 3 ? -EMFILE : real(listener)
            }
        }
        let client = try server.client()
        #expect(client.ask("ping")?["id"] == 1)
        #expect(server.server.counters[.acceptPauses] == 3)
    }

    @Test func `one connection too many is told so`() throws {
        let server = try TestServer { $0.sockets[0].connectionsMax = 3 }
        let clients = try (0..<3).map { _ in try server.client() }
        for client in clients { #expect(client.ask("ping")?["id"] == 1) }
        let fourth = try server.client()
        #expect(fourth.receiveValue()?["error"]?["code"] == -32_029)
        #expect(fourth.isAtEnd())
        #expect(server.server.counters[.shed] == 1)
        clients[0].disconnect()
        #expect(TestServer.eventually { server.server.connections == 2 })
        #expect(try server.client().ask("ping")?["id"] == 1)
        withExtendedLifetime(clients) {}
    }
}
