import Entitlements
import Glibc
import LMDB
import Synchronization
import Threads

/// When the checkpointer stores what stands in the memtable.
struct CheckpointLimits: Sendable {
    /// So many versions are stored at once; with as many again the writer waits.
    var changesMax = LedgerLimits.checkpointChangesMax
    /// The same in memory.
    var bytesMax = LedgerLimits.checkpointBytesMax
    /// No change waits longer.
    var ageMilliseconds = LedgerLimits.checkpointAgeMilliseconds
    /// Stored when nothing has changed for so long.
    var idleMilliseconds = LedgerLimits.checkpointIdleMilliseconds

    /// 0 for an empty layer, 1 for one that takes no more.
    func fullness(_ size: (changes: Int, bytes: Int)) -> Double {
        max(Double(size.changes) / Double(changesMax), Double(size.bytes) / Double(bytesMax))
    }
}

/// What a checkpoint does, step by step; tests copy the directory there, as a crash would.
enum CheckpointStep: Sendable {
    case frozen
    /// Every row is put, nothing is on the disk.
    case put
    case committed
    case dropped
}

/// Stores the memtable's layers in LMDB, each as a whole and in key order.
///
/// Before `start` whoever opens the ledger makes checkpoints; from then on its thread alone.
final class Checkpointer: Sendable {
    /// What somebody waits for.
    private enum Wish: Sendable {
        /// There is something to store, or too much of it.
        case look
        /// An active layer with room.
        case room(@Sendable (Result<Void, LedgerFailure>) -> Void)
        /// Everything that was answered by now is in LMDB.
        case all(@Sendable (Result<Void, LedgerFailure>) -> Void)

        var isForRoom: Bool { if case .room = self { true } else { false } }
        var isAwaited: Bool { if case .look = self { false } else { true } }

        func answer(_ result: Result<Void, LedgerFailure>) {
            switch self {
            case .look: break
            case .room(let told), .all(let told): told(result)
            }
        }
    }

    private enum Stage {
        case unstarted
        case running(NamedThread)
        case ended
    }

    private let views: Views
    private let memtable: Memtable
    private let pulse: LedgerPulse
    private let limits: CheckpointLimits
    private let age: AgeClock?
    /// What a replay never sweeps beyond, whatever the clock said when its entries were judged.
    private let sweptUntil: Moment
    /// No tick up to this position of the journal is asked for any more.
    let border: @Sendable () -> UInt64
    private let notify: @Sendable (LedgerNotice) -> Void
    private let onStep: @Sendable (CheckpointStep) -> Void
    private let wishes = BlockingQueue<Wish>(countMax: LedgerLimits.checkpointWishesMax)
    private let thread = Mutex<Stage>(.unstarted)
    private let fatal = Mutex<LedgerFailure?>(nil)
    private let sweep = Mutex(Sweep())
    /// How often a group waited because the layer was filling.
    let pauses = Atomic<Int>(0)

    init(
        views: Views,
        memtable: Memtable,
        pulse: LedgerPulse,
        limits: CheckpointLimits = CheckpointLimits(),
        age: AgeClock? = nil,
        sweptUntil: Moment = .distantFuture,
        border: @escaping @Sendable () -> UInt64 = { 0 },
        notify: @escaping @Sendable (LedgerNotice) -> Void = { _ in },
        onStep: @escaping @Sendable (CheckpointStep) -> Void = { _ in }
    ) {
        self.views = views
        self.memtable = memtable
        self.pulse = pulse
        self.limits = limits
        self.age = age
        self.sweptUntil = sweptUntil
        self.border = border
        self.notify = notify
        self.onStep = onStep
    }

    /// Why nothing can be stored any more, and the process must end.
    var failure: LedgerFailure? { fatal.withLock { $0 } }

    /// Starts the thread.
    ///
    /// - Parameter onFailure: called once, on that thread, when nothing can be stored any more.
    /// - Throws: where the system gives no thread.
    func start(onFailure: @escaping @Sendable () -> Void) throws(ThreadFailure) {
        // Readers and the writer come first.
        let started = try NamedThread(
            named: "checkpointer",
            niceness: LedgerLimits.checkpointerNiceness
        ) { self.run(onFailure) }
        thread.withLock { $0 = .running(started) }
        if !memtable.isEmpty { _ = wishes.offer(.look) }
    }

