// Ledger is what is remembered: the tables that are kept from the journal, with one writer and many
// readers.
//
// In reading order, a folder after those that it uses:
//   Tables   TableRow, a file for each table; Tables, their list; Views, the tables in LMDB
//   Memory   Layer and Memtable, changed rows in front of LMDB; Checkpointer stores them
//   Reading  Snapshot, all rows as of one position; LedgerReader, for one thread; EntryBody, an
//            entry of the journal; HistoryTrail and Past; PersonSearch
//   Writing  LedgerWriter and Group, the one thread that decides; Base, what stands for entries
//            that were pruned; ErasureBook, names that are to go from the journal
//   Ledger   below: puts these together
//   Upkeep   verification, backup, pruning, erasing, scrubbing, rebuilding
//
// Its laws:
//   L1. One thread writes: it decides, appends, flushes, absorbs, publishes, then answers, in this
//       order. What it publishes stands in the memtable, before LMDB.
//   L2. What is flushed is decided, and nothing that can fail stands between flush and answer. If
//       LMDB cannot take what the memtable holds, nothing new is decided until it can.
//   L3. Views change only by absorbing events; replaying the journal builds the same rows.
//   L4. A policy is published before the rows that need it can be read.
//   L5. One thread stores, behind the others: a frozen layer as a whole, in one transaction, with
//       the position that it reflects. LMDB is at every moment what some group left.
//   L6. A reader sees all rows as of one position, from its waking to its rest, without a lock.
//
// It never decides anything (the core does), verifies a document, or knows how it is asked.

import CLinux
import Entitlements
import Glibc
import Journal
import LMDB
import Synchronization
import Threads

