import Entitlements
import JSON
import Ledger
import Synchronization
import Threads
import Wire

/// Tells those who watch what has changed, on a thread of its own, so that nothing they do holds up
/// a commit.
final class WatchHub: Sendable {
    private enum Message: Sendable {
        case changed([FeedItem])
        case join(Joining)
    }

    /// A connection that begins to watch.
    struct Joining: Sendable {
        let pusher: Pusher
        let users: Set<UserID>?
        let fromSeq: UInt64?
        /// Answers the call; what is pushed comes after.
        let answer: @Sendable (Result<UInt64, RPCFailure>) -> Void
    }

    private let queue = BlockingQueue<Message>(countMax: MethodLimits.watchGroupsMax)
    private let thread: NamedThread
    private let missed = MissedFlag()

    init(_ ledger: Ledger, now: @escaping @Sendable () -> Moment) throws {
        let desk = WatchDesk(ledger, try LedgerReader(ledger), now)
        let carried = Carried(desk)
        thread = try NamedThread(named: "watch") { [queue, missed] in
            let desk = carried.value
            while let messages = queue.take(256, waiting: desk.patience) {
                if missed.take() { desk.resyncAll() }
                for message in messages {
                    switch message {
                    case .changed(let items): for item in items { desk.tell(item) }
                    case .join(let joining):
                        let isFirst = desk.isEmpty
                        if isFirst {
                            ledger.feed.follow { items in
                                if queue.offer(.changed(items)) == .full { missed.set() }
                            }
                        }
                        desk.admit(joining)
                    }
                }
                desk.flush()
                if desk.isEmpty { ledger.feed.follow(nil) }
            }
        }
    }

    /// Begins to watch; false where too much waits.
    func join(_ joining: Joining) -> Bool { queue.offer(.join(joining)) == nil }

    func stop() {
        queue.close()
        thread.join()
    }
}

/// Whether something was not put in the queue.
private final class MissedFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    func set() { flag.store(true, ordering: .releasing) }
    func take() -> Bool { flag.exchange(false, ordering: .acquiringAndReleasing) }
}

/// Carries a value to the one thread that uses it.
private struct Carried<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// The hub's thread at work.
private final class WatchDesk {
    private let ledger: Ledger
    private let reader: LedgerReader
    private let now: @Sendable () -> Moment
    private var watchers: [UInt64: Watcher] = [:]
    private var seq: UInt64 = 0

    init(_ ledger: Ledger, _ reader: LedgerReader, _ now: @escaping @Sendable () -> Moment) {
        self.ledger = ledger
        self.reader = reader
        self.now = now
    }

    var isEmpty: Bool { watchers.isEmpty }

    /// How long to wait for something new: not long while somebody is behind.
    var patience: Int64? {
        guard !watchers.isEmpty else { return nil }
        return watchers.values.contains(where: \.hasNews) ? 10 : 1_000
    }

    func admit(_ joining: WatchHub.Joining) {
        let session = joining.pusher.session
        let isFirst = watchers.isEmpty
        do throws(LedgerFailure) {
            reader.rest()
            try reader.wake()
            if isFirst { seq = reader.seq }
            let watcher = Watcher(joining.pusher, users: joining.users, at: now().milliseconds)
            if let from = joining.fromSeq { try catchUp(watcher, from) }
            reader.rest()
            watchers[session.id] = watcher
            joining.answer(.success(seq))
        } catch {
            reader.rest()
            joining.answer(.failure(RPCFailure(error)))
        }
    }

    /// What one command changed, for everybody who wants to hear it.
    func tell(_ item: FeedItem) {
        guard item.seq > seq else { return }
        seq = item.seq
        if let version = item.catalogVersion {
            for watcher in watchers.values { watcher.tell(item.seq, catalogVersion: version) }
        }
        for change in item.changes {
            let listeners = watchers.values.filter { $0.wants(change.user) }
            guard !listeners.isEmpty, let status = status(after: change, item) else { continue }
            for watcher in listeners {
                watcher.tell(item.seq, change.user, change.cause, status)
            }
        }
    }

    func flush() {
        reader.rest()
        let now = now().milliseconds
        for (id, watcher) in watchers {
            if watcher.session.isOpen {
                watcher.flush(seq, at: now)
            } else {
                watchers[id] = nil
            }
        }
    }

    func resyncAll() {
        seq = ledger.figures.seq
        for watcher in watchers.values { watcher.tellResync(seq) }
    }

    /// The new status; nil where it stayed equal.
    private func status(after change: FeedItem.Change, _ item: FeedItem) -> JSONObject? {
        try? reader.wake()
        var (was, will) = (change.before, change.after)
        if change.cause == .clock {
            was = (try? reader.account(of: change.user)) ?? nil
            will = was
        }
        let before = view(was, change, change.beforeAt, item, item.subscriptionsBefore).status
        let after = view(will, change, change.at, item, item.subscriptionsAfter).status
        return before.isEqualStatus(to: after) ? nil : after
    }

    private func view(
        _ account: Account?,
        _ change: FeedItem.Change,
        _ moment: Moment,
        _ item: FeedItem,
        _ known: [SubscriptionKey: Subscription]
    ) -> StatusView {
        StatusView(
            of: change.user,
            account: account,
            at: moment,
            under: reader.policy,
            seq: item.seq
        ) { [reader] key in
            known[key] ?? (try? reader.subscription(of: key)) ?? nil
        }
    }

    /// Tells what has changed since `from`; one that is too old or too new must begin again.
    private func catchUp(_ watcher: Watcher, _ from: UInt64) throws(LedgerFailure) {
        let oldest = seq - min(seq, MethodLimits.watchEntriesMax)
        guard from <= seq, from >= oldest else {
            watcher.tellResync(from > seq ? seq : oldest)
            return
        }
        let users: Set<UserID>
        let catalogs: [(seq: UInt64, version: UInt32)]
        do throws(LedgerFailure) {
            (users, catalogs) = try reader.changes(after: from, through: seq)
        } catch {
            guard case .gone = error else { throw error }
            return watcher.tellResync(seq)
        }
        var turns: [(turn: Chronicle.Turn, user: UserID)] = []
        for user in users where watcher.wants(user) {
            var chronicle = try Chronicle(of: user, reader)
            // Pruned meanwhile.
            guard chronicle.border <= from else { return watcher.tellResync(seq) }
            for turn in try chronicle.turns(until: now()) where turn.seq > from {
                // What is not noted yet will be told when it is.
                if turn.isVisible, turn.isNoted { turns.append((turn, user)) }
            }
        }
        var news = catalogs[...]
        // Of what one tick tells the earlier end is told first.
        turns.sort { ($0.turn.seq, $0.turn.at) < ($1.turn.seq, $1.turn.at) }
        for (turn, user) in turns {
            while let catalog = news.first, catalog.seq < turn.seq {
                watcher.tell(catalog.seq, catalogVersion: catalog.version)
                news.removeFirst()
            }
            watcher.tell(turn.seq, user, turn.cause, turn.after.status)
        }
        for catalog in news { watcher.tell(catalog.seq, catalogVersion: catalog.version) }
    }
}

extension JSONObject {
    /// Whether two statuses say the same, their positions aside.
    func isEqualStatus(to other: JSONObject) -> Bool {
        var (left, right) = (self, other)
        left["seq"] = nil
        right["seq"] = nil
        return JSONValue.object(left) == JSONValue.object(right)
    }
}