    /// Stores what there is, and ends the thread.
    func stop() {
        wishes.close()
        let before = thread.withLock { stage in
            defer { stage = .ended }
            return stage
        }
        if case .running(let started) = before { started.join() }
    }

    /// Told by the writer after each group: `size` is that of the active layer.
    func notice(_ size: (changes: Int, bytes: Int), added: Int) {
        guard size.changes == added || isFull(size) else { return }
        _ = wishes.offer(.look)
    }

    /// Waits until the active layer has room for a group of so many `changes`; `.storageFull` where
    /// what was frozen cannot be stored.
    ///
    /// Once three quarters of the layer are taken while the one before is being stored, each change
    /// waits a little, and the checkpointer has the processor: better than one group that waits for
    /// it all.
    func makeRoom(for changes: Int) throws(LedgerFailure) {
        if let failure { throw failure }
        if pulse.isFull(.views) { throw .storageFull }
        let size = memtable.active
        if isFull(size) { return try wait { .room($0) } }
        guard limits.fullness(size) >= 0.75, memtable.frozen != nil else { return }
        pauses.add(1, ordering: .relaxed)
        usleep(UInt32(changes * LedgerLimits.pauseMicroseconds))
    }

    /// Waits until everything that was answered by now is in LMDB.
    func settle() throws(LedgerFailure) { try wait { .all($0) } }

    private func isFull(_ size: (changes: Int, bytes: Int)) -> Bool { limits.fullness(size) >= 1 }

    private func wait(
        for wish: (@escaping @Sendable (Result<Void, LedgerFailure>) -> Void) -> Wish
    ) throws(LedgerFailure) {
        if case .unstarted = thread.withLock({ $0 }) { return try checkpoint() }
        let answer = BlockingQueue<Result<Void, LedgerFailure>>(countMax: 1)
        switch wishes.offer(wish { _ = answer.offer($0) }) {
        case nil: break
        case .full: throw .overloaded
        case .closed: throw .shuttingDown
        }
        try answer.take(1)?.first?.get()
    }

    private func run(_ onFailure: () -> Void) {
        var pace = CheckpointPace(limits)
        while let wishes = wishes.take(LedgerLimits.checkpointWishesMax, waiting: pace.patience) {
            let isAwaited = wishes.contains { $0.isAwaited }
            let isStillHeld = memtable.sweep()
            let size = memtable.active
            let isDue = pace.isDue(
                changes: size.changes,
                isFull: isFull(size),
                isTimeUp: wishes.isEmpty,
                isStillHeld: isStillHeld
            )
            guard isAwaited || isDue else { continue }
            attempt(wishes)
            pace.hasEnded(isStuck: isRefused)
            if failure != nil { break }
        }
        if failure == nil {
            attempt([])
            return
        }
        wishes.close()
        while let late = wishes.take(LedgerLimits.checkpointWishesMax) {
            for wish in late { wish.answer(.failure(failure ?? .shuttingDown)) }
        }
        onFailure()
    }

    private var isRefused: Bool { pulse.isFull(.views) }

    private func attempt(_ wishes: [Wish]) {
        do throws(LedgerFailure) {
            try checkpoint { for wish in wishes where wish.isForRoom { wish.answer(.success(())) } }
            for wish in wishes where !wish.isForRoom { wish.answer(.success(())) }
        } catch {
            for wish in wishes { wish.answer(.failure(error)) }
        }
    }

    /// Stores a layer that could not be stored before, then what has changed since.
    private func checkpoint(onRoom: () -> Void = {}) throws(LedgerFailure) {
        if let left = memtable.frozen { try store(left) }
        let layer = memtable.freeze()
        onRoom()
        guard let layer else { return }
        onStep(.frozen)
        try store(layer)
    }

