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
    /// The least number of bytes per second; more if a round would otherwise take too long.
    var bytesPerSecond = LedgerLimits.scrubBytesPerSecond
    /// How long after the start the first round begins.
    var firstMilliseconds = LedgerLimits.scrubFirstMilliseconds
    /// The least time between the beginnings of two rounds.
    var roundMilliseconds = LedgerLimits.scrubRoundMilliseconds
}

/// The progress and the findings of the scrub.
package struct ScrubFigures: Sendable, Hashable {
    /// Bytes read since the start.
    package var bytes: UInt64 = 0
    /// Rounds that were completed.
    package var rounds: UInt64 = 0
    /// When the last round was completed; nil before the first.
    package var lastRound: Moment?
    /// Bytes a second, in the round under way or the last one.
    package var bytesPerSecond = 0
    /// The damage that the last look at each place found; one sentence each.
    package var damage: [ScrubPlace: String] = [:]
}

/// What a scrub reports.
package enum ScrubReport: Sendable, Hashable {
    /// A round was completed, and this many bytes were read.
    case round(bytes: Int)
    /// Stored bytes are damaged.
    ///
    /// Damage of the views ends the process. Base and journal are needed only for histories,
    /// exports, erasures and restores.
    case damaged(ScrubPlace, String)
    /// A place could not be read; the next round tries again.
    case failed(String)
}

extension Ledger {
    /// Reads the views, the base and every journal segment again and again, slowly and at low
    /// priority, to find damage before the damaged data are needed.
    ///
    /// - Parameters:
    ///   - pace: how fast it reads.
    ///   - onReport: called on the scrub's thread; the same damage is reported once.
    /// - Throws: if the system gives no thread.
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

    /// Starts scrubbing at the usual pace.
    package func startScrubbing(
        onReport: @escaping @Sendable (ScrubReport) -> Void
    ) throws(LedgerFailure) {
        try startScrubbing(ScrubPace(), onReport: onReport)
    }

    /// The progress and the findings of the scrub.
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

    /// About how many bytes a round reads.
    private static func bytesTotal(_ views: Views, _ base: Base, _ journal: any Journal) -> Int {
        let info = try? views.environment.info()
        let used = info.map { $0.pageBytes * ($0.lastPage + 1) } ?? 0
        let baseBytes = (try? base.look { try $0.usedBytes() }) ?? 0
        return used + baseBytes + ((try? journal.bytes()) ?? 0)
    }
}

/// The figures, and the damage that was reported already.
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

/// Keeps the pace: waits as long as reading should have taken at that pace.
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
        // The pauses get three quarters of the time, because reading itself takes time.
        bytesPerSecond = max(1, pace.bytesPerSecond, bytesTotal / max(1, seconds * 3 / 4))
        state.change { [bytesPerSecond] in $0.bytesPerSecond = bytesPerSecond }
    }

    /// Waits as the pace requires for `bytes`; false if the thread must end.
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

/// One round of the scrub.
private struct ScrubRound {
    /// The first page after the meta pages.
    private static let firstPage = 2

    let views: Views
    let base: Base
    let journal: any Journal
    let pause: ScrubPause
    let onReport: (ScrubReport) -> Void
    /// How many bytes were read.
    private(set) var bytes = 0

    /// Reads everything once; false if it was told to end.
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

    /// Reads the journal piece by piece; after a damaged piece it continues with the next.
    ///
    /// It must begin where the base ends, or before: from both the tables can be made anew.
    private mutating func readJournal(_ found: inout String?) throws -> Bool {
        var isEnding = false
        var first: String?
        var begins: UInt64?
        let onReport = onReport
        try journal.read(after: nil, through: .max) { damage in
            onReport(.damaged(.journal, damage))
            first = first ?? damage
            return true
        } _: { group, _ in
            begins = begins ?? group.firstSeq
            isEnding = !take(group.bytes)
            return !isEnding
        }
        // The base grows before what it has is dropped.
        if first == nil, let begins, begins > base.seq + 1 {
            first = "entries \(base.seq + 1) to \(begins - 1) are in neither journal nor base"
        }
        found = first
        return !isEnding
    }
}

extension Views {
    /// Checks some rows of `table` from `start` on: each must be undamaged, in key order, and found
    /// by a look-up from the root.
    ///
    /// - Returns: how many bytes were checked, and the key of the last row, nil at the end. The
    ///   next piece begins with that row, so that its order with its neighbour is checked too.
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
