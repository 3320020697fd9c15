import Glibc
import LMDB
import Synchronization
import Threads

/// What may run out of space.
package enum SpacePlace: String, CaseIterable, Sendable {
    /// The address space of the views.
    case map
    /// The file system of the data directory, whoever fills it.
    case disk
}

/// How much space there is.
package struct SpaceFigures: Sendable, Hashable {
    /// All of it.
    package var bytes = 0
    /// What is still free.
    package var freeBytes = 0
    /// What is taken in a day, less what is given back; nil in the first hour.
    package var bytesPerDay: Int?
    /// How many whole days are left at that rate; nil where nothing is taken, or in the first hour.
    package var daysLeft: Int?
}

/// What the watch over the store has seen.
package struct StoreFigures: Sendable, Hashable {
    /// The space, by place.
    package var space: [SpacePlace: SpaceFigures] = [:]
    /// Readers of processes that had died, whose slots were freed since the start.
    package var staleReaders = 0
    /// How long the oldest view of LMDB is held that is behind the last commit.
    package var oldestViewSeconds = 0

    /// How long the place lasts that is full first; nil where none is about to be.
    package var daysLeft: Int? { space.values.compactMap(\.daysLeft).min() }
}

/// What the watch over the store tells of.
package enum StoreReport: Sendable, Hashable {
    /// A view of LMDB is held longer than a minute; told once for each.
    case oldView(process: Int32, isOwn: Bool, seconds: Int)
    /// Readers of processes that had died kept pages; their slots were freed.
    case staleReaders(Int)
    /// A place is full in so many days; told once until that is over.
    case spaceEnds(SpacePlace, days: Int)
}

extension Ledger {
    /// Looks at the store every half a minute, on a thread of its own: at readers that died, at
    /// views that are held for long, and at the space that is left.
    ///
    /// - Parameter onReport: called on that thread.
    /// - Throws: where the system gives no thread.
    package func startWatchingStore(
        onReport: @escaping @Sendable (StoreReport) -> Void
    ) throws(LedgerFailure) {
        do throws(ThreadFailure) {
            workers.add(try StoreWatch(views.environment, clock, onReport))
        } catch {
            throw LedgerFailure(error)
        }
    }

    /// What the watch over the store has seen; of a ledger that is not watched, nothing.
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

    /// Looks once, then again and again on a thread of its own.
    convenience init(
        _ environment: Environment,
        _ clock: LedgerClock,
        _ onReport: @escaping @Sendable (StoreReport) -> Void
    ) throws(ThreadFailure) {
        self.init(watching: environment, clock, onReport)
        look()
        try start()
    }

    /// One that looks when it is told to.
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

    /// One look; what cannot be looked at now is looked at the next time.
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
            let unit = Int(disk.f_frsize)
            let (all, free) = (unit * Int(disk.f_blocks), unit * Int(disk.f_bavail))
            reports += state.note(.disk, bytes: all, free: free, now)
        }
        for report in reports { onReport(report) }
    }

    func stop() {
        end.close()
        thread.withLock { $0.take() }?.join()
    }
}

/// What the watch keeps from one look to the next.
struct StoreWatchState {
    var figures = StoreFigures()
    private var views = ViewWatch()
    private var forecasts: [SpacePlace: SpaceForecast] = [:]
    private var warned: Set<SpacePlace> = []

    /// Takes in the views that are held.
    mutating func look(at held: [HeldView], lastCommit: Int, _ now: Int64) -> [StoreReport] {
        let old = views.look(at: held, lastCommit: lastCommit, now)
        let seconds = Int(views.oldestMilliseconds / 1_000)
        figures.oldestViewSeconds = seconds
        return old.map {
            .oldView(process: $0.process, isOwn: $0.process == getpid(), seconds: seconds)
        }
    }

    /// Takes in how much space there is.
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