/// What is remembered: the book that is kept from the journal, with one writer and many readers.
package final class Ledger: Sendable {
    /// Where a ledger lives and what it is opened with.
    package struct Options: Sendable {
        /// The data directory.
        package var directory: String
        /// Address space for the views.
        var mapSizeBytes: Int
        /// Where time comes from.
        package var clock: LedgerClock
        /// Whether the clock may be far behind the journal.
        package var allowsClockBehind = false
        /// When changes are stored.
        var checkpoints = CheckpointLimits()
        /// How large the journal's segments are at most.
        var segmentBytesMax = JournalLimits().segmentBytesMax
        /// Where the journal is; nil: in segments in the data directory.
        var journalLocation: (any JournalLocation)?
        /// Asked now and then while much is read: once it is true, the work ends with
        /// `.shuttingDown`, and everything stays as it was or goes on the next time.
        package var isEnding: @Sendable () -> Bool = { false }
        /// What becomes of the file of marks; nil where nobody was ever served.
        package var marks: SharedMarks?
        /// When the journal keeps records beside the events.
        var milestones = MilestonePace()
        /// What a catalog says that was installed; nil where it cannot be read.
        package var catalog: CatalogReading = { _ in nil }

        /// The ledger in `directory`.
        package init(directory: String, mapSizeGiB: Int = 64, clock: LedgerClock = .system) {
            self.directory = directory
            mapSizeBytes = mapSizeGiB << 30
            self.clock = clock
        }

        /// Where the journal is.
        var journal: any JournalLocation {
            journalLocation
                ?? SegmentLocation(
                    directory + "/journal",
                    limits: JournalLimits(segmentBytesMax: segmentBytesMax)
                )
        }
    }

    /// The data directory.
    let directory: String
    let views: Views
    let board: PolicyBoard
    let pulse = LedgerPulse()
    let memtable: Memtable
    let checkpointer: Checkpointer
    /// What changes, for those who follow it.
    package let feed = LedgerFeed()
    let queue = WriteQueue(countMax: LedgerLimits.queueCommandsMax)
    let erasures: ErasureBook
    let base: Base
    let journal: any Journal
    /// Where its time comes from.
    package let clock: LedgerClock
    let age: AgeClock
    /// What is done beside the writer.
    let workers = Workers()
    let searches = SearchBook()
    private let released = LeaseBook()
    /// What went wrong that the log must hear of.
    let faults: FaultBook
    private let marks: ChangeMarks?
    private let lock: Mutex<DirectoryLock?>
    private let thread = Mutex<NamedThread?>(nil)
    /// What an operator should know about the place, for the log.
    package let warnings: [String]
    /// The rules by which the first of the rows were made (`Rules.version`).
    package let rules: UInt32

    private init(
        _ options: Options,
        _ source: Policy.Source,
        _ base: Base,
        _ views: Views,
        _ state: AppliedState,
        _ journal: any Journal,
        _ lock: consuming DirectoryLock,
        _ onNotice: @escaping @Sendable (LedgerNotice) -> Void
    ) throws {
        directory = options.directory
        clock = options.clock
        self.base = base
        self.views = views
        self.journal = journal
        rules = state.rules
        erasures = ErasureBook(directory: options.directory)
        faults = FaultBook(notify: onNotice)
        board = PolicyBoard(Policy(source, numbering: state.numbering))
        marks = try options.marks?.taken()
        memtable = Memtable(pulse, seq: state.seq, marks: marks)
        age = AgeClock(options.clock)
        checkpointer = Checkpointer(
            views: views,
            memtable: memtable,
            pulse: pulse,
            limits: options.checkpoints,
            age: age,
            border: { base.seq },
            notify: onNotice
        )
        self.lock = Mutex(lock)
        warnings = views.environment.warnings.map { "\($0)" }
    }

    /// Opens the ledger: repairs the journal's torn tail, replays what the views lack, starts
    /// writer and checkpointer.
    ///
    /// - Parameters:
    ///   - options: where and how.
    ///   - source: the policy until a catalog is installed.
    ///   - onNotice: called on the writer's or the checkpointer's thread, and on that of whoever
    ///     meets a failure; must be quick.
    ///   - onFailure: called once, on the writer's thread, when nothing more can be written and the
    ///     process must end.
    /// - Returns: the ledger, its writer running.
    /// - Throws: `.busy`, `.damaged`, `.unusable`, `.clockBehind`, or `.storageFull` where nothing
    /// can be kept.
    package static func open(
        _ options: Options,
        source: Policy.Source,
        onNotice: @escaping @Sendable (LedgerNotice) -> Void = { _ in },
        onFailure: @escaping @Sendable (LedgerFailure) -> Void
    ) throws(LedgerFailure) -> Ledger {
        do throws(any Error) {
            let lock = try DirectoryLock(directory: options.directory)
            clearCompaction(in: options.directory)
            try refuseEmptiedViews(options)
            let base = try Base(
                directory: options.directory,
                mapSizeBytes: options.mapSizeBytes,
                limits: options.checkpoints,
                journal: options.journal
            )
            try base.restoreViews()
            let environment = try Environment.open(
                directory: options.directory,
                options: .init(mapSizeBytes: options.mapSizeBytes)
            )
            let views = try Views(environment)
            let state = try environment.read { try views.appliedState($0) }
            let journal = try Self.journal(options, behind: state, base)
            let ledger = try Ledger(
                options,
                source,
                base,
                views,
                state,
                journal.journal,
                lock,
                onNotice
            )
            let writer = try ledger.writer(options, journal, state, source, onNotice)
            let notice = try options.clock.notice(
                after: writer.state,
                allowingBehind: options.allowsClockBehind
            )
            if let notice {
                if case .clockAhead = notice {
                    ledger.age.doubt(after: writer.state.at.milliseconds)
                }
                onNotice(notice)
            }
            try ledger.start(writer, onFailure)
            return ledger
        } catch {
            throw LedgerFailure(error)
        }
    }

    /// The journal behind `state`.
    private static func journal(
        _ options: Options,
        behind state: AppliedState,
        _ base: Base
    ) throws -> OpenJournal {
        do throws(JournalFailure) {
            return try options.journal.open(appliedGroup: state.group)
        } catch {
            // What lies between was pruned.
            guard case .damaged = error, state.seq < base.seq else { throw error }
            throw LedgerFailure.damaged("data.mdb is an old copy, from before the base")
        }
    }

    /// The writer, which has replayed what the views lacked.
    private func writer(
        _ options: Options,
        _ journal: OpenJournal,
        _ state: AppliedState,
        _ source: Policy.Source,
        _ onNotice: @escaping @Sendable (LedgerNotice) -> Void
    ) throws -> LedgerWriter {
        // That of a later day, beside what an older backup put in the place of the rest.
        guard base.seq <= journal.last.seq else {
            throw LedgerFailure.damaged("base: it goes on behind the end of the journal")
        }
        let writer = try LedgerWriter(
            views: views,
            memtable: memtable,
            checkpointer: checkpointer,
            journal: journal,
            board: board,
            pulse: pulse,
            clock: clock,
            age: age,
            state: state,
            source: source,
            catalog: options.catalog,
            isEnding: options.isEnding,
            feed: feed,
            erasures: erasures,
            searches: searches,
            released: released,
            faults: faults,
            pace: options.milestones,
            notify: onNotice
        )
        if erasures.isMarked || !erasures.waiting.isEmpty,
            let failure = try erasures.resume(
                checkpointer,
                base,
                journal.journal,
                beside: views
            )
        {
            onNotice(.erasureUnfinished("\(failure)"))
        }
        return writer
    }

    /// Starts checkpointer and writer.
    private func start(
        _ writer: LedgerWriter,
        _ onFailure: @escaping @Sendable (LedgerFailure) -> Void
    ) throws {
        let leases = try writer.heldLeases()
        let queue = queue
        try checkpointer.start { queue.close() }
        do throws(ThreadFailure) {
            let started = try NamedThread(named: "writer") {
                // Or its short waits are 50 µs longer.
                linux_thread_punctual()
                writer.run(queue, ending: leases, onFailure: onFailure)
            }
            thread.withLock { $0 = started }
        } catch {
            checkpointer.stop()
            throw error
        }
    }

    /// Queues a command; see `WriteOrder.Completion`.
    package func submit(_ kind: Command.Kind, _ completion: @escaping WriteOrder.Completion) {
        submit([WriteOrder(kind, completion)])
    }

    /// Queues commands that came together, so that they may be decided together.
    package func submit(_ orders: [WriteOrder]) { queue.submit(orders) }

    /// Ends the reservations `ids`, oldest first, because the connection that made them has ended:
    /// soon, and however often it must be tried.
    ///
    /// What is still held when the daemon stops returns when it starts again.
    package func endLeases(_ ids: [UInt64]) {
        guard !ids.isEmpty else { return }
        released.add(ids)
        queue.nudge()
    }

    /// Sets what is called on the writer's thread when all of a group have been answered.
    package func afterEachGroup(_ body: @escaping @Sendable () -> Void) {
        pulse.afterEachGroup(body)
    }

    /// Puts a catalog in force, in its turn among the commands.
    package func install(
        _ source: Policy.Source,
        _ stamp: CatalogStamp,
        _ completion: @escaping WriteOrder.Completion
    ) {
        queue.submit([WriteOrder(kind: .install(source, stamp), completion: completion)])
    }

    /// Takes nothing new, and waits until everything that was taken is answered and stored.
    package func finish() {
        workers.stop()
        queue.close()
        thread.withLock { $0 }?.join()
        checkpointer.stop()
    }

    /// Ends the writer and lets go of the views and the directory.
    ///
    /// Readers must rest by now.
    package func stop() {
        finish()
        marks?.end()
        views.environment.close()
        base.close()
        lock.withLock { $0 = nil }
    }

    /// What the writer did and does.
    package var figures: LedgerFigures {
        var figures = pulse.figures
        figures.queueDepth = queue.depth
        return figures
    }

    /// Products of non-renewing subscriptions that were bought: the catalog must say for how many
    /// days.
    package var datedProducts: [String] { pulse.datedProducts }

    /// The policy in force.
    package var policy: Policy { board.policy }

    /// The size and use of the views.
    package func viewFigures() throws(LedgerFailure) -> ViewFigures {
        do {
            let info = try views.environment.info()
            return ViewFigures(
                mapBytes: info.mapBytes,
                usedBytes: info.pageBytes * (info.lastPage + 1),
                readers: info.readersActive,
                oldestReaderLag: info.oldestReaderLag
            )
        } catch {
            throw LedgerFailure(error)
        }
    }
}

extension LedgerReader {
    /// A reader of `ledger`, resting.
    package convenience init(_ ledger: Ledger) throws(LedgerFailure) {
        try self.init(
            journal: ledger.journal,
            views: ledger.views,
            memtable: ledger.memtable,
            board: ledger.board,
            base: ledger.base,
            faults: ledger.faults
        )
    }
}
