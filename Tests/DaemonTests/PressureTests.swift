import EntitlementsClient
import Fixtures
import Foundation
import Glibc
import JSON
import Synchronization
import Testing

/// Peers that are slow, silent, or many at once.
@Suite struct PressureTests {
    @Test func `silent and half-spoken peers do not keep the daemon from stopping`() throws {
        let daemon = try TestDaemon.started()
        let silent = [try StreamSocket.local(port: daemon.port), try .unix(daemon.socket)]
        let half = try StreamSocket.local(port: daemon.port)
        half.send(Array("POST /webhooks/apple HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n".utf8))
        let frame = try StreamSocket.unix(daemon.socket)
        frame.send(StreamSocket.length(100) + [0x7b])
        #expect(try daemon.call("ping") == [:])
        #expect(daemon.stop(within: 10) == .exited(0))
        #expect(silent.allSatisfy { $0.receiveAll().isEmpty })
        #expect(frame.receiveFrame() == nil)
    }

    @Test func `one notification delivered many times at once is applied once`() throws {
        let daemon = try TestDaemon.started()
        let body = try daemon.voice.notification("SUBSCRIBED", about: StoreLife())
        let port = daemon.port
        let words = Mutex<[String]>([])
        let senders = DispatchGroup()
        for _ in 0..<12 {
            senders.enter()
            Thread {
                let reply = try? HTTPExchange.post(body, port: port)
                words.withLock { $0.append(reply?.json?["result"]?.string ?? "none") }
                senders.leave()
            }
            .start()
        }
        senders.wait()
        let answered = words.withLock { $0.sorted() }
        #expect(answered == ["applied"] + [String](repeating: "duplicate", count: 11))
        #expect(try daemon.rows(of: "notifications").count == 1)
    }

    @Test func `a dump fits small frames by ending pages early`() throws {
        var setup = TestDaemon.Setup()
        setup.extra = "# frames of the least useful size"
        let daemon = try TestDaemon(setup)
        try daemon.start(environment: ["ENTITLD_RPC_MAX_FRAME_BYTES": "8192"])
        for index in 0..<60 {
            let account = try daemon.call("registerAccount", ["userId": .string("user-\(index)")])
            #expect(account["created"]?.bool == true)
        }
        let page = try daemon.call("dump", ["table": "accounts", "limit": 1_000], admin: true)
        let count = page["entries"]?.array?.count ?? 0
        #expect((1..<60).contains(count))
        #expect(page.bytes.count < 8_192)
        #expect(page["cursor"]?.string != nil)
        #expect(try daemon.rows(of: "accounts").count == 60)
    }

    @Test func `pipelined questions are all answered`() throws {
        let daemon = try TestDaemon.started()
        let socket = try StreamSocket.unix(daemon.socket)
        for index in 0..<1_000 {
            socket.sendFrame(
                #"{"jsonrpc":"2.0","id":\#(index),"method":"canRender","params":{"userId":"a"}}"#
            )
        }
        var ids: Set<Int64> = []
        for _ in 0..<1_000 {
            let reply = try socket.receiveReply()
            if let id = reply["id"]?.int64, reply["result"] != nil { ids.insert(id) }
        }
        #expect(ids == Set(0..<1_000))
    }

    @Test func `a request cut off by the peer leaves nothing`() throws {
        let daemon = try TestDaemon.started()
        for cut in [1, 5, 40, 100] {
            let socket = try StreamSocket.unix(daemon.socket)
            let text =
                #"{"jsonrpc":"2.0","id":1,"method":"registerAccount","params":{"userId":"x"}}"#
            let frame = StreamSocket.length(text.utf8.count) + Array(text.utf8)
            socket.send(Array(frame.prefix(min(cut, frame.count - 1))))
        }
        #expect(try daemon.call("ping") == [:])
        #expect(try daemon.rows(of: "accounts").isEmpty)
    }
}
