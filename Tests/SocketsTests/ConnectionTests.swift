import Foundation
import JSON
import Synchronization
import Testing
import Threads
import Wire

@testable import Sockets

@Suite(.serialized) struct ConnectionTests {
    @Test func `every split of the framing vectors gives the same replies`() throws {
        var root = URL(filePath: #filePath)
        while !FileManager.default.fileExists(atPath: root.appending(path: "proto").path()) {
            root = root.deletingLastPathComponent()
        }
        let file = root.appending(path: "proto/vectors/framing/frames.json")
        let vectors = try JSONValue.parse(Array(try Data(contentsOf: file)))
        let cases = try #require(vectors["cases"]?.array)
        #expect(cases.count >= 12)
        let server = try TestServer(threads: 1)
        for vector in cases {
            let name = try #require(vector["name"]?.string)
            let digits = Array(try #require(vector["hex"]?.string).utf8)
            let bytes = stride(from: 0, to: digits.count, by: 2)
                .compactMap {
                    UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
                }
            let expected = try #require(vector["replies"]?.array)
            for split in 0...bytes.count {
                let client = try server.client()
                if split < bytes.count {
                    client.send(bytes[..<split])
                    sched_yield()
                    client.send(bytes[split...])
                } else {
                    // The last round sends byte by byte.
                    for byte in bytes { client.send([byte]) }
                }
                for expectation in expected {
                    let reply = client.receive() ?? "nothing"
                    let id = try #require(expectation["id"]?.string)
                    #expect(reply.contains("\"id\":\(id),"), "\(name) at \(split): \(reply)")
                    let code = expectation["error"]?.int64
                    #expect(
                        reply.contains(code.map { "\"code\":\($0)," } ?? "\"result\""),
                        "\(name) at \(split)"
                    )
                }
                if vector["closes"]?.bool == true {
                    #expect(client.isAtEnd(), "\(name) at \(split)")
                } else {
                    #expect(client.ask("ping", 9)?["id"] == 9, "\(name) at \(split)")
                }
            }
        }
    }

    @Test func `pipelined requests are all answered`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send((0..<1_000).flatMap { TestClient.ping($0) })
        for id in 0..<1_000 { #expect(client.receiveValue()?["id"] == .integer(Int64(id))) }
    }

    @Test func `later replies overtake each other, and reads overtake them`() throws {
        let server = try TestServer()
        let client = try server.client()
        for id in 0..<10 {
            client.sendFrame("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"later\"}")
        }
        #expect(client.ask("ping", 99)?["id"] == 99)
        #expect(TestServer.eventually { server.service.waitingCount == 10 })
        server.service.deliverAll()
        for id in (0..<10).reversed() {
            #expect(client.receiveValue()?["id"] == .integer(Int64(id)))
        }
    }

    @Test func `a batch takes no more of a turn than its requests would one by one`() throws {
        let server = try TestServer(threads: 1)
        let greedy = try server.client()
        let polite = try server.client()
        #expect(polite.ask("ping") != nil)
        let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
        let hold = #"{"jsonrpc":"2.0","id":0,"method":"hold"}"#
        let requests = [hold] + Array(repeating: ping, count: 99)
        let before = server.service.callCount
        greedy.sendFrame("[" + requests.joined(separator: ",") + "]")
        greedy.sendFrame(#"{"jsonrpc":"2.0","id":2,"method":"calls"}"#)
        #expect(TestServer.eventually { server.service.callCount > before })
        // Its bytes are there when the batch goes on.
        polite.sendFrame(#"{"jsonrpc":"2.0","id":7,"method":"calls"}"#)
        server.service.letGo()
        let asked = Int(polite.receiveValue()?["result"]?.int64 ?? .max) - before
        // Turns of the greedy one before it: when its batch is read, when the round is over, and
        // when its second frame is read. The polite request is counted too.
        #expect(asked <= 3 * SocketLimits.requestsPerTurnMax + 1, "\(asked) came first")
        let batch = try #require(greedy.receiveValue()?.array)
        #expect(batch.count == 100 && batch[0]["result"] == true)
        #expect(batch.allSatisfy { $0["error"] == nil })
        // The frame behind the batch is carried out behind all of it.
        let behind = try #require(greedy.receiveValue())
        #expect(behind["id"] == 2 && Int(behind["result"]?.int64 ?? 0) >= before + 101)
    }

    @Test func `a batch is carried out whole though its sender leaves`() throws {
        let server = try TestServer(threads: 1)
        let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
        let batch = "[" + Array(repeating: ping, count: 100).joined(separator: ",") + "]"
        let client = try server.client()
        client.sendFrame(batch)
        client.disconnect()
        #expect(TestServer.eventually { server.service.callCount == 100 })
        #expect(TestServer.eventually { server.service.closeCount == 1 })
    }

    @Test func `a batch waits for its last part`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.sendFrame(
            "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"later\"},"
                + "{\"jsonrpc\":\"2.0\",\"method\":\"ping\"},"
                + "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}]"
        )
        #expect(client.ask("ping", 3)?["id"] == 3)
        server.service.deliverAll()
        #expect(client.receiveValue()?.array?.count == 2)
    }

    @Test func `a client that ends its sending still gets every reply`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.sendFrame("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"later\"}")
        client.send(TestClient.ping(2))
        client.endSending()
        #expect(client.receiveValue()?["id"] == 2)
        server.service.deliverAll()
        #expect(client.receiveValue()?["id"] == 1)
        #expect(client.isAtEnd())
        #expect(TestServer.eventually { server.server.connections == 0 })
    }

    @Test func `answers to clients that are gone are dropped`() throws {
        let server = try TestServer()
        for _ in 0..<50 {
            let client = try server.client()
            client.sendFrame("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"later\"}")
            client.disconnect()
        }
        #expect(TestServer.eventually { server.service.waitingCount == 50 })
        #expect(TestServer.eventually { server.server.connections == 0 })
        #expect(server.service.closeCount == 50)
        server.service.deliverAll()
        let client = try server.client()
        #expect(client.ask("ping")?["id"] == 1)
    }

    @Test func `requests sent just before a close are carried out`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send((0..<500).flatMap { TestClient.ping($0) })
        client.disconnect()
        #expect(TestServer.eventually { server.service.callCount == 500 })
        #expect(TestServer.eventually { server.server.connections == 0 })
    }

