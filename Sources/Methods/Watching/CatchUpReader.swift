import Entitlements
import Ledger
import Synchronization
import Threads
import Wire

/// Reads what those who join have missed: each part of the journal once for all who join together,
/// and, for those who hear of everybody, once for those who join later, too.
///
/// Confined to its thread.
final class CatchUpReader {
    private let reader: LedgerReader
    private let figures: WatchFigures
    private let now: @Sendable () -> Moment
    private let isStopping: () -> Bool
    /// What was read for everybody.
    private var kept: Stretch?

    init(
        _ reader: LedgerReader,
        _ figures: WatchFigures,
        _ now: @escaping @Sendable () -> Moment,
        isStopping: @escaping () -> Bool
    ) {
        self.reader = reader
        self.figures = figures
        self.now = now
        self.isStopping = isStopping
    }

    /// How many milliseconds to wait for the next order before `forget`; nil where there is nothing
    /// to forget.
    var patience: Int64? { kept == nil ? nil : MethodLimits.catchUpKeptMilliseconds }

    /// Nobody has joined for long.
    func forget() { kept = nil }

    /// What each member of `order` has missed; those who have left meanwhile are told anything.
    func read(_ order: CatchUpOrder) -> CaughtUp {
        defer { reader.rest() }
        do throws(LedgerFailure) {
            return CaughtUp(result: Carried(.success(try past(order))))
        } catch {
            return CaughtUp(result: Carried(.failure(error)))
        }
    }

    private func past(_ order: CatchUpOrder) throws(LedgerFailure) -> MissedNews {
        let all = try stretchOfAll(order)
        let some = try stretchOfSome(order)
        var bytes = (all?.bytes ?? 0) + (some?.bytes ?? 0)
        let shared = all.map { $0.log { _ in true } }
        let missed = order.members.map { member -> Missed in
            guard let stretch = member.users == nil ? all : some else {
                return .resync(order.through)
            }
            guard member.from >= stretch.border else { return .resync(stretch.border) }
            guard let users = member.users else {
                guard let shared else { return .resync(order.through) }
                return .told(shared, first: stretch.number(after: member.from))
            }
            let own = stretch.log { news in
                news.seq > member.from && news.user.map { users.contains($0) } ?? true
            }
            bytes += own.count * MethodLimits.watchEntryBytes
            return .told(own, first: 0)
        }
        return MissedNews(missed, bytes: bytes)
    }

    /// What everybody is told who names no users, as far back as one of them asks.
    private func stretchOfAll(_ order: CatchUpOrder) throws(LedgerFailure) -> Stretch? {
        let all = order.members.filter { $0.users == nil && $0.session.isOpen }
        guard let first = all.map(\.from).min() else { return nil }
        let begun = kept.flatMap { $0.first <= first && $0.through <= order.through ? $0 : nil }
        // Let go of while it grows: it is changed in place.
        kept = nil
        var stretch = begun ?? Stretch(after: first)
        // Once begun it is read to its end: whoever leaves because it takes long comes again, and
        // would have it begin anew each time.
        let isRead = try extend(&stretch, through: order.through) { _ in
            true
        } goesOn: {
            true
        }
        guard isRead else { return nil }
        stretch.trim(entriesMax: MethodLimits.watchEntriesMax)
        kept = stretch
        return stretch
    }

    /// What those are told who name users, about all of these.
    private func stretchOfSome(_ order: CatchUpOrder) throws(LedgerFailure) -> Stretch? {
        let some = order.members.filter { $0.users != nil && $0.session.isOpen }
        guard let first = some.map(\.from).min() else { return nil }
        var stretch = Stretch(after: first)
        let isRead = try extend(&stretch, through: order.through) {
            order.names($0)
        } goesOn: {
            order.isForSome
        }
        guard isRead else { return nil }
        stretch.trim(entriesMax: MethodLimits.watchEntriesMax)
        return stretch
    }

    /// Reads on in the journal up to `last`.
    ///
    /// - Returns: false where nobody waits for it any more.
    private func extend(
        _ stretch: inout Stretch,
        through last: UInt64,
        of isAskedFor: (UserID) -> Bool,
        goesOn: () -> Bool
    ) throws(LedgerFailure) -> Bool {
        guard stretch.through < last else { return true }
        figures.reads.add(1, ordering: .relaxed)
        do throws(LedgerFailure) {
            let place = stretch.through
            reader.rest()
            let found = try reader.settled { () throws(LedgerFailure) in
                try reader.changes(
                    after: place,
                    through: last,
                    of: isAskedFor,
                    usersMax: MethodLimits.watchPastUsersMax,
                    while: { goesOn() && !isStopping() }
                )
            }
            guard let found else { return false }
            var news = TimedNews()
            news.note(found.border)
            for catalog in found.catalogs {
                news.append(.catalog(catalog.seq, version: catalog.version), at: .distantPast)
            }
            for user in found.users {
                guard goesOn(), !isStopping() else { return false }
                // A view that is held long keeps old pages.
                reader.rest()
                try add(user, after: max(place, news.border), found, to: &news)
            }
            stretch.add(news, through: last)
        } catch {
            guard case .gone = error else { throw error }
            // Pruned or erased meanwhile.
            stretch = Stretch(after: stretch.first)
            stretch.add(TimedNews(border: last), through: last)
        }
        return true
    }

