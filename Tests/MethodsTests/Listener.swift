import Entitlements
import Foundation
import JSON
import Synchronization
import Testing
import Threads

@testable import Methods
@testable import Wire

/// The other side of a watching connection, which takes everything at once unless it sleeps.
final class Listener: ReplyOutlet {
    /// How long to wait for what comes in any case: the reading thread gives way to all others.
    static let patienceMilliseconds: Int64 = 300_000

    let session: Session
    private let told = Mutex<[JSONValue]>([])
    private let beats = Mutex<[JSONValue]>([])
    private let asleep = Atomic<Bool>(false)
    /// How much it had heard when its join was answered.
    let toldWhenAnswered = Atomic<Int>(-1)

    init(budget: CallerBudget? = nil) {
        let caller = Caller(uid: 0, gid: 0, pid: 0, role: .admin)
        session = Session(caller: caller, budget: budget)
    }

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
    func join(
        _ hub: WatchHub,
        _ users: Set<UserID>? = nil,
        from seq: UInt64?
    ) throws -> UInt64 {
        let answers = beginJoin(hub, users, from: seq)
        return try #require(answers.take(1, waiting: Self.patienceMilliseconds)?.first)
    }

    /// Asks to watch; what it answers has the position when that is there.
    func beginJoin(
        _ hub: WatchHub,
        _ users: Set<UserID>? = nil,
        from seq: UInt64?
    ) -> BlockingQueue<UInt64> {
        let answers = BlockingQueue<UInt64>(countMax: 1)
        let joining = WatchHub.Joining(
            pusher: hub.pusher(to: ticket, of: session),
            users: users,
            fromSeq: seq
        ) { [self] result in
            toldWhenAnswered.store(messages.count, ordering: .releasing)
            _ = answers.offer((try? result.get()) ?? 0)
        }
        #expect(hub.join(joining))
        return answers
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
        for _ in 0..<Self.patienceMilliseconds where messages.count < count { usleep(1_000) }
        return messages
    }
}
