import CLinux
import Glibc
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Sockets

@Suite struct AcceptorTests {
    @Test func `who has stopped accepting does not go on after a pause`() throws {
        let scratch = try Scratch()
        let path = scratch.file("app.sock")
        let file = try SocketFile(path: path, mode: 0o600)
        defer { file.close() }
        let epoll = linux_epoll_create()
        defer { close(epoll) }
        let hasEvent = {
            let room = Int(LINUX_EVENTS_MAX)
            return withUnsafeTemporaryAllocation(of: linux_event.self, capacity: room) {
                linux_epoll_wait(epoll, $0.baseAddress, 0) > 0
            }
        }
        var acceptor = Acceptor(
            listeners: [.init(descriptor: file.descriptor, ceiling: .app, connectionsMax: 8)],
            rules: AccessRules(),
            loops: [try LoopMailbox(doors: 1)],
            counters: RPCCounters(doors: 1),
            accept: { _ in -EMFILE }
        )
        let code = acceptor.watch(in: epoll, firstToken: 7)
        #expect(code == 0)
        let client = try #require(TestClient(path))
        #expect(hasEvent())
        for stops in [false, true] {
            let arrivals = acceptor.arrivals(at: 0, epoll: epoll, now: 1_000)
            let pausesUntil = acceptor.resumesAt
            #expect(arrivals.isEmpty && pausesUntil > 1_000)
            if stops { acceptor.stop(in: epoll) }
            #expect(!hasEvent())
            acceptor.resume(in: epoll, now: 9_000, firstToken: 7)
            let resumesAt = acceptor.resumesAt
            #expect(resumesAt == 0)
            // Nobody accepts any more: a listener that stays readable would wake the loop for ever.
            #expect(hasEvent() == !stops)
        }
        client.disconnect()
    }
}
