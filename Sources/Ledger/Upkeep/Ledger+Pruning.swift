import Entitlements
import Glibc
import Journal
import LMDB
import Synchronization
import Threads

/// The result of a pruning.
package enum PruneReport: Sendable, Hashable {
    /// No segment is old enough, or a message in the first one waits for its store.
    case nothing
    /// The pruning was put off, because an erasure is unfinished or the process is ending.
    case later
    /// Too little space: this many bytes must be free.
    case noSpace(neededBytes: Int)
    /// Segments were removed; the base replaces everything up to the border.
    case pruned(segments: Int, border: HistoryBorder)
}

/// The steps of a pruning; tests copy the directory at each step, to simulate a crash.
enum PruneStep: Sendable {
    /// The base absorbed some entries.
    case absorbed
    /// The base was read and compared with the views.
    case checked
    /// A segment was removed.
    case removed
}

extension Ledger {
    /// Removes the oldest segments of the journal in which every entry is older than `moment`,
    /// after the base has absorbed them.
    ///
    /// This is done in steps: the base absorbs as many bytes of the journal as it has itself, is
    /// checked, and then those segments are removed. To be called on its own thread; the writer and
    /// the RPC threads do not wait for it.
    func prune(
        olderThan moment: Moment,
        reserveBytes: Int = LedgerLimits.pruneReserveBytes,
        stepBytesMin: Int = LedgerLimits.pruneStepBytesMin,
        isEnding: () -> Bool = { false },
        onStep: (PruneStep) -> Void = { _ in }
    ) throws(LedgerFailure) -> PruneReport {
        do throws(any Error) {
            let stored = try views.environment.read { try views.appliedState($0) }
            // A clock that is far ahead must not empty the journal of a ledger that was idle for
            // long.
            let edge = min(moment, stored.at)
            // Most often nothing is old enough: then nobody looks for what waits.
            let old = DropExtent(olderThan: edge.milliseconds, through: stored.seq)
            guard try journal.drop(old, isDryRun: true, onEach: {}) != nil else { return .nothing }
            let through = try lastEntryToGo(through: stored.seq, isEnding)
            var removed = 0
            while true {
                let step = max(stepBytesMin, try base.look { try $0.usedBytes() } ?? 0)
                let extent = DropExtent(
                    olderThan: edge.milliseconds,
                    through: through,
                    within: step
                )
                guard let last = try journal.drop(extent, isDryRun: true, onEach: {})?.lastSeq
                else { break }
                let needed = try bytesNeeded() + reserveBytes
                guard base.freeBytes >= needed else {
                    if removed > 0 { break }
                    return .noSpace(neededBytes: needed)
                }
                guard try advanceBase(through: last, isEnding, onStep),
                    try base.check(against: views, madeBy: rules, isEnding)
                else {
                    if removed > 0 { break }
                    return .later
                }
                onStep(.checked)
                guard let pieces = try drop(edge, through: last, onStep) else {
                    if removed > 0 { break }
                    return .later
                }
                removed += pieces
            }
            guard removed > 0, let border = base.border else { return .nothing }
            return .pruned(segments: removed, border: border)
        } catch {
            throw LedgerFailure(error)
        }
    }

    /// The last entry up to `seq` that may go: those from the first message on that waits for its
    /// store stay.
    ///
    /// Only the entry says what the store is to be asked. A message waits for 180 days at most, so
    /// it holds up a pruning for no longer. Returns 0 if it was told to end.
    private func lastEntryToGo(through seq: UInt64, _ isEnding: () -> Bool) throws -> UInt64 {
        let reader = try LedgerReader(self)
        var last = seq
        var place: NotificationID?
        repeat {
            if isEnding() { return 0 }
            let page = try reader.announcements(after: place)
            reader.rest()
            for (seq, _) in page.waiting { last = min(last, seq - 1) }
            place = page.next
        } while place != nil
        return last
    }

    /// Removes the segments up to the entry `last`, which the base has; returns how many, nil if
    /// that must wait.
    private func drop(
        _ edge: Moment,
        through last: UInt64,
        _ onStep: (PruneStep) -> Void
    ) throws -> Int? {
        try erasures.segments.withLock { _ in
            // An erasure may have begun since the base absorbed them: base and journal must lose
            // the same names.
            if erasures.isMarked { return nil }
            let extent = DropExtent(olderThan: edge.milliseconds, through: last)
            return try journal.drop(extent, isDryRun: false) { onStep(.removed) }?.pieces ?? 0
        }
    }

    /// Advances the base up to the entry `last`; returns false if that must wait.
    private func advanceBase(
        through last: UInt64,
        _ isEnding: () -> Bool,
        _ onStep: (PruneStep) -> Void
    ) throws -> Bool {
        while base.seq < last {
            if isEnding() { return false }
            let isHeldUp = try erasures.segments.withLock { _ in
                // The base must not absorb names that are about to be removed from the journal.
                if erasures.isMarked { return true }
                _ = try base.advance(through: last, of: journal, under: policy.source)
                return false
            }
            if isHeldUp { return false }
            onStep(.absorbed)
        }
        return true
    }

