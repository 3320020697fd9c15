import Foundation
import JSON
import Synchronization
import Testing
import Threads
import Wire

@testable import Sockets

@Suite(.serialized) struct StopTests {
    @Test func `a stop waits for what is in flight`() throws {
        let server = try TestServer()
        let client = try server.client()
        let idle = try server.client()
        #expect(idle.ask("ping")?["id"] == 1)
        client.sendFrame("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"later\"}")
        #expect(TestServer.eventually { server.service.waitingCount == 1 })
        let isDone = Atomic<Bool>(false)
        let rpc = server.server
        let stopper = try NamedThread(named: "stopper") {
            rpc.drain(deadlineSeconds: 20)
            isDone.store(true, ordering: .releasing)
        }
        #expect(idle.isAtEnd())
        #expect(TestClient(server.path) == nil)
        let isEarly = isDone.load(ordering: .acquiring)
        #expect(!isEarly)
        // Until its last answer is out, the connection is served as before.
        #expect(client.ask("ping", 5)?["id"] == 5)
        server.service.deliverAll()
        #expect(client.receiveValue()?["result"] == "late")
        #expect(client.isAtEnd())
        stopper.join()
        let isStopped = isDone.load(ordering: .acquiring)
        #expect(isStopped)
        #expect(!FileManager.default.fileExists(atPath: server.path))
    }

    @Test func `a stop does not wait longer than it may`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.sendFrame("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"later\"}")
        #expect(TestServer.eventually { server.service.waitingCount == 1 })
        server.stop(deadlineSeconds: 1)
        #expect(client.isAtEnd())
        server.service.deliverAll()
    }

    @Test func `requests that had arrived are answered before a stop`() throws {
        let server = try TestServer(threads: 1)
        let clients = try (0..<20).map { _ in try server.client() }
        for client in clients { #expect(client.ask("ping")?["id"] == 1) }
        for client in clients { client.send((0..<300).flatMap { TestClient.ping($0) }) }
        server.stop(deadlineSeconds: 20)
        for client in clients {
            for id in 0..<300 { #expect(client.receiveValue()?["id"] == .integer(Int64(id))) }
            #expect(client.isAtEnd())
        }
    }
}
