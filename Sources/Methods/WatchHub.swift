import Entitlements
import Glibc
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
        /// Somebody takes more.
        case room
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
    private let missed = Flag()
    /// Whether it was rung that somebody takes more.
    private let hasRoom = Flag()

    init(_ ledger: Ledger, now: @escaping @Sendable () -> Moment) throws {
        let desk = WatchDesk(ledger, try LedgerReader(ledger), now)
        let carried = Carried(desk)
        thread = try NamedThread(named: "watch") { [queue, missed, hasRoom] in
            let desk = carried.value
            while let messages = queue.take(256, waiting: desk.patience) {
                if missed.take() { desk.resyncAll() }
                for message in messages {
                    switch message {
                    case .changed(let items): for item in items { desk.tell(item) }
                    case .room: break
                    case .join(let joining):
                        let isFirst = desk.isEmpty
                        if isFirst {
                            ledger.feed.follow { items in
                                if queue.offer(.changed(items)) == .full { _ = missed.set() }
                            }
                        }
                        desk.admit(joining)
                    }
                }
                // Before it is looked who takes more: what comes after rings again.
                _ = hasRoom.take()
                let began = ContinuousClock.now
                desk.flush()
                if desk.isEmpty { ledger.feed.follow(nil) }
                Self.rest(after: ContinuousClock.now - began)
            }
        }
    }

    /// Lets others work three times as long as telling took, within a bound: with many who watch
    /// there is always somebody who takes more, and the longer it waits the more is told at once.
    private static func rest(after work: Duration) {
        let rest = min(work * 3, .milliseconds(MethodLimits.watchRestMilliseconds))
        // Not worth going to sleep for.
        guard rest >= .microseconds(100) else { return }
        usleep(UInt32(rest / .microseconds(1)))
    }

    /// Begins to watch; false where too much waits.
    func join(_ joining: Joining) -> Bool { queue.offer(.join(joining)) == nil }

    /// What pushes to where `ticket` would be answered, and wakes this when there is room again.
    func pusher(to ticket: ReplyTicket, of session: Session) -> Pusher {
        Pusher(to: ticket, of: session) { [queue, hasRoom] in
            if hasRoom.set() { _ = queue.offer(.room) }
        }
    }

    func stop() {
        queue.close()
        thread.join()
    }
}

/// Set by some, taken by one.
private final class Flag: Sendable {
    private let flag = Atomic<Bool>(false)

    /// Whether it was not set before.
    func set() -> Bool { !flag.exchange(true, ordering: .acquiringAndReleasing) }
    func take() -> Bool { flag.exchange(false, ordering: .acquiringAndReleasing) }
}

/// The hub's thread at work.
private final class WatchDesk {
    private let ledger: Ledger
    private let reader: LedgerReader
    private let now: @Sendable () -> Moment
    private var watchers: [UInt64: Watcher] = [:]
    /// Those of them who hear of some users alone.
    private var choosy: [UInt64: Watcher] = [:]
    /// What the others are told.
    private let news = NewsLog()
    private var seq: UInt64 = 0

    init(_ ledger: Ledger, _ reader: LedgerReader, _ now: @escaping @Sendable () -> Moment) {
        self.ledger = ledger
        self.reader = reader
        self.now = now
    }

    var isEmpty: Bool { watchers.isEmpty }

    /// How long to wait for something new: heartbeats come in between.
    var patience: Int64? { watchers.isEmpty ? nil : 1_000 }

    func admit(_ joining: WatchHub.Joining) {
        let session = joining.pusher.session
        let isFirst = watchers.isEmpty
        do throws(LedgerFailure) {
            reader.rest()
            try reader.wake()
            if isFirst { seq = reader.seq }
            let watcher = Watcher(
                joining.pusher,
                users: joining.users,
                of: news,
                at: now().milliseconds
            )
            if let from = joining.fromSeq { watcher.begin(with: try missed(by: watcher, from)) }
            reader.rest()
            watchers[session.id] = watcher
            choosy[session.id] = watcher.isChoosy ? watcher : nil
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
            tell(.catalog(item.seq, version: version), choosy.values)
        }
        for change in item.changes {
            let listeners = choosy.values.filter { $0.wants(change.user) }
            guard !listeners.isEmpty || choosy.count < watchers.count,
                let status = status(after: change, item)
            else { continue }
            tell(.change(item.seq, change.user, change.cause, status), listeners)
        }
    }

    private func tell(_ announcement: Announcement, _ listeners: some Sequence<Watcher>) {
        news.append(announcement)
        for watcher in listeners { watcher.log.append(announcement) }
    }

    func flush() {
        let now = now().milliseconds
        var told = news.end
        for (id, watcher) in watchers {
            guard watcher.flush(seq, at: now) else {
                watchers[id] = nil
                choosy[id] = nil
                continue
            }
            if !watcher.isChoosy { told = min(told, watcher.next) }
        }
        news.forget(before: told)
    }

    func resyncAll() {
        seq = ledger.figures.seq
        news.lose()
        for watcher in choosy.values { watcher.log.lose() }
    }

    /// The new status, all of it as of that moment; nil where it stayed equal.
    private func status(after change: FeedItem.Change, _ item: FeedItem) -> JSONObject? {
        let before = view(change.before, change, change.beforeAt, item, item.subscriptionsBefore)
            .status
        let after = view(change.after, change, change.at, item, item.subscriptionsAfter).status
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
            under: item.policy,
            seq: item.seq
        ) { known[$0] }
    }

    /// What has changed since `from`; one that is too old or too new must begin again.
    private func missed(
        by watcher: Watcher,
        _ from: UInt64
    ) throws(LedgerFailure) -> NewsLog {
        let missed = NewsLog()
        func resync(_ oldest: UInt64) -> NewsLog {
            missed.append(.resync(oldest))
            return missed
        }
        let oldest = seq - min(seq, MethodLimits.watchEntriesMax)
        guard from <= seq, from >= oldest else { return resync(from > seq ? seq : oldest) }
        let users: Set<UserID>
        let catalogs: [(seq: UInt64, version: UInt32)]
        do throws(LedgerFailure) {
            (users, catalogs) = try reader.changes(after: from, through: seq)
        } catch {
            guard case .gone = error else { throw error }
            return resync(seq)
        }
        var turns: [(turn: Chronicle.Turn, user: UserID)] = []
        for user in users where watcher.wants(user) {
            var chronicle = try Chronicle(of: user, reader)
            // Pruned meanwhile.
            guard chronicle.border <= from else { return resync(seq) }
            for turn in try chronicle.turns(until: now(), after: from) {
                // What is not noted yet will be told when it is.
                if turn.isVisible, turn.isNoted { turns.append((turn, user)) }
            }
        }
        var installed = catalogs[...]
        // Of what one tick tells the earlier end is told first.
        turns.sort { ($0.turn.seq, $0.turn.at) < ($1.turn.seq, $1.turn.at) }
        for (turn, user) in turns {
            while let catalog = installed.first, catalog.seq < turn.seq {
                missed.append(.catalog(catalog.seq, version: catalog.version))
                installed.removeFirst()
            }
            missed.append(.change(turn.seq, user, turn.cause, turn.after.status))
        }
        for catalog in installed { missed.append(.catalog(catalog.seq, version: catalog.version)) }
        return missed
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
