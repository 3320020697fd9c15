import Foundation
import JSON
import Testing
import Wire

@testable import Sockets

/// Bytes that wait: who is charged, who is held back, who is closed, and what is given back.
@Suite(.serialized) struct BudgetTests {
    private static let patient: Int64 = 600_000

    /// A server whose limits a test reaches; whoever may wait, waits for ever.
    private func server(
        threads: Int = 2,
        caller: Int = SocketLimits.callerBytesMax,
        total: Int = SocketLimits.totalBytesMax,
        access: AccessRules = AccessRules(),
        change: (inout Patience) -> Void = { _ in }
    ) throws -> TestServer {
        try TestServer(threads: threads, access: access) {
            $0.sockets[0].callerBytesMax = caller
            $0.sockets[0].totalBytesMax = total
            $0.patience = Patience(
                frameMs: Self.patient,
                stallMs: Self.patient,
                unreadMs: Self.patient,
                refusalMs: Self.patient
            )
            change(&$0.patience)
        }
    }

    /// Asks for answers that it does not read.
    private func ask(_ client: TestClient, _ count: Int, of bytes: Int) {
        for _ in 0..<count {
            client.sendFrame(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"big\",\"params\":{\"bytes\":\(bytes)}}"
            )
        }
    }

    /// Sends a frame of so many bytes, all but the last one.
    private func half(_ client: TestClient, of bytes: Int) {
        let head = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"x\":\""
        let body = head + String(repeating: "y", count: bytes - head.utf8.count - 3) + "\"}}"
        client.send(TestClient.frame(body).dropLast())
    }

    /// A request whose answer comes when the test says so.
    private func later(_ id: Int, _ padding: String) -> String {
        "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"later\","
            + "\"params\":{\"p\":\"\(padding)\"}}"
    }

    private func unread(_ server: TestServer) -> Int { server.server.waitingBytes(at: 0).unread }

    private func budget(_ server: TestServer) -> ByteBudget { server.server.doors[0].bytes }

