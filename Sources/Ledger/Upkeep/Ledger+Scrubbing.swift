import Entitlements
import Glibc
import Journal
import LMDB
import Synchronization
import Threads

/// What a scrub reads, in this order.
package enum ScrubPlace: String, CaseIterable, Sendable {
    case views
    case base
    case journal
}

/// How fast a scrub reads.
struct ScrubPace: Sendable {
    /// At least so many bytes in a second; more where a round would take too long.
    var bytesPerSecond = LedgerLimits.scrubBytesPerSecond
    /// How long after the start the first round begins.
    var firstMilliseconds = LedgerLimits.scrubFirstMilliseconds
    /// From the beginning of a round to that of the next, at least.
    var roundMilliseconds = LedgerLimits.scrubRoundMilliseconds
}

/// What the scrub does and found.
package struct ScrubFigures: Sendable, Hashable {
    /// Bytes read since the start.
    package var bytes: UInt64 = 0
    /// Rounds that came to their end.
    package var rounds: UInt64 = 0
    /// When the last of them did; nil before any.
    package var lastRound: Moment?
    /// Bytes a second, in the round under way or the last one.
    package var bytesPerSecond = 0
    /// What is wrong, by place, as of the last look at it; one sentence each.
    package var damage: [ScrubPlace: String] = [:]
}

/// What a scrub tells of.
package enum ScrubReport: Sendable, Hashable {
    /// A round came to its end; so many bytes were read.
    case round(bytes: Int)
    /// Something is not what was written. Damage of the views ends the process; histories, exports,
    /// erasures and restores alone need the rest.
    case damaged(ScrubPlace, String)
    /// A look could not be taken; the next round tries again.
    case failed(String)
}

extension Ledger {
    /// Reads the views, the base and every segment of the journal again and again, at a low
    /// priority and a pace, so that rot is found before somebody needs what it took.
    ///
    /// - Parameters:
    ///   - pace: how fast.
    ///   - onReport: called on the scrub's thread; the same damage is told of once.
    /// - Throws: where the system gives no thread.
    func startScrubbing(
        _ pace: ScrubPace,
        onReport: @escaping @Sendable (ScrubReport) -> Void
    ) throws(LedgerFailure) {
        do throws(ThreadFailure) {
            workers.add(try Scrubber(self, pace, onReport))
        } catch {
            throw LedgerFailure(error)
        }
    }

    /// The same at the usual pace.
    package func startScrubbing(
        onReport: @escaping @Sendable (ScrubReport) -> Void
    ) throws(LedgerFailure) {
        try startScrubbing(ScrubPace(), onReport: onReport)
    }

    /// What the scrub does and found.
    package var scrubFigures: ScrubFigures {
        workers.first(Scrubber.self)?.figures ?? ScrubFigures()
    }
}

/// The thread that scrubs.
final class Scrubber: Workers.Worker {
    private let end = BlockingQueue<Bool>(countMax: 1)
    private let state = ScrubState()
    private let thread: NamedThread

    fileprivate init(
        _ ledger: Ledger,
        _ pace: ScrubPace,
        _ onReport: @escaping @Sendable (ScrubReport) -> Void
    ) throws(ThreadFailure) {
        let (end, state) = (end, state)
        let (views, base, journal) = (ledger.views, ledger.base, ledger.journal)
        let clock = ledger.clock
        thread = try NamedThread(named: "scrub", niceness: LedgerLimits.prunerNiceness) {
            var wait = pace.firstMilliseconds
            while end.take(1, waiting: wait) != nil {
                let began = clock.monotonic()
                let total = Scrubber.bytesTotal(views, base, journal)
                var round = ScrubRound(
                    views: views,
                    base: base,
                    journal: journal,
                    pause: ScrubPause(end, state, pace, bytesTotal: total),
                    onReport: { report in if state.isNews(report) { onReport(report) } }
                )
                guard round.run(state) else { return }
                state.change { figures in
                    figures.rounds += 1
                    figures.lastRound = Moment(clock.wall())
                }
                onReport(.round(bytes: round.bytes))
                wait = max(0, pace.roundMilliseconds - (clock.monotonic() - began))
            }
        }
    }

    var figures: ScrubFigures { state.figures }

    func stop() {
        end.close()
        thread.join()
    }

    /// What a round reads, about.
    private static func bytesTotal(_ views: Views, _ base: Base, _ journal: any Journal) -> Int {
        let info = try? views.environment.info()
        let used = info.map { $0.pageBytes * ($0.lastPage + 1) } ?? 0
        let baseBytes = (try? base.look { try $0.usedBytes() }) ?? 0
        return used + baseBytes + ((try? journal.bytes()) ?? 0)
    }
}

/// The figures, and what was told of.
private final class ScrubState: Sendable {
    private let kept = Mutex((figures: ScrubFigures(), told: Set<ScrubReport>()))

    var figures: ScrubFigures { kept.withLock { $0.figures } }

    func change(_ body: (inout ScrubFigures) -> Void) { kept.withLock { body(&$0.figures) } }

    func isNews(_ report: ScrubReport) -> Bool {
        kept.withLock {
            $0.told.count < LedgerLimits.scrubFindingsMax && $0.told.insert(report).inserted
        }
    }
}

/// Keeps the pace: waits as long as what was read should take.
private final class ScrubPause {
    private let end: BlockingQueue<Bool>
    private let state: ScrubState
    private let bytesPerSecond: Int
    private var owed = 0

