import DequeModule
import Entitlements
import JSON
import Ledger
import Synchronization
import Threads
import Wire

/// The hub's thread at work: who watches, what they are told, and who is to be looked at.
final class WatchDesk {
    private typealias Newcomer = (joining: WatchHub.Joining, watcher: Watcher)

    private let reader: LedgerReader
    private let figures: WatchFigures
    private let now: @Sendable () -> Moment
    /// Has what was missed read.
    private let ask: (CatchUpOrder) -> Void
    /// Called once for each join that needs no answer any more.
    private let finished: () -> Void

    private var watchers: [UInt64: Watcher] = [:]
    /// Those of them who hear of everybody.
    private var everybody: [UInt64: Watcher] = [:]
    /// The watchers that hear of some users only, also while they join.
    private var index = WatchIndex()
    /// What watchers of everybody are told.
    private let news = NewsLog(bytesMax: MethodLimits.watchKeptBytesMax)
    /// The end of `news` when all who take more were last looked at.
    private var lookedAt: UInt64 = 0
    private var seq: UInt64 = 0

    /// Joins that wait for the next read.
    private var pending: [WatchHub.Joining] = []
    /// Those whose past is being read: they note what is new from `readThrough` on.
    private var newcomers: [Newcomer] = []
    private var readThrough: UInt64 = 0
    /// Whether one of them hears of everybody.
    private var isReadForAll = false
    /// What was read for those who joined earlier, the oldest first.
    private var pasts: [WeakMissedNews] = []

    /// Watchers to be looked at in this round, or in one of the next.
    private var ready = ReadyWatchers()
    private var beats = BeatQueue()
    private var swept = ContinuousClock.now

    init(
        _ reader: LedgerReader,
        _ figures: WatchFigures,
        _ now: @escaping @Sendable () -> Moment,
        ask: @escaping (CatchUpOrder) -> Void,
        finished: @escaping () -> Void
    ) {
        self.reader = reader
        self.figures = figures
        self.now = now
        self.ask = ask
        self.finished = finished
    }

    var isEmpty: Bool { watchers.isEmpty && newcomers.isEmpty && pending.isEmpty }

    /// How long to wait for something new: heartbeats come in between.
    var patience: Int64? {
        if !ready.isEmpty { return 0 }
        return isEmpty ? nil : 1_000
    }

    /// Lets somebody in at once who asks for nothing that was before; others wait for what they
    /// missed.
    func join(_ joining: WatchHub.Joining) {
        if isEmpty {
            do throws(LedgerFailure) {
                try findPlace()
            } catch {
                finish(joining, .failure(RPCFailure(error)))
                return
            }
        }
        guard let from = joining.fromSeq, from != seq else {
            admit((joining, newWatcher(joining)), at: seq)
            return
        }
        let oldest = seq - min(seq, MethodLimits.watchEntriesMax)
        guard from < seq, from >= oldest else {
            let watcher = newWatcher(joining)
            watcher.begin(with: .resync(from > seq ? seq : oldest))
            admit((joining, watcher), at: seq)
            return
        }
        pending.append(joining)
    }

    /// Where the feed begins: with nobody there, nothing was followed.
    private func findPlace() throws(LedgerFailure) {
        defer { reader.rest() }
        reader.rest()
        try reader.wake()
        seq = max(seq, reader.seq)
    }

    /// Lets those in whose past was read: first they are told that, then what is new.
    func admit(_ caughtUp: CaughtUp) {
        let admitted = newcomers
        newcomers = []
        isReadForAll = false
        switch caughtUp.result.value {
        case .failure(let failure):
            for newcomer in admitted {
                index.remove(newcomer.watcher)
                finish(newcomer.joining, .failure(RPCFailure(failure)))
            }
        case .success(let past):
            keep(past)
            for (newcomer, missed) in zip(admitted, past.missed) {
                newcomer.watcher.begin(with: missed, of: past)
                admit(newcomer, at: readThrough)
            }
        }
    }

    /// What waits for all who have joined is bounded: whoever was told the least of the oldest must
    /// begin again.
    private func keep(_ past: MissedNews) {
        pasts.removeAll { $0.past == nil }
        var bytes = pasts.reduce(past.bytes) { $0 + ($1.past?.bytes ?? 0) }
        while bytes > MethodLimits.watchPastBytesMax, let oldest = pasts.first?.past {
            bytes -= oldest.bytes
            oldest.lose()
            pasts.removeFirst()
        }
        pasts.append(WeakMissedNews(past: past))
    }