    @Test func `long frames and long replies pass, one byte more does not`() throws {
        let server = try TestServer(frameBytesMax: 300_000)
        let client = try server.client()
        let head = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"x\":\""
        let body = head + String(repeating: "y", count: 300_000 - head.utf8.count - 3) + "\"}}"
        #expect(body.utf8.count == 300_000)
        for _ in 0..<3 {
            client.sendFrame(body)
            #expect(client.receiveValue()?["id"] == 1)
        }
        #expect(
            client.ask("big", params: "{\"bytes\":290000}")?["result"]?.string?.utf8.count
                == 290_000
        )
        #expect(client.ask("big", params: "{\"bytes\":300000}")?["error"]?["code"] == -32_603)
        client.sendFrame(body + " ")
        #expect(client.receiveValue()?["error"]?["code"] == -32_600)
        #expect(client.isAtEnd())
        #expect(server.server.counters[.wrongLengths] == 1)
    }

    @Test func `more than 1024 waiting requests are overloaded`() throws {
        let server = try TestServer()
        let client = try server.client()
        for id in 0...1_024 {
            client.sendFrame("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"later\"}")
        }
        let refused = client.receiveValue()
        #expect(refused?["id"] == 1_024 && refused?["error"]?["code"] == -32_029)
        #expect(server.service.waitingCount == 1_024)
        server.service.deliverAll()
        for _ in 0..<1_024 { #expect(client.receiveValue()?["result"] == "late") }
    }

    @Test func `a client that never reads is not read either, and others are served`() throws {
        let server = try TestServer(threads: 1)
        let greedy = try server.client()
        let flags = fcntl(greedy.descriptor, F_GETFL)
        _ = fcntl(greedy.descriptor, F_SETFL, flags | O_NONBLOCK)
        let request = TestClient.frame(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"big\",\"params\":{\"bytes\":100000}}"
        )
        // Nothing but a stop in reading makes the kernel refuse more.
        var sent = 0
        let isBlocked = TestServer.eventually {
            while greedy.send(request) { sent += 1 }
            return sent > 100 && !greedy.send(request)
                && server.service.callCount < sent
        }
        #expect(isBlocked)
        // What is unsent may pass the limit by one turn.
        let answered = server.service.callCount
        let unsent = SocketLimits.unsentBytesMax + SocketLimits.replyBytesPerTurnMax
        #expect(answered * 100_000 < unsent + 1_000_000)
        let polite = try server.client()
        for id in 0..<100 { #expect(polite.ask("ping", id)?["id"] == .integer(Int64(id))) }
        // Once it reads, all that was answered arrives, and reading goes on.
        _ = fcntl(greedy.descriptor, F_SETFL, flags)
        for _ in 0..<sent {
            #expect(greedy.receiveValue()?["result"]?.string?.utf8.count == 100_000)
        }
    }

    @Test func `a greedy client does not starve a polite one`() throws {
        let server = try TestServer(threads: 1)
        let total = 60_000
        let greedy = try server.client()
        var received = 0
        let sender = try NamedThread(named: "greedy-send") { [descriptor = greedy.descriptor] in
            let frames = (0..<1_000).flatMap { TestClient.ping($0) }
            for _ in 0..<total / 1_000 {
                var sent = 0
                while sent < frames.count {
                    let count = frames[sent...]
                        .withUnsafeBytes {
                            send(descriptor, $0.baseAddress, $0.count, 0)
                        }
                    guard count > 0 else { return }
                    sent += count
                }
            }
        }
        let polite = try server.client()
        for id in 0..<50 { #expect(polite.ask("ping", id) != nil) }
        let before = server.service.callCount
        while received < total, greedy.receive() != nil { received += 1 }
        sender.join()
        #expect(before < total)
        #expect(received == total)
    }

    @Test func `half a frame and unread replies are given ten seconds`() throws {
        let server = try TestServer()
        let half = try server.client()
        half.send([0, 0, 0, 9, 1])
        let drip = try server.client()
        let idle = try server.client()
        let stalled = try server.client()
        for _ in 0..<60 {
            stalled.sendFrame(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"big\",\"params\":{\"bytes\":100000}}"
            )
        }
        let frame = TestClient.ping(1)
        var dripped = 0
        #expect(
            TestServer.eventually {
                if dripped < frame.count - 1, dripped * 40 < frame.count * 39 {
                    drip.send([frame[dripped]])
                    dripped += 1
                    usleep(200_000)
                }
                return server.server.counters[.slowFrames] == 2
                    && server.server.counters[.stalled] == 1
            }
        )
        #expect(half.isAtEnd() && drip.isAtEnd())
        #expect(idle.ask("ping")?["id"] == 1)
    }

    @Test func `connections come and go`() throws {
        let server = try TestServer()
        for round in 0..<2_000 {
            let client = try server.client()
            if round % 2 == 0 { #expect(client.ask("ping", round) != nil) }
        }
        #expect(TestServer.eventually { server.server.counters.accepted == 2_000 })
        #expect(TestServer.eventually { server.server.connections == 0 })
    }

    @Test func `many connections share the threads`() throws {
        let server = try TestServer()
        let clients = try (0..<300).map { _ in try server.client() }
        for round in 0..<3 {
            for client in clients { client.send(TestClient.ping(round)) }
            for client in clients {
                #expect(client.receiveValue()?["id"] == .integer(Int64(round)))
            }
        }
        #expect(server.server.connections == 300)
        withExtendedLifetime(clients) {}
    }
}
