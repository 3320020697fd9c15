import Glibc
import LMDB
import Synchronization
import Threads

/// What may run out of space.
package enum SpacePlace: String, CaseIterable, Sendable {
    /// The address space of the views.
    case map
    /// The file system of the data directory, including what other programs store there.
    case disk
}

/// How much space there is.
package struct SpaceFigures: Sendable, Hashable {
    /// The total size.
    package var bytes = 0
    /// The free bytes.
    package var freeBytes = 0
    /// The net growth in a day; nil in the first hour.
    package var bytesPerDay: Int?
    /// How many whole days are left at that rate; nil without growth, or in the first hour.
    package var daysLeft: Int?
}

/// The observations of the store watch.
package struct StoreFigures: Sendable, Hashable {
    /// The space, by place.
    package var space: [SpacePlace: SpaceFigures] = [:]
    /// How many reader slots of dead processes were freed since the start.
    package var staleReaders = 0
    /// How long the oldest LMDB view that does not show the last commit has been held.
    package var oldestViewSeconds = 0

    /// The days until the first place is full; nil if none is filling up.
    package var daysLeft: Int? { space.values.compactMap(\.daysLeft).min() }
}

/// What the store watch reports.
package enum StoreReport: Sendable, Hashable {
    /// A view of LMDB has been held longer than a minute; reported once for each view.
    case oldView(process: Int32, isOwn: Bool, seconds: Int)
    /// Readers of dead processes kept pages in use; their slots were freed.
    case staleReaders(Int)
    /// A place will be full in this many days; reported once until that is no longer so.
    case spaceEnds(SpacePlace, days: Int)
}

extension Ledger {
    /// Starts a thread that examines the store every half minute: readers that died, views that are
    /// held for long, and the space that is left.
    ///
    /// - Parameter onReport: called on that thread with each report.
    /// - Throws: if the system gives no thread.
    package func startWatchingStore(
        onReport: @escaping @Sendable (StoreReport) -> Void
    ) throws(LedgerFailure) {
        do throws(ThreadFailure) {
            workers.add(try StoreWatch(views.environment, clock, onReport))
        } catch {
            throw LedgerFailure(error)
        }
    }

    /// The observations of the store watch; empty if the watch does not run.
    package var storeFigures: StoreFigures {
        workers.first(StoreWatch.self)?.figures ?? StoreFigures()
    }
}

/// The thread that watches the store.
final class StoreWatch: Workers.Worker {
    private let end = BlockingQueue<Bool>(countMax: 1)
    private let state: Mutex<StoreWatchState>
    private let thread = Mutex<NamedThread?>(nil)
    private let environment: Environment
    private let clock: LedgerClock
    private let onReport: @Sendable (StoreReport) -> Void

    /// Creates a watch that looks once, and then repeatedly on its own thread.
    convenience init(
        _ environment: Environment,
        _ clock: LedgerClock,
        _ onReport: @escaping @Sendable (StoreReport) -> Void
    ) throws(ThreadFailure) {
        self.init(watching: environment, clock, onReport)
        look()
        try start()
    }

    /// Creates a watch without a thread, which looks only when `look` is called.
    init(
        watching environment: Environment,
        _ clock: LedgerClock,
        _ onReport: @escaping @Sendable (StoreReport) -> Void
    ) {
        state = Mutex(StoreWatchState())
        self.environment = environment
        self.clock = clock
        self.onReport = onReport
    }

    private func start() throws(ThreadFailure) {
        let end = end
        let started = try NamedThread(
            named: "store-watch",
            niceness: LedgerLimits.prunerNiceness
        ) { [weak self] in
            while end.take(1, waiting: LedgerLimits.storeWatchMilliseconds) != nil { self?.look() }
        }
        thread.withLock { $0 = started }
    }

    var figures: StoreFigures { state.withLock { $0.figures } }

    /// Looks once.
    ///
    /// What cannot be read now is read the next time.
    func look() {
        let now = clock.monotonic()
        var reports: [StoreReport] = []
        if let freed = try? environment.checkReaders(), freed > 0 {
            state.withLock { $0.figures.staleReaders += freed }
            reports.append(.staleReaders(freed))
        }
        let info = try? environment.info()
        let held = try? environment.heldViews()
        var disk = statvfs()
        let isDiskKnown = statvfs(environment.directory, &disk) == 0
        state.withLock { state in
            if let info, let held {
                reports += state.look(at: held, lastCommit: info.lastCommit, now)
                let free = info.mapBytes - info.pageBytes * (info.lastPage + 1)
                reports += state.note(.map, bytes: info.mapBytes, free: free, now)
            }
            guard isDiskKnown else { return }
            let (all, free) = (disk.bytes(in: disk.f_blocks), disk.bytes(in: disk.f_bavail))
            reports += state.note(.disk, bytes: all, free: free, now)
        }
        for report in reports { onReport(report) }
    }

    func stop() {
        end.close()
        thread.withLock { $0.take() }?.join()
    }
}

/// The state that the watch keeps between two looks.
struct StoreWatchState {
    var figures = StoreFigures()
    private var views = ViewWatch()
    private var forecasts: [SpacePlace: SpaceForecast] = [:]
    private var warned: Set<SpacePlace> = []

    /// Takes note of the views that are held; returns new reports.
    mutating func look(at held: [HeldView], lastCommit: Int, _ now: Int64) -> [StoreReport] {
        let old = views.look(at: held, lastCommit: lastCommit, now)
        let seconds = Int(views.oldestMilliseconds / 1_000)
        figures.oldestViewSeconds = seconds
        return old.map {
            .oldView(process: $0.process, isOwn: $0.process == getpid(), seconds: seconds)
        }
    }

    /// Takes note of the space of a place; returns new reports.
    mutating func note(_ place: SpacePlace, bytes: Int, free: Int, _ now: Int64) -> [StoreReport] {
        forecasts[place, default: SpaceForecast()].take(.init(at: now, free: free))
        let forecast = forecasts[place]
        let daysLeft = forecast?.daysLeft
        figures.space[place] = SpaceFigures(
            bytes: bytes,
            freeBytes: free,
            bytesPerDay: forecast?.bytesPerDay,
            daysLeft: daysLeft
        )
        guard let daysLeft, daysLeft < LedgerLimits.spaceDaysWarned else {
            warned.remove(place)
            return []
        }
        return warned.insert(place).inserted ? [.spaceEnds(place, days: daysLeft)] : []
    }
}

extension statvfs {
    /// The bytes of so many blocks; as many as an Int holds where there are more, as some network
    /// file systems say.
    func bytes(in blocks: UInt) -> Int {
        let (bytes, overflow) = blocks.multipliedReportingOverflow(by: f_frsize)
        return overflow ? Int.max : Int(clamping: bytes)
    }
}