    /// Adds what `changes` told of one user behind `first`.
    private func add(
        _ user: UserID,
        after first: UInt64,
        _ changes: JournalChanges,
        to news: inout TimedNews
    ) throws(LedgerFailure) {
        figures.pasts.add(1, ordering: .relaxed)
        // What is not noted yet, or was noted later, the hub tells.
        let (turns, border) = try reader.notedTurns(
            of: user,
            after: first,
            in: changes,
            now()
        )
        news.note(border)
        for turn in turns {
            if turn.isVisible {
                news.append(.change(turn.seq, user, turn.cause, turn.after.status), at: turn.at)
            } else if let event = turn.storeEvent {
                news.append(.event(turn.seq, user, event), at: turn.at)
            }
        }
    }
}

/// What was told, in whatever order it was found.
private struct TimedNews {
    private(set) var items: [(at: Moment, news: Announcement)] = []
    private var bytes = 0
    /// Up to here it is not known.
    private(set) var border: UInt64 = 0

    init(border: UInt64 = 0) { self.border = border }

    mutating func note(_ border: UInt64) { self.border = max(self.border, border) }

    mutating func append(_ news: Announcement, at moment: Moment) {
        guard news.seq > border else { return }
        items.append((moment, news))
        bytes += news.bytesCount + MethodLimits.watchEntryBytes
        // The oldest go: those who need them must begin again.
        guard bytes > MethodLimits.watchPastBytesMax else { return }
        items = sorted
        var dropped = 0
        // A good part at once, so that it is not sorted for each one.
        while bytes > MethodLimits.watchPastBytesMax / 4 * 3, dropped < items.count {
            bytes -= items[dropped].news.bytesCount + MethodLimits.watchEntryBytes
            dropped += 1
        }
        border = items[dropped - 1].news.seq
        items.removeFirst(dropped)
        // The rest of its last position goes with it.
        while let first = items.first?.news, first.seq <= border {
            bytes -= first.bytesCount + MethodLimits.watchEntryBytes
            items.removeFirst()
        }
    }

    /// In the order in which it was told: of what one tick tells the earlier end is told first.
    var sorted: [(at: Moment, news: Announcement)] {
        items.enumerated()
            .sorted { left, right in
                (left.element.news.seq, left.element.at, left.offset)
                    < (right.element.news.seq, right.element.at, right.offset)
            }
            .map(\.element)
    }
}

/// What was told between two positions, in order.
private struct Stretch {
    /// After which position it was asked for.
    let first: UInt64
    /// After which it is known.
    private(set) var border: UInt64
    private(set) var through: UInt64
    private(set) var news: [Announcement] = []
    private(set) var bytes = 0

    init(after first: UInt64) {
        self.first = first
        border = first
        through = first
    }

    mutating func add(_ more: TimedNews, through last: UInt64) {
        if more.border > through { lose(through: more.border) }
        for item in more.sorted where item.news.seq > border {
            news.append(item.news)
            bytes += Self.bytes(of: item.news)
        }
        through = last
    }

    /// Drops what nobody may ask for any more, and what is too much.
    mutating func trim(entriesMax: UInt64) {
        lose(through: through - min(through, entriesMax))
        var (left, place) = (bytes, border)
        for item in news where left > MethodLimits.watchPastBytesMax {
            left -= Self.bytes(of: item)
            place = item.seq
        }
        lose(through: place)
    }

    private mutating func lose(through place: UInt64) {
        guard place > border else { return }
        border = place
        let dropped = news.firstIndex { $0.seq > place } ?? news.count
        for item in news[..<dropped] { bytes -= Self.bytes(of: item) }
        news.removeFirst(dropped)
    }

    /// Where in the log of all of it stands what follows a position.
    func number(after seq: UInt64) -> UInt64 {
        var (low, high) = (0, news.count)
        while low < high {
            let middle = (low + high) / 2
            if news[middle].seq <= seq { low = middle + 1 } else { high = middle }
        }
        return UInt64(low)
    }

    func log(of isTold: (Announcement) -> Bool) -> NewsLog {
        let log = NewsLog(bytesMax: .max)
        for item in news where isTold(item) { log.append(item) }
        return log
    }

    private static func bytes(of item: Announcement) -> Int {
        item.bytesCount + MethodLimits.watchEntryBytes
    }
}