    init(
        _ end: BlockingQueue<Bool>,
        _ state: ScrubState,
        _ pace: ScrubPace,
        bytesTotal: Int
    ) {
        self.end = end
        self.state = state
        let seconds = Int(max(1, pace.roundMilliseconds / 1_000))
        // Three quarters of the time: reading takes some, too.
        bytesPerSecond = max(1, pace.bytesPerSecond, bytesTotal / max(1, seconds * 3 / 4))
        state.change { [bytesPerSecond] in $0.bytesPerSecond = bytesPerSecond }
    }

    /// Waits for so many bytes; false where the thread is to end.
    func take(_ bytes: Int) -> Bool {
        state.change { $0.bytes += UInt64(bytes) }
        owed += bytes
        let milliseconds = Int64(owed) * 1_000 / Int64(bytesPerSecond)
        guard milliseconds >= LedgerLimits.scrubPauseMilliseconds else {
            return end.take(1, waiting: 0) != nil
        }
        owed = 0
        return end.take(1, waiting: milliseconds) != nil
    }
}

/// One round.
private struct ScrubRound {
    /// Behind the meta pages.
    private static let firstPage = 2

    let views: Views
    let base: Base
    let journal: any Journal
    let pause: ScrubPause
    let onReport: (ScrubReport) -> Void
    /// What was read.
    private(set) var bytes = 0

    init(
        views: Views,
        base: Base,
        journal: any Journal,
        pause: ScrubPause,
        onReport: @escaping (ScrubReport) -> Void
    ) {
        self.views = views
        self.base = base
        self.journal = journal
        self.pause = pause
        self.onReport = onReport
    }

    /// Reads everything once; false where it was told to end.
    mutating func run(_ state: ScrubState) -> Bool {
        for place in ScrubPlace.allCases {
            var found: String?
            do {
                let isWhole =
                    switch place {
                    case .views: try readViews()
                    case .base: try readBase()
                    case .journal: try readJournal(&found)
                    }
                guard isWhole else { return false }
            } catch {
                let failure = LedgerFailure(error)
                guard case .damaged(let what) = failure else {
                    onReport(.failed("\(failure)"))
                    continue
                }
                found = place == .views && !what.contains("data.mdb") ? "data.mdb: \(what)" : what
            }
            state.change { $0.damage[place] = found }
            if let found { onReport(.damaged(place, found)) }
        }
        return true
    }

    private mutating func take(_ count: Int) -> Bool {
        bytes += count
        return pause.take(count)
    }

    private mutating func readViews() throws -> Bool {
        var page: Int? = Self.firstPage
        while let start = page {
            let piece = try views.environment.comparePages(
                from: start,
                bytesMax: LedgerLimits.scrubPieceBytes
            )
            page = piece.next
            guard take(piece.bytes) else { return false }
        }
        for table in TableName.allCases {
            var next: [UInt8]? = []
            while let start = next {
                let piece = try views.environment.read { transaction in
                    try views.scrub(table, from: start, transaction)
                }
                next = piece.next
                guard take(piece.bytes) else { return false }
            }
        }
        return true
    }

    private mutating func readBase() throws -> Bool {
        do {
            var page: Int? = Self.firstPage
            while let start = page {
                let piece = try base.look { rows in
                    try rows.views.environment.comparePages(
                        from: start,
                        bytesMax: LedgerLimits.scrubPieceBytes
                    )
                }
                guard let piece else { return true }
                page = piece.next
                guard take(piece.bytes) else { return false }
            }
            for table in TableName.allCases {
                var next: [UInt8]? = []
                while let start = next {
                    let piece = try base.look { rows in
                        try rows.views.environment.read { transaction in
                            try rows.views.scrub(table, from: start, transaction)
                        }
                    }
                    guard let piece else { return true }
                    next = piece.next
                    guard take(piece.bytes) else { return false }
                }
            }
            return true
        } catch {
            throw Base.named(error)
        }
    }

    /// Piece by piece; what is wrong with one keeps nobody from reading the next.
    private mutating func readJournal(_ found: inout String?) throws -> Bool {
        var isEnding = false
        var first: String?
        let onReport = onReport
        try journal.read(after: nil, through: .max) { damage in
            onReport(.damaged(.journal, damage))
            first = first ?? damage
            return true
        } _: { group, _ in
            isEnding = !take(group.bytes)
            return !isEnding
        }
        found = first
        return !isEnding
    }
}

extension Views {
    /// Looks at some rows of `table` from `start` on: whether each is what was stored, stands in
    /// its order, and is where a look-up from the root finds it.
    ///
    /// - Returns: how many bytes were looked at, and the last row; the next piece begins with it,
    ///   so that the step from it to its neighbour is looked at too. Nil at the end.
    fileprivate func scrub(
        _ table: TableName,
        from start: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws -> (bytes: Int, next: [UInt8]?) {
        let place = self.table(table)
        return try transaction.withCursor(in: place) { cursor in
            var entry = start.isEmpty ? try cursor.first() : try cursor.seek(atOrAfter: start)
            var (bytes, count) = (0, 0)
            var before: [UInt8] = []
            while let (key, sealed) = entry {
                let name = Array(key)
                let found = try transaction.get(name, in: place)
                guard count == 0 || before.lexicographicallyPrecedes(name),
                    found?.baseAddress == sealed.baseAddress
                else {
                    let what = "a row of \(table.rawValue) is not found by its key"
                    throw LedgerFailure.damaged(what)
                }
                _ = try table.row.init(key: key, sealed: sealed)
                bytes += key.count + sealed.count
                count += 1
                if bytes >= LedgerLimits.scrubPieceBytes, count > 1 { return (bytes, name) }
                before = name
                entry = try cursor.next()
            }
            return (bytes, nil)
        }
    }
}
