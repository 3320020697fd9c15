import JSON
import TestSupport
import Testing

@testable import Sockets

@Suite struct AnsweringTests {
    @Test func `a thread that one request keeps is noticed, and that it goes on`() async throws {
        let server = try TestServer(threads: 2)
        let rpc = server.server
        #expect(await rpc.isAnswering())
        let client = try server.client()
        client.sendFrame("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hold\"}")
        #expect(TestServer.eventually { server.service.holdCount == 1 })
        for _ in 0..<3 {
            #expect(await !rpc.isAnswering(within: .milliseconds(50)))
        }
        server.service.letGo()
        #expect(client.receiveValue()?["result"] == true)
        #expect(await rpc.isAnswering())
    }
}