    private func admit(_ newcomer: Newcomer, at place: UInt64) {
        let watcher = newcomer.watcher
        guard watcher.isOpen else {
            index.remove(watcher)
            finished()
            return
        }
        if let earlier = watchers[watcher.id] { leave(earlier) }
        watchers[watcher.id] = watcher
        if !watcher.isChoosy { everybody[watcher.id] = watcher }
        let now = now().milliseconds
        watcher.admit(at: now)
        beats.append(watcher.id, due: now + MethodLimits.heartbeatMilliseconds)
        finish(newcomer.joining, .success(place))
        lookAt(watcher)
    }

    private func finish(_ joining: WatchHub.Joining, _ result: Result<UInt64, RPCFailure>) {
        finished()
        joining.answer(result)
    }

    private func newWatcher(_ joining: WatchHub.Joining) -> Watcher {
        let log = joining.users == nil ? news : nil
        let watcher = Watcher(joining.pusher, of: log, charged: joining.hold)
        if let users = joining.users { index.insert(watcher, for: users) }
        return watcher
    }

    private func leave(_ watcher: Watcher) {
        if watchers[watcher.id] === watcher {
            watchers[watcher.id] = nil
            everybody[watcher.id] = nil
        }
        index.remove(watcher)
    }

    /// What one command changed, for everybody who wants to hear it.
    func tell(_ item: FeedItem) {
        guard item.seq > seq else { return }
        seq = item.seq
        if let version = item.catalogVersion { tell(.catalog(item.seq, version: version)) }
        for change in item.changes {
            let listeners = index.listeners(of: change.user)
            guard listeners != nil || isFollowedByAll, let told = item.announcement(of: change)
            else { continue }
            if isFollowedByAll { news.append(told) }
            listeners?.visit { note(told, for: $0) }
        }
    }

    /// Whether somebody hears of everybody, or will.
    private var isFollowedByAll: Bool { !everybody.isEmpty || isReadForAll }

    /// Tells everyone.
    private func tell(_ announcement: Announcement) {
        if isFollowedByAll { news.append(announcement) }
        forEachChoosy { note(announcement, for: $0) }
    }

    private func forEachChoosy(_ body: (Watcher) -> Void) {
        for watcher in watchers.values where watcher.isChoosy { body(watcher) }
        for newcomer in newcomers where newcomer.watcher.isChoosy { body(newcomer.watcher) }
    }

    private func note(_ announcement: Announcement, for watcher: Watcher) {
        figures.visits.add(1, ordering: .relaxed)
        watcher.note(announcement)
        lookAt(watcher)
    }

    private func lookAt(_ watcher: Watcher) {
        guard watcher.takesTurn() else { return }
        ready.append(watcher)
    }

    /// Groups were lost: everyone must ask for what they missed.
    func resyncAll(at seq: UInt64) {
        self.seq = max(self.seq, seq)
        news.lose()
        forEachChoosy { watcher in
            watcher.lose()
            lookAt(watcher)
        }
    }

    /// Sends what waits to those who take it: those with something new, those in `rooms`, who take
    /// more again, and those whose heartbeat is due.
    ///
    /// To so many at once, callers in turn: where one caller has thousands of watchers, those of
    /// others do not wait for all of them, and each of the thousands is told more at a time.
    func flush(_ rooms: [UInt64], _ clock: ContinuousClock.Instant) {
        let now = now().milliseconds
        for id in rooms {
            guard let watcher = watchers[id] else { continue }
            watcher.hasRoom()
            lookAt(watcher)
        }
        while let id = beats.next(due: now) {
            if let watcher = watchers[id], watcher.isBeatDue(now) { lookAt(watcher) }
        }
        if lookedAt != news.end {
            lookedAt = news.end
            for watcher in everybody.values { lookAt(watcher) }
        }
        for _ in 0..<MethodLimits.watchVisitsMax {
            guard let watcher = ready.next() else { break }
            visit(watcher, at: now)
        }
        if news.count > 0 { forgetTold() }
        sweep(clock)
        beginReading()
    }

