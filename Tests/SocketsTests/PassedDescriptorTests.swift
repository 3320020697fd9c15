import Foundation
import Glibc
import JSON
import Testing
import Threads
import Wire

@testable import Sockets

/// Descriptors that a client sends along (SCM_RIGHTS): nobody asked for them.
@Suite(.serialized) struct PassedDescriptorTests {
    @Test func `descriptors sent along with a frame are dropped, and the frame is answered`()
        throws
    {
        let server = try TestServer(threads: 1)
        let client = try server.client()
        #expect(client.ask("ping")?["id"] == 1)
        // The read end of a pipe tells whether anybody keeps the write end.
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        for round in 1...100 {
            // With a whole frame, with the first half of one, and with its second half.
            let frame = TestClient.ping(round)
            let cut = round % 3 == 0 ? frame.count : frame.count / round % frame.count
            #expect(Self.send(Array(frame[..<max(1, cut)]), along: ends[1], on: client) > 0)
            let rest = Array(frame[max(1, cut)...])
            if !rest.isEmpty { #expect(Self.send(rest, along: ends[1], on: client) > 0) }
            #expect(client.receiveValue()?["id"] == .integer(Int64(round)))
        }
        close(ends[1])
        var byte: UInt8 = 0
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        // The end of the stream, and not "nothing yet": no copy of the write end is open any more.
        #expect(TestServer.eventually { read(ends[0], &byte, 1) == 0 })
        close(ends[0])
        #expect(client.ask("ping", 101)?["id"] == 101)
    }

    @Test func `frames that were sent behind descriptors are answered, too`() throws {
        let server = try TestServer(threads: 1)
        let busy = try server.client()
        let client = try server.client()
        for cut in [0, 10] {
            let first = TestClient.ping(1)
            client.send(first[..<cut])
            // Everything else comes while the thread is elsewhere: there is one edge for all of it.
            let held = server.service.holdCount
            busy.sendFrame("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hold\"}")
            #expect(TestServer.eventually { server.service.holdCount > held })
            #expect(Self.send(Array(first[cut...]), along: 0, on: client) > 0)
            client.send(TestClient.ping(2))
            for id in 3...4 { #expect(Self.send(TestClient.ping(id), along: 0, on: client) > 0) }
            client.send(TestClient.ping(5))
            server.service.letGo()
            #expect(busy.receiveValue()?["result"] == true)
            for id in 1...5 { #expect(client.receiveValue()?["id"] == .integer(Int64(id))) }
        }
    }

    @Test func `a stop answers frames that were sent behind descriptors`() throws {
        let server = try TestServer(threads: 1)
        let busy = try server.client()
        let client = try server.client()
        #expect(client.ask("ping")?["id"] == 1)
        busy.sendFrame("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hold\"}")
        #expect(TestServer.eventually { server.service.holdCount == 1 })
        for id in 2...4 { #expect(Self.send(TestClient.ping(id), along: 0, on: client) > 0) }
        let rpc = server.server
        let stopper = try NamedThread(named: "stopper") { rpc.drain(deadlineSeconds: 20) }
        server.service.letGo()
        for id in 2...4 { #expect(client.receiveValue()?["id"] == .integer(Int64(id))) }
        #expect(client.isAtEnd())
        stopper.join()
    }

    @Test func `descriptors that nobody read go with the connection`() throws {
        let server = try TestServer(threads: 1)
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let client = try server.client()
        // A wrong length ends the reading; what was sent behind it is dropped unread.
        client.send([0, 0, 0, 0])
        _ = Self.send([1, 2, 3], along: ends[1], on: client)
        #expect(client.receiveValue()?["error"]?["code"] == -32_600)
        client.disconnect()
        close(ends[1])
        var byte: UInt8 = 0
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        #expect(TestServer.eventually { read(ends[0], &byte, 1) == 0 })
        close(ends[0])
    }

    /// Sends bytes with a copy of `descriptor`; what sendmsg returned.
    private static func send(
        _ bytes: [UInt8],
        along descriptor: Int32,
        on client: TestClient
    ) -> Int {
        var bytes = bytes
        // One cmsghdr: length 20, SOL_SOCKET, SCM_RIGHTS, the descriptor, padding to 24.
        var control: [UInt8] = []
        withUnsafeBytes(of: UInt64(20)) { control += $0 }
        withUnsafeBytes(of: SOL_SOCKET) { control += $0 }
        withUnsafeBytes(of: Int32(1)) { control += $0 }
        withUnsafeBytes(of: descriptor) { control += $0 }
        control += [0, 0, 0, 0]
        return bytes.withUnsafeMutableBytes { bytes in
            control.withUnsafeMutableBytes { control in
                var piece = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &piece) { piece in
                    var message = msghdr()
                    message.msg_iov = piece
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = control.count
                    return sendmsg(client.descriptor, &message, Int32(MSG_NOSIGNAL))
                }
            }
        }
    }
}
