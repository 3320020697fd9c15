import Foundation
import JSON
import Synchronization
import Testing
import Threads

@testable import Methods
@testable import Wire

/// The other side of a watching connection, which takes everything at once unless it sleeps.
final class Listener: ReplyOutlet {
    let session = Session(caller: Caller(uid: 0, gid: 0, pid: 0, role: .admin))
    private let told = Mutex<[JSONValue]>([])
    private let beats = Mutex<[JSONValue]>([])
    private let asleep = Atomic<Bool>(false)

    var messages: [JSONValue] { told.withLock { $0 } }

    var heartbeats: [JSONValue] { beats.withLock { $0 } }

    /// Whether it takes nothing from the kernel, nor the kernel from us.
    var isAsleep: Bool {
        get { asleep.load(ordering: .acquiring) }
        set {
            asleep.store(newValue, ordering: .releasing)
            if !newValue { session.noteUnsent(0) }
        }
    }

    private var ticket: ReplyTicket {
        ReplyTicket(outlet: self, connection: 0, batch: 0, wantsReply: true)
    }

    /// What pushes to it.
    var pusher: Pusher { Pusher(to: ticket, of: session) {} }

    func post(_ deliveries: [Delivery]) {
        for delivery in deliveries {
            var rest = delivery.response[...]
            while rest.count > 4 {
                let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(4)
                if let message = try? JSONValue.parse(Array(rest.prefix(count))) {
                    let isBeat = message["method"] == "heartbeat"
                    let params = message["params"] ?? .null
                    if isBeat {
                        beats.withLock { $0.append(params) }
                    } else {
                        told.withLock { $0.append(params) }
                    }
                }
                rest = rest.dropFirst(count)
            }
        }
        session.holdsPush = true
        if !isAsleep { session.noteUnsent(0) }
    }

    /// Watches, and waits for the answer.
    @discardableResult
    func join(_ hub: WatchHub, from seq: UInt64?) throws -> UInt64 {
        let answers = BlockingQueue<UInt64>(countMax: 1)
        let joining = WatchHub.Joining(
            pusher: hub.pusher(to: ticket, of: session),
            users: nil,
            fromSeq: seq
        ) { _ = answers.offer((try? $0.get()) ?? 0) }
        #expect(hub.join(joining))
        return try #require(answers.take(1, waiting: 30_000)?.first, "no answer in 30 s")
    }

    /// Waits until the hub has told of everything up to a position.
    ///
    /// Who joins is answered before the others are sent what waits; who joins next, after.
    func hearAll(_ hub: WatchHub, through seq: UInt64) throws {
        var answers = 0
        while answers < 2 {
            let other = Listener()
            defer { other.session.close() }
            if try other.join(hub, from: nil) >= seq { answers += 1 }
        }
    }

    /// Waits for so many messages.
    func heard(_ count: Int) -> [JSONValue] {
        for _ in 0..<30_000 where messages.count < count { usleep(1_000) }
        return messages
    }
}