    /// Stores `layer`; where there is no room, what answers nothing any more goes first.
    private func store(_ layer: Layer) throws(LedgerFailure) {
        do throws(any Error) {
            let isHealed = isRefused
            if isHealed { try heal() }
            do {
                try put(layer)
            } catch  where !isHealed && LedgerFailure(error) == .storageFull {
                try heal()
                try put(layer)
            }
            // LMDB numbers only those commits that changed something.
            memtable.drop(storedIn: try views.environment.read { $0.commit })
            onStep(.dropped)
            tell(full: false)
        } catch {
            let failure = LedgerFailure(error)
            if failure == .storageFull {
                tell(full: true)
            } else {
                fatal.withLock { $0 = failure }
            }
            throw failure
        }
    }

    /// One transaction, with the position that its rows reflect: LMDB never has half a layer.
    private func put(_ layer: Layer) throws {
        let swept = try views.environment.write { transaction in
            var stored: [TableName: Int] = [:]
            try layer.walk { node in
                let name = TableName.allCases[Int(node.table)]
                switch node.finding(through: .max) {
                case .unknown: break
                case .deleted: _ = try transaction.delete(node.key, in: views.table(name))
                case .row(let row):
                    try transaction.put(row, for: node.key, in: views.table(name))
                    stored[name, default: 0] += 1
                }
            }
            let swept = try sweep(behind: stored, transaction)
            onStep(.put)
            return swept
        }
        sweep.withLock { $0 = swept }
        onStep(.committed)
    }

    /// Takes away what answers nothing any more, in small transactions: each needs few pages, and
    /// gives back those of the rows that it took.
    private func heal() throws {
        let rows = Dictionary(
            uniqueKeysWithValues: Sweep.tables.map { ($0, LedgerLimits.healingSweepRows / 2) }
        )
        for _ in 0..<LedgerLimits.healingSweepsMax {
            do {
                let swept = try views.environment.write { try sweep(behind: rows, $0) }
                sweep.withLock { $0 = swept }
            } catch  where LedgerFailure(error) == .storageFull {
                return
            }
        }
    }

    /// Takes away some rows behind so many that were put; answers where to go on.
    private func sweep(
        behind stored: [TableName: Int],
        _ transaction: borrowing WriteTransaction
    ) throws -> Sweep {
        var sweep = self.sweep.withLock { $0 }
        let now = age?.now ?? sweptUntil
        try sweep.step(views, after: stored, at: now, behind: border(), transaction)
        return sweep
    }

    private func tell(full isFull: Bool) {
        guard let news = pulse.note(.views, full: isFull) else { return }
        notify(news ? .storageFull : .storageBack)
    }
}

/// When the next checkpoint is due.
private struct CheckpointPace {
    private let limits: CheckpointLimits
    /// How long to wait for wishes; nil as long as nothing has changed.
    private(set) var patience: Int64?
    /// When the first change was seen that is not stored.
    private var since: ContinuousClock.Instant?
    private var changesSeen = 0
    private var isStuck = false

    init(_ limits: CheckpointLimits) { self.limits = limits }

    /// First match wins: a checkpoint that failed is tried again, there is nothing, there is too
    /// much, it is old, it is idle.
    mutating func isDue(
        changes: Int,
        isFull: Bool,
        isTimeUp: Bool,
        isStillHeld: Bool
    ) -> Bool {
        if isStuck { return isTimeUp }
        guard changes > 0 else {
            since = nil
            patience = isStillHeld ? limits.idleMilliseconds : nil
            return false
        }
        patience = limits.idleMilliseconds
        if isFull { return true }
        let now = ContinuousClock.now
        let first = since ?? now
        since = first
        if now - first >= .milliseconds(limits.ageMilliseconds) { return true }
        let isIdle = isTimeUp && changes == changesSeen
        changesSeen = changes
        return isIdle
    }

    mutating func hasEnded(isStuck: Bool) {
        self.isStuck = isStuck
        since = nil
        changesSeen = 0
        patience = isStuck ? LedgerLimits.retryMilliseconds : limits.idleMilliseconds
    }
}
