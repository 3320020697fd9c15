import Entitlements
import Glibc
import Ledger
import Synchronization
import Threads
import Wire

/// Tells watchers what has changed, on a thread of its own, so that nothing they do delays a
/// commit.
///
/// What a joining watcher has missed is read on a second thread, so that nothing it asks for delays
/// the others.
final class WatchHub: Sendable {
    /// A connection that begins to watch.
    struct Joining: Sendable {
        let pusher: Pusher
        let users: Set<UserID>?
        let fromSeq: UInt64?
        /// What its caller is charged for as long as it is kept here.
        var hold: HeldBytes?
        /// Answers the call; what is pushed comes after.
        let answer: @Sendable (Result<UInt64, RPCFailure>) -> Void
    }

    private let queue = BlockingQueue<[FeedItem]>(countMax: MethodLimits.watchGroupsMax)
    private let inbox = WatchInbox()
    private let orders = BlockingQueue<CatchUpOrder>(countMax: 1)
    private let thread: NamedThread
    private let catchUpThread: NamedThread
    /// Joins that are not answered yet.
    private let waiting = WaitingJoins()
    private let isStopping = StopMark()

    /// What was done, for tests.
    let figures = WatchFigures()

    /// - Parameters:
    ///   - ledger: what is watched.
    ///   - beforeReading: called on the reading thread before each read; tests hold it there.
    ///   - now: the present.
    /// - Throws: where there is no thread, or no place for one more reader.
    init(
        _ ledger: Ledger,
        beforeReading: @escaping @Sendable () -> Void = {},
        now: @escaping @Sendable () -> Moment
    ) throws {
        let catchUp = Carried(
            CatchUpReader(try LedgerReader(ledger), figures, now) { [isStopping] in
                isStopping.isSet
            }
        )
        catchUpThread = try NamedThread(
            named: "watch-past",
            niceness: MethodLimits.catchUpNiceness
        ) { [orders, inbox, queue] in
            while let taken = orders.take(1, waiting: catchUp.value.patience) {
                if taken.isEmpty { catchUp.value.forget() }
                for order in taken {
                    beforeReading()
                    let result = catchUp.value.read(order)
                    inbox.change { $0.caughtUp = result }
                    queue.nudge()
                }
            }
        }
        let desk = WatchDesk(
            try LedgerReader(ledger),
            figures,
            now,
            ask: { [orders] in
                let refusal = orders.offer($0)
                precondition(refusal != .full, "one read at a time is asked for")
            },
            finished: { [waiting] in waiting.leave() }
        )
        let carried = Carried(desk)
        let missed = MissedGroups()
        thread = try NamedThread(named: "watch") { [queue, inbox] in
            let desk = carried.value
            while let groups = queue.take(256, waiting: desk.patience) {
                let mail = inbox.takeAll()
                // A caller who was answered at a position may join from there: the change that its
                // answer told of came before the mail.
                let later = mail.joins.isEmpty ? [] : queue.take(256, waiting: 0) ?? []
                // That may have taken a nudge whose mail is not taken yet.
                if !mail.joins.isEmpty { queue.nudge() }
                if missed.take() { desk.resyncAll(at: ledger.figures.seq) }
                for item in (groups + later).joined() { desk.tell(item) }
                if let caughtUp = mail.caughtUp { desk.admit(caughtUp) }
                if desk.isEmpty, !mail.joins.isEmpty {
                    ledger.feed.follow { items in
                        if queue.offer(items) == .full { missed.note() }
                    }
                }
                for joining in mail.joins { desk.join(joining) }
                let began = ContinuousClock.now
                desk.flush(mail.rooms, began)
                if desk.isEmpty { ledger.feed.follow(nil) }
                Self.rest(after: ContinuousClock.now - began)
            }
        }
    }

    /// Lets others work three times as long as telling took, within a bound: with many watchers
    /// there is always one that takes more, and the longer it waits the more is told at once.
    private static func rest(after work: Duration) {
        let rest = min(work * 3, .milliseconds(MethodLimits.watchRestMilliseconds))
        // Not worth going to sleep for.
        guard rest >= .microseconds(100) else { return }
        usleep(UInt32(rest / .microseconds(1)))
    }

    /// Begins to watch; false where too many wait for that.
    func join(_ joining: Joining) -> Bool {
        guard waiting.enter() else { return false }
        inbox.change { $0.joins.append(joining) }
        queue.nudge()
        return true
    }

    /// What pushes to where `ticket` would be answered, and wakes this when there is room again.
    func pusher(to ticket: ReplyTicket, of session: Session) -> Pusher {
        let id = session.id
        return Pusher(to: ticket, of: session) { [queue, inbox] in
            let isFirst = inbox.change { mail in
                mail.rooms.append(id)
                return mail.rooms.count == 1
            }
            if isFirst { queue.nudge() }
        }
    }

    func stop() {
        isStopping.set()
        queue.close()
        thread.join()
        orders.close()
        catchUpThread.join()
    }
}

/// What the hub hears beside the feed; a burst of joins must not take the feed's place.
private final class WatchInbox: Sendable {
    struct Mail: Sendable {
        var joins: [WatchHub.Joining] = []
        /// Sessions that take more.
        var rooms: [UInt64] = []
        var caughtUp: CaughtUp?
    }

    private let mail = Mutex(Mail())

    func change<Result: Sendable>(_ body: (inout Mail) -> Result) -> Result {
        mail.withLock { mail in body(&mail) }
    }

    func takeAll() -> Mail {
        mail.withLock { mail in
            defer { mail = Mail() }
            return mail
        }
    }
}

/// Counts the joins that wait for their answer.
private final class WaitingJoins: Sendable {
    private let count = Atomic<Int>(0)

    /// Whether one more may wait.
    func enter() -> Bool {
        if count.add(1, ordering: .relaxed).newValue <= MethodLimits.watchJoinsMax { return true }
        leave()
        return false
    }

    func leave() { count.subtract(1, ordering: .relaxed) }
}

/// Whether a group found no room, and nobody was told of it.
private final class MissedGroups: Sendable {
    private let flag = Atomic<Bool>(false)

    func note() { flag.store(true, ordering: .releasing) }
    func take() -> Bool { flag.exchange(false, ordering: .acquiringAndReleasing) }
}

/// Whether the hub is to end.
private final class StopMark: Sendable {
    private let flag = Atomic<Bool>(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }
    func set() { flag.store(true, ordering: .releasing) }
}
