import Synchronization
import Testing

@testable import Wire

/// What is pushed to a connection: one chunk at a time, and who waits for room is told once.
struct PusherTests {
    private let outlet = Outlet()
    private let session = Session(caller: Caller(uid: 0, gid: 0, pid: 0, role: .admin))

    private var pusher: Pusher {
        let ticket = ReplyTicket(outlet: outlet, connection: 7, batch: 0, wantsReply: true)
        return Pusher(to: ticket, of: session) { [outlet] in
            outlet.rings.add(1, ordering: .relaxed)
        }
    }

    @Test func `a chunk is under way until the kernel has taken all of it`() {
        let pusher = pusher
        #expect(pusher.takesMore)
        pusher.push([1, 2, 3])
        #expect(outlet.pushed == [[1, 2, 3]])
        #expect(!pusher.takesMore)
        // A reply left meanwhile: the chunk has not come to the thread yet.
        session.noteUnsent(0)
        #expect(!pusher.takesMore)
        session.holdsPush = true
        session.noteUnsent(2)
        #expect(!pusher.takesMore && outlet.ringCount == 0)
        session.noteUnsent(0)
        #expect(outlet.ringCount == 1)
        #expect(pusher.takesMore)
    }

    @Test func `nobody is told of room who does not wait for it`() {
        let pusher = pusher
        pusher.push([1])
        session.holdsPush = true
        session.noteUnsent(0)
        #expect(pusher.takesMore && outlet.ringCount == 0)
        pusher.push([])
        #expect(outlet.pushed.count == 1 && pusher.takesMore)
    }

    @Test func `a connection that ended takes nothing`() {
        let pusher = pusher
        session.close()
        #expect(!pusher.takesMore && !pusher.isOpen)
    }
}

/// Keeps what is delivered.
private final class Outlet: ReplyOutlet {
    private let responses = Mutex<[[UInt8]]>([])
    let rings = Atomic<Int>(0)

    var pushed: [[UInt8]] { responses.withLock { $0 } }

    var ringCount: Int { rings.load(ordering: .relaxed) }

    func post(_ deliveries: [Delivery]) {
        responses.withLock { $0 += deliveries.filter(\.isPush).map(\.response) }
    }
}
