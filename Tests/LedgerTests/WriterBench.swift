import Entitlements
import Journal
import LMDB
import Synchronization
import Testing
import Threads

@testable import Ledger

/// A writer put together by hand, that works on the test's own thread, batch after batch.
///
/// It is the daemon's writer on the daemon's files; only the segments are small, if nothing else is
/// said, records are kept more often, nobody returns leases at the start, and what is to be stored
/// is stored between two groups, not beside them.
final class WriterBench {
    /// Segments so small that a few groups fill one.
    static let smallLimits = JournalLimits(
        segmentBytesMax: 16 << 10,
        stepBytesMin: 4 << 10,
        stepBytesMax: 4 << 10
    )

    let views: Views
    let memtable: Memtable
    let checkpointer: Checkpointer
    let journal: SegmentWriter
    private let shared: SegmentJournal
    let pulse = LedgerPulse()
    let board: PolicyBoard
    let erasures: ErasureBook
    let writer: LedgerWriter

    /// Opens what is in `directory`: cuts the torn tail, replays what the views lack.
    init(
        _ directory: String,
        mapBytes: Int = 64 << 20,
        clock: LedgerClock = .system,
        source: Policy.Source = tariff(),
        catalog: @escaping CatalogReading = { _ in nil },
        notices: Notebook<LedgerNotice> = Notebook(),
        checkpoints: CheckpointLimits = CheckpointLimits(),
        limits: JournalLimits = smallLimits,
        pace: MilestonePace = .quick,
        onCheckpoint: @escaping @Sendable (CheckpointStep) -> Void = { _ in }
    ) throws {
        let environment = try Environment.open(
            directory: directory,
            options: .init(mapSizeBytes: mapBytes)
        )
        views = try Views(environment)
        let views = views
        let state = try environment.read { try views.appliedState($0) }
        memtable = Memtable(pulse, seq: state.seq)
        checkpointer = Checkpointer(
            views: views,
            memtable: memtable,
            pulse: pulse,
            limits: checkpoints,
            notify: { notices.note($0) },
            onStep: onCheckpoint
        )
        board = PolicyBoard(Policy(source, numbering: state.numbering))
        journal = try SegmentWriter.open(
            directory: directory + "/journal",
            appliedGroup: state.group,
            limits: limits
        )
        shared = SegmentJournal(journal)
        erasures = ErasureBook(directory: directory)
        writer = try LedgerWriter(
            views: views,
            memtable: memtable,
            checkpointer: checkpointer,
            journal: OpenJournal(
                shared,
                last: journal.last,
                groupBytesMax: limits.segmentBytesMax,
                tornTail: journal.tornTail
            ),
            board: board,
            pulse: pulse,
            clock: clock,
            age: AgeClock(clock),
            state: state,
            source: source,
            catalog: catalog,
            feed: LedgerFeed(),
            erasures: erasures,
            pace: pace,
            notify: { notices.note($0) }
        )
    }

    deinit {
        // The hook may hold what holds the journal.
        journal.onStep = nil
        do { try checkpointer.settle() } catch { Issue.record("the last checkpoint: \(error)") }
    }

    /// Finishes the erasures that wait, and tells of each step on the disk.
    func finishErasures(_ base: Base, onStep: ((JournalStep) -> Void)? = nil) throws {
        journal.onStep = onStep
        defer { journal.onStep = nil }
        try erasures.finish(base, shared, beside: views)
    }

    /// The rows as a reader sees them.
    func storedRows() throws -> StoredRows { try Snapshot(views, memtable).storedRows() }

    /// Writes what `next` hands out, each batch once the one before is answered, until it answers
    /// nil; `next` is handed the answers of the batch before.
    ///
    /// - Returns: why the writer gave up, if it did.
    func run(
        _ next: @escaping @Sendable ([Said]) -> [WriteOrder.Kind]?
    ) -> LedgerFailure? {
        let gaveUp = Notebook<LedgerFailure>()
        let pump = Pump(next)
        pump.feed([])
        writer.run(pump.queue) { gaveUp.note($0) }
        return gaveUp.notes.first
    }

    /// Writes `batches` one after the other; answers what was said to each.
    func run(_ batches: [[WriteOrder.Kind]]) -> (said: [[Said]], gaveUp: LedgerFailure?) {
        let said = Notebook<[Said]>()
        let rest = Mutex(batches[...])
        let gaveUp = run { answers in
            if !answers.isEmpty { said.note(answers) }
            return rest.withLock { $0.popFirst() }
        }
        return (said.notes, gaveUp)
    }
}

extension MilestonePace {
    /// A record every few entries, so that short lives have some.
    static var quick: MilestonePace {
        var pace = MilestonePace()
        pace.entries = 3
        pace.firstEntries = 6
        pace.bytesPerEntry = 1 << 20
        pace.bytesMax = 2 << 10
        return pace
    }
}

extension CheckpointLimits {
    /// A checkpoint every few groups.
    static let often = CheckpointLimits(changesMax: 24, bytesMax: 1 << 20)
}

/// Hands the writer its next batch once the last one is answered.
private final class Pump: Sendable {
    let queue = WriteQueue(countMax: LedgerLimits.queueCommandsMax)
    private let next: @Sendable ([Said]) -> [WriteOrder.Kind]?
    private let open = Mutex<(count: Int, said: [Said])>((0, []))

    init(_ next: @escaping @Sendable ([Said]) -> [WriteOrder.Kind]?) { self.next = next }

    func feed(_ said: [Said]) {
        guard let batch = next(said), !batch.isEmpty else {
            queue.close()
            return
        }
        open.withLock { $0 = (batch.count, []) }
        for kind in batch {
            queue.submit([WriteOrder(kind: kind) { said in self.take(said) }])
        }
    }

    private func take(_ answer: Said) {
        let said: [Said]? = open.withLock { open in
            open.said.append(answer)
            return open.said.count == open.count ? open.said : nil
        }
        if let said { feed(said) }
    }
}