    private func visit(_ watcher: Watcher, at now: Int64) {
        figures.visits.add(1, ordering: .relaxed)
        watcher.turnBegins()
        // It left, or a second call took its place.
        guard watchers[watcher.id] === watcher else { return }
        let lastBeat = watcher.lastBeat
        guard watcher.flush(seq, at: now) else {
            leave(watcher)
            return
        }
        if watcher.lastBeat != lastBeat {
            beats.append(watcher.id, due: now + MethodLimits.heartbeatMilliseconds)
        }
    }

    private func forgetTold() {
        var told = news.end
        for watcher in everybody.values { told = min(told, watcher.next) }
        for newcomer in newcomers where !newcomer.watcher.isChoosy {
            told = min(told, newcomer.watcher.next)
        }
        news.forget(before: told)
    }

    /// Once a second: whoever has closed the connection, and would be told nothing for long.
    private func sweep(_ clock: ContinuousClock.Instant) {
        guard clock - swept >= .seconds(1) else { return }
        swept = clock
        for watcher in watchers.values where !watcher.isOpen { leave(watcher) }
    }

    /// Has the past of those who wait read, all of them together.
    private func beginReading() {
        pending.removeAll { joining in
            guard !joining.pusher.isOpen else { return false }
            finished()
            return true
        }
        guard newcomers.isEmpty, !pending.isEmpty else { return }
        newcomers = pending.map { ($0, newWatcher($0)) }
        isReadForAll = pending.contains { $0.users == nil }
        readThrough = seq
        let members = pending.map { joining in
            CatchUpOrder.Member(
                session: joining.pusher.session,
                users: joining.users,
                from: joining.fromSeq ?? seq
            )
        }
        pending = []
        ask(CatchUpOrder(members: members, through: seq))
    }
}

/// Held by the watchers to whom it is still told.
private struct WeakMissedNews {
    weak var past: MissedNews?
}

/// Watchers with something new, each once: callers take turns, and those of one caller stand in
/// line.
private struct ReadyWatchers {
    private struct Line {
        let caller: UInt32
        var watchers: Deque<Watcher>
    }

    private var lines: [Line] = []
    private var turn = 0

    var isEmpty: Bool { lines.isEmpty }

    mutating func append(_ watcher: Watcher) {
        if let place = lines.firstIndex(where: { $0.caller == watcher.caller }) {
            lines[place].watchers.append(watcher)
        } else {
            lines.append(Line(caller: watcher.caller, watchers: [watcher]))
        }
    }

    mutating func next() -> Watcher? {
        if turn >= lines.count { turn = 0 }
        guard turn < lines.count else { return nil }
        let watcher = lines[turn].watchers.removeFirst()
        if lines[turn].watchers.isEmpty { lines.remove(at: turn) } else { turn += 1 }
        return watcher
    }
}

/// When heartbeats are due: all wait equally long, so the order in which they came is the order in
/// which they are due.
private struct BeatQueue {
    private var entries: Deque<(id: UInt64, due: Int64)> = []

    mutating func append(_ id: UInt64, due: Int64) { entries.append((id, due)) }

    /// Takes out the next one that is due at `now`; none is due later than by one wait, unless the
    /// clock was set back.
    mutating func next(due now: Int64) -> UInt64? {
        let latest = now + MethodLimits.heartbeatMilliseconds
        guard let first = entries.first, first.due <= now || first.due > latest else { return nil }
        entries.removeFirst()
        return first.id
    }
}

extension FeedItem {
    /// What is told of a change: the status, or what a store said where that changed none.
    fileprivate func announcement(of change: Change) -> Announcement? {
        if let status = status(after: change) {
            return .change(seq, change.user, change.cause, status)
        }
        return storeEvent(of: change.user).map { .event(seq, change.user, $0) }
    }

    /// The status after a change, all of it as of that moment; nil where it stayed equal.
    fileprivate func status(after change: Change) -> JSONObject? {
        let before = view(change.before, change, change.beforeAt, subscriptionsBefore).status
        let after = view(change.after, change, change.at, subscriptionsAfter).status
        return before.isEqualStatus(to: after) ? nil : after
    }

    private func view(
        _ account: Account?,
        _ change: Change,
        _ moment: Moment,
        _ known: [SubscriptionKey: Subscription]
    ) -> StatusView {
        StatusView(of: change.user, account: account, at: moment, under: policy, seq: seq) {
            known[$0]
        }
    }
}