    /// By how many bytes the base may grow.
    ///
    /// It never becomes larger than the views, except for the pages that a transaction leaves free.
    private func bytesNeeded() throws -> Int {
        let info = try views.environment.info()
        let used = info.pageBytes * (info.lastPage + 1)
        return max(0, used - (try base.look { try $0.usedBytes() } ?? 0))
    }

    /// Where the kept history begins; nil if nothing was pruned.
    package var border: HistoryBorder? { base.border }

    /// Prunes what is older than `days`, now and once a day, until the ledger ends.
    ///
    /// - Parameters:
    ///   - days: how long entries are kept at least.
    ///   - onReport: called on the pruner's thread with each result.
    /// - Throws: if the system gives no thread.
    package func startPruning(
        olderThanDays days: Int,
        onReport: @escaping @Sendable (Result<PruneReport, LedgerFailure>) -> Void
    ) throws(LedgerFailure) {
        do throws(ThreadFailure) {
            let pruner = try Pruner(clock) { now, isEnding in
                let now = min(now, self.age.now)
                let edge = Moment(now.milliseconds - Int64(days) * 86_400_000)
                onReport(
                    Result { () throws(LedgerFailure) in
                        try self.prune(olderThan: edge, isEnding: isEnding)
                    }
                )
            }
            workers.add(pruner)
        } catch {
            throw LedgerFailure(error)
        }
    }
}

/// Runs a pruning once a day, on a thread of low priority.
final class Pruner: Workers.Worker {
    private let end = BlockingQueue<Bool>(countMax: 1)
    private let isEnding = Ending()
    private let thread: NamedThread

    init(
        _ clock: LedgerClock,
        _ prune: @escaping @Sendable (Moment, () -> Bool) -> Void
    ) throws(ThreadFailure) {
        let (end, isEnding) = (end, isEnding)
        thread = try NamedThread(named: "pruner", niceness: LedgerLimits.prunerNiceness) {
            var wait: Int64 = 0
            var pace = PrunePace(clock)
            while end.take(1, waiting: wait) != nil {
                wait = LedgerLimits.pruneEveryMilliseconds
                if let now = pace.now(clock) { prune(now) { isEnding.isSet } }
            }
        }
    }

    func stop() {
        isEnding.set()
        end.close()
        thread.join()
    }
}

/// Decides whether the clock can be trusted for a pruning.
///
/// Removed segments cannot be restored, so a wall clock that has jumped since the last look is not
/// trusted until the next one.
struct PrunePace {
    private var wall: Int64
    private var monotonic: Int64

    init(_ clock: LedgerClock) { (wall, monotonic) = (clock.wall(), clock.monotonic()) }

    mutating func now(_ clock: LedgerClock) -> Moment? {
        let before = (wall: wall, monotonic: monotonic)
        (wall, monotonic) = (clock.wall(), clock.monotonic())
        let strayed = (wall - before.wall) - (monotonic - before.monotonic)
        return abs(strayed) > LedgerLimits.clockJumpMilliseconds ? nil : Moment(wall)
    }
}

extension Base {
    /// Checks every row of the base, before the segments that could rebuild it are removed.
    ///
    /// A row that has not changed since must equal that of the views, byte for byte. If older
    /// `rules` made some of the views, it must agree in what rules cannot change.
    ///
    /// Reads page by page, so that no other reader of the base waits long. Returns false if it was
    /// told to end.
    func check(
        against views: Views,
        madeBy rules: UInt32,
        _ isEnding: () -> Bool
    ) throws -> Bool {
        for table in TableName.allCases {
            var next: [UInt8]? = []
            while let start = next {
                if isEnding() { return false }
                next = try check(table, from: start, against: views, madeBy: rules)
            }
        }
        try flush()
        return true
    }

    /// Checks one page; returns where the next begins.
    private func check(
        _ table: TableName,
        from start: [UInt8],
        against views: Views,
        madeBy rules: UInt32
    ) throws -> [UInt8]? {
        let page = try look { rows in
            var page: [(key: [UInt8], lastSeq: UInt64?, sealed: [UInt8])] = []
            try rows.snapshot.walk(table, from: start) { key, sealed in
                let row = try table.row.init(key: key, sealed: sealed)
                page.append((Array(key), row.lastSeq, Array(sealed)))
                return page.count < LedgerLimits.pageRowsMax
            }
            return page
        }
        guard let page, let last = page.last else { return nil }
        try views.environment.read { transaction in
            for (key, lastSeq, sealed) in page {
                guard let lastSeq, let other = try transaction.get(key, in: views.table(table))
                else { continue }
                let now = try key.withUnsafeBytes { try table.row.init(key: $0, sealed: other) }
                guard now.lastSeq == lastSeq, !other.elementsEqual(sealed) else { continue }
                if rules != Rules.version {
                    let kept = try table.row.init(key: key, value: sealed.dropLast(Seal.bytes))
                    if now.agreesBesideRules(withAny: kept) { continue }
                }
                throw LedgerFailure.damaged("base: a row of \(table.rawValue) is not what it was")
            }
        }
        return page.count < LedgerLimits.pageRowsMax ? nil : last.key + [0]
    }
}