    @Test func `answers that are sent at once touch no budget`() throws {
        let server = try server()
        let client = try server.client()
        for id in 0..<200 { #expect(client.ask("ping", id) != nil) }
        for _ in 0..<30 {
            client.send((0..<SocketLimits.requestsPerTurnMax).flatMap { TestClient.ping($0) })
            for _ in 0..<SocketLimits.requestsPerTurnMax { #expect(client.receive() != nil) }
        }
        for id in 0..<50 {
            client.sendFrame("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"later\"}")
            #expect(TestServer.eventually { server.service.waitingCount == 1 })
            server.service.deliverAll()
            #expect(client.receive() != nil)
        }
        #expect(budget(server).peakBytes == 0)
    }

    @Test func `what waits is counted by kind, and given back when it has left`() throws {
        let server = try server()
        let reader = try server.client()
        ask(reader, 20, of: 100_000)
        #expect(TestServer.eventually { unread(server) >= 1_000_000 })
        let writer = try server.client()
        half(writer, of: 500_000)
        #expect(TestServer.eventually { server.server.waitingBytes(at: 0).halfRead >= 500_000 })
        let asker = try server.client()
        let padding = String(repeating: "p", count: 1_000)
        for id in 0..<30 {
            asker.sendFrame(
                later(id, padding)
            )
        }
        let each = 1_000 + WireLimits.unansweredBytesEach
        #expect(
            TestServer.eventually { server.server.waitingBytes(at: 0).unanswered >= 30 * each }
        )
        let held = budget(server).heldBytes
        #expect(held >= 1_000_000 + 500_000 + 30 * each - 3 * SocketLimits.freeBytesEach)
        #expect(server.server.waitingBytes(at: 1) == (0, 0, 0, 0))
        for _ in 0..<20 { #expect(reader.receive()?.utf8.count ?? 0 > 100_000) }
        writer.send("}".utf8)
        #expect(writer.receiveValue()?["id"] == 1)
        server.service.deliverAll()
        for _ in 0..<30 { #expect(asker.receive() != nil) }
        #expect(TestServer.eventually { server.server.waitingBytes(at: 0) == (0, 0, 0, 0) })
        #expect(TestServer.eventually { budget(server).heldBytes == 0 })
    }

    /// What is beyond the share is not read, and the greatest are closed where turns of many at
    /// once have passed it by too much.
    @Test func `a caller's share holds for all its connections, and whoever reads is answered`()
        throws
    {
        let share = 4 << 20
        let server = try server(caller: share)
        let crowd = try (0..<40).map { _ in try server.client() }
        for client in crowd { ask(client, 10, of: 100_000) }
        #expect(
            TestServer.eventually {
                budget(server).heldBytes > share || server.server.counters[.overTotal] > 0
            }
        )
        let polite = try server.client()
        for id in 0..<200 { #expect(polite.ask("ping", id)?["id"] == .integer(Int64(id))) }
        let most = DoorBudget.overdrawn(share)
        #expect(TestServer.eventually { budget(server).heldBytes <= most })
        // Held back, and not closed: nobody's time is over.
        #expect(server.server.counters[.overShare] == 0)
        var answered = 0
        for client in crowd {
            var count = 0
            while count < 10, let reply = client.receive(), reply.utf8.count > 100_000 {
                count += 1
            }
            if count == 10 { answered += 1 }
        }
        // Whoever was left has read all that it asked for.
        #expect(TestServer.eventually { server.server.connections == answered + 1 })
        #expect(answered > 0)
        withExtendedLifetime((crowd, polite)) {}
        #expect(TestServer.eventually { budget(server).heldBytes == 0 })
    }

    @Test func `who stays over the caller's share is closed, and no more than must be`() throws {
        let share = 4 << 20
        let server = try server(threads: 1, caller: share) { $0.stallMs = 3_000 }
        // Replies of growing size: a little more than the share, and less than its overdraft. The
        // kernel takes some 64 KiB of each.
        let crowd = try (0..<6).map { _ in try server.client() }
        for (index, client) in crowd.enumerated() { ask(client, 1, of: 698_000 + index * 50_000) }
        #expect(TestServer.eventually { budget(server).heldBytes > share })
        #expect(server.server.counters[.overTotal] == 0)
        #expect(TestServer.eventually { server.server.counters[.overShare] > 0 })
        #expect(TestServer.eventually { budget(server).heldBytes <= share })
        let closed = server.server.counters[.overShare]
        #expect((1...2).contains(closed))
        // The greatest went: the least is still served.
        #expect(crowd[0].receive()?.utf8.count ?? 0 > 698_000)
        #expect(TestServer.eventually { server.server.connections == 6 - closed })
        withExtendedLifetime(crowd) {}
    }

    @Test func `over the total the greatest holder is closed, and the others stay`() throws {
        let total = 3 << 20
        let server = try server(threads: 3, caller: .max, total: total)
        let others = try (0..<6).map { _ in try server.client() }
        for client in others { ask(client, 3, of: 100_000) }
        #expect(TestServer.eventually { unread(server) > 6 * 150_000 })
        #expect(server.server.counters[.overTotal] == 0)
        let greatest = try server.client()
        ask(greatest, 30, of: 100_000)
        #expect(TestServer.eventually { server.server.counters[.overTotal] == 1 })
        #expect(TestServer.eventually { server.server.connections == 6 })
        #expect(budget(server).heldBytes <= total)
        for client in others {
            for _ in 0..<3 { #expect(client.receive()?.utf8.count ?? 0 > 100_000) }
        }
        #expect(TestServer.eventually { budget(server).heldBytes == 0 })
        #expect(server.server.doors[0].holdersCount == 0)
    }

    @Test func `many small holders cannot pass the total by much`() throws {
        let total = 1 << 20
        let server = try server(caller: .max, total: total)
        let crowd = try (0..<60).map { _ in try server.client() }
        for client in crowd {
            half(client, of: 30_000)
            let most = DoorBudget.overdrawn(total)
            #expect(TestServer.eventually { budget(server).heldBytes <= most })
        }
        #expect(TestServer.eventually { server.server.counters[.overTotal] > 0 })
        #expect(server.server.doors[0].holdersCount == 0)
        let polite = try server.client()
        #expect(polite.ask("ping")?["id"] == 1)
    }

    @Test func `a reader who takes a byte now and then is closed, one who reads is not`() throws {
        let server = try server { $0.unreadMs = 3_000 }
        let drip = try server.client()
        ask(drip, 20, of: 100_000)
        #expect(TestServer.eventually { unread(server) > 1_000_000 })
        let reader = try server.client()
        var byte: UInt8 = 0
        var (rounds, replies) = (0, 0)
        let isClosed = TestServer.eventually {
            _ = recv(drip.descriptor, &byte, 1, 0)
            ask(reader, 4, of: 100_000)
            for _ in 0..<4 where reader.receive() != nil { replies += 1 }
            rounds += 1
            usleep(20_000)
            return server.server.counters[.unread] == 1
        }
        #expect(isClosed && rounds > 3 && replies == 4 * rounds)
        #expect(reader.ask("ping")?["id"] == 1)
        #expect(TestServer.eventually { server.server.connections == 1 })
    }

    @Test func `half frames are charged for the memory that they take`() throws {
        let share = 2 << 20
        let server = try server(caller: share) { $0.stallMs = 700 }
        let crowd = try (0..<12).map { _ in try server.client() }
        for client in crowd { half(client, of: 500_000) }
        let counters = server.server.counters
        #expect(TestServer.eventually { counters[.overShare] + counters[.overTotal] > 0 })
        #expect(TestServer.eventually { budget(server).heldBytes <= share })
        #expect(server.server.connections > 0)
    }

    @Test func `requests that wait are held back beyond the share until others are answered`()
        throws
    {
        let share = 1 << 20
        let server = try server(threads: 1, caller: share)
        let client = try server.client()
        let padding = String(repeating: "p", count: 20_000)
        let requests = (0..<200)
            .flatMap { id in
                TestClient.frame(
                    later(id, padding)
                )
            }
        let flags = fcntl(client.descriptor, F_GETFL)
        _ = fcntl(client.descriptor, F_SETFL, flags | O_NONBLOCK)
        var rest = requests[...]
        func sendOn() {
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes {
                    Glibc.send(client.descriptor, $0.baseAddress, $0.count, 0)
                }
                guard sent > 0 else { return }
                rest = rest.dropFirst(sent)
            }
        }
        #expect(
            TestServer.eventually {
                sendOn()
                return budget(server).heldBytes > share
            }
        )
        // Not read any further: what is not read stays in the kernel, which is soon full.
        for _ in 0..<20 {
            sendOn()
            usleep(5_000)
        }
        #expect(!rest.isEmpty && server.service.waitingCount < 100)
        #expect(
            TestServer.eventually {
                server.service.deliverAll()
                sendOn()
                return rest.isEmpty && server.service.callCount == 200
            }
        )
        server.service.deliverAll()
        _ = fcntl(client.descriptor, F_SETFL, flags)
        for _ in 0..<200 { #expect(client.receiveValue()?["result"] == "late") }
        #expect(TestServer.eventually { budget(server).heldBytes == 0 })
    }

    @Test func `what a client asked that is gone stays charged until it is answered`() throws {
        let server = try server()
        let client = try server.client()
        let padding = String(repeating: "p", count: 50_000)
        for id in 0..<10 {
            client.sendFrame(
                later(id, padding)
            )
        }
        #expect(TestServer.eventually { server.service.waitingCount == 10 })
        client.disconnect()
        #expect(TestServer.eventually { server.server.connections == 0 })
        #expect(budget(server).heldBytes >= 500_000 && budget(server).callersCount == 1)
        server.service.deliverAll()
        #expect(TestServer.eventually { budget(server).heldBytes == 0 })
        #expect(TestServer.eventually { budget(server).callersCount == 0 })
    }

    @Test func `the admin socket keeps its places and its bytes`() throws {
        let server = try TestServer {
            $0.sockets[0].connectionsMax = 3
            $0.sockets[0].callerBytesMax = 1 << 20
            $0.sockets[0].totalBytesMax = 1 << 20
        }
        let apps = try (0..<3).map { _ in try server.client() }
        for app in apps { ask(app, 10, of: 100_000) }
        #expect(TestServer.eventually { server.server.counters[.overTotal] > 0 })
        let late = try (0..<4).map { _ in try server.client() }
        let admins = try (0..<10).map { _ in try #require(TestClient(server.adminPath)) }
        for admin in admins {
            #expect(admin.ask("big", params: "{\"bytes\":500000}")?["result"] != nil)
        }
        #expect(TestServer.eventually { server.server.doors[1].bytes.heldBytes == 0 })
        withExtendedLifetime((apps, late)) {}
    }

    @Test func `a caller without a role who stays silent is closed, and there are few of them`()
        throws
    {
        let nobody = AccessRules([.init(.uid(getuid() &+ 1), .admin)])
        let most = SocketLimits.refusedConnectionsMax
        let server = try server(access: nobody) { $0.refusalMs = 4_000 }
        let silent = try (0..<most).map { _ in try server.client() }
        #expect(TestServer.eventually { server.server.counters.open(at: 0) == most })
        let late = try server.client()
        #expect(late.receiveValue()?["error"]?["code"] == -32_001)
        #expect(late.isAtEnd())
        #expect(server.server.counters[.refusedClosed] == 1)
        // Whoever asks before that hears it by the id of the request.
        #expect(silent[0].ask("ping", 7)?["id"] == 7)
        #expect(silent[0].isAtEnd())
        for client in silent { #expect(client.isAtEnd()) }
        #expect(server.server.counters[.refusedClosed] == most)
        #expect(TestServer.eventually { server.server.connections == 0 })
    }

    @Test func `a wrong length closes at once, unless its answer waits behind others`() throws {
        let server = try server()
        let client = try server.client()
        ask(client, 10, of: 100_000)
        #expect(TestServer.eventually { unread(server) > 0 })
        client.send([0, 0, 0, 0])
        #expect(TestServer.eventually { server.server.counters[.wrongLengths] == 1 })
        let second = try server.client()
        second.send([0, 0, 0, 0] + [UInt8](repeating: 1, count: 5_000))
        #expect(TestServer.eventually { server.server.connections == 1 })
        #expect(second.receiveValue()?["error"]?["code"] == -32_600)
    }

    @Test func `a queue of many bytes gives its memory back`() {
        var queue = ByteQueue()
        let piece = [UInt8](repeating: 7, count: 10_000)
        var most = 0
        for _ in 0..<100 {
            piece.withUnsafeBytes { queue.append($0) }
            most = max(most, queue.capacity)
        }
        #expect(queue.count == 1_000_000 && most >= 1_000_000 && most <= 2_100_000)
        queue.consume(999_999)
        #expect(queue.bytes[0] == 7)
        queue.consume(1)
        #expect(queue.isEmpty && queue.capacity == 0)
    }
}
