import CLMDB
import Entitlements
import Glibc
import LMDB
import TestSupport
import Testing

@testable import Ledger

/// Who keeps pages of the store, and how much space is left.
struct StoreWatchTests {
    private let hands = HandClock()
    private let scratch: Scratch
    private let reports = Notebook<StoreReport>()

    init() throws { scratch = try Scratch() }

    private func watch(_ ledger: Ledger) -> StoreWatch {
        StoreWatch(watching: ledger.views.environment, hands.clock) { [reports] in
            reports.note($0)
        }
    }

    /// What another program does that reads data.mdb: it takes a view, and is killed.
    private static func readAndDie(_ directory: String) {
        var environment: OpaquePointer?
        var transaction: OpaquePointer?
        guard mdb_env_create(&environment) == MDB_SUCCESS,
            mdb_env_open(environment, directory, UInt32(MDB_RDONLY), 0o600) == MDB_SUCCESS,
            mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction) == MDB_SUCCESS
        else { exit(1) }
        kill(getpid(), SIGKILL)
    }

    private func change(_ ledger: Ledger, _ numbers: Range<Int>) throws {
        for number in numbers {
            try ledger.order(try grant("user \(number % 4)", key: number))
            try ledger.checkpointer.settle()
        }
    }

    @Test func `pages that a reader kept who was killed are used again after the next look`()
        async throws
    {
        let ledger = try open(scratch.store)
        defer { ledger.stop() }
        let environment = ledger.views.environment
        try change(ledger, 0..<4)
        let store = scratch.store
        await #expect(processExitsWith: .signal(SIGKILL)) { [store = store as String] in
            StoreWatchTests.readAndDie(store)
        }
        let held = try #require(try environment.heldViews().first)
        #expect(held.process != getpid())
        let before = try environment.info().lastPage
        try change(ledger, 4..<24)
        let grown = try environment.info()
        #expect(grown.oldestReaderLag >= 20)
        #expect(grown.lastPage - before > 20, "each change took new pages")
        let watch = watch(ledger)
        watch.look()
        #expect(watch.figures.staleReaders == 1)
        #expect(reports.notes == [.staleReaders(1)])
        #expect(try environment.heldViews() == [])
        try change(ledger, 24..<44)
        #expect(try environment.info().lastPage == grown.lastPage)
        watch.look()
        #expect(watch.figures.staleReaders == 1)
        #expect(reports.notes.count == 1)
    }

    @Test func `a view that is held for a minute is told of, once`() throws {
        let ledger = try open(scratch.store)
        defer { ledger.stop() }
        let watch = watch(ledger)
        let reader = try LedgerReader(ledger)
        try reader.wake()
        hands.advance(10 * LedgerLimits.viewAgeMilliseconds)
        watch.look()
        try change(ledger, 0..<2)
        // Not before something has changed: what is the newest state keeps nothing.
        watch.look()
        #expect(watch.figures.oldestViewSeconds == 0)
        hands.advance(LedgerLimits.viewAgeMilliseconds - 1)
        watch.look()
        #expect(reports.notes == [])
        hands.advance(1)
        watch.look()
        hands.advance(LedgerLimits.storeWatchMilliseconds)
        watch.look()
        #expect(reports.notes == [.oldView(process: getpid(), isOwn: true, seconds: 60)])
        #expect(watch.figures.oldestViewSeconds == 90)
        // One that is renewed at every look is never old, however far behind it is each time.
        reader.rest()
        for number in 0..<4 {
            try reader.wake()
            try change(ledger, 10 + number..<11 + number)
            hands.advance(LedgerLimits.storeWatchMilliseconds)
            watch.look()
            #expect(watch.figures.oldestViewSeconds == 0)
            reader.rest()
        }
        #expect(reports.notes.count == 1)
    }

    @Test func `the space that is left is told in days, and once when they are few`() throws {
        var state = StoreWatchState()
        let hour: Int64 = 3_600_000
        var free = 1_000_000
        var reports: [StoreReport] = []
        func figures() -> SpaceFigures? { state.figures.space[.disk] }
        // 2,400 bytes a day.
        for minute in 0..<Int64(60) {
            let now = minute * 60_000
            reports += state.note(.disk, bytes: 2_000_000, free: free - Int(minute), now)
            #expect(figures()?.bytesPerDay == nil && figures()?.daysLeft == nil)
        }
        for number in Int64(1)...24 {
            free = 1_000_000 - 100 * Int(number)
            reports += state.note(.disk, bytes: 2_000_000, free: free, number * hour)
            #expect(figures()?.bytesPerDay == 2_400)
            #expect(figures()?.daysLeft == free / 2_400)
        }
        #expect(reports == [])
        #expect(state.figures.daysLeft == free / 2_400)
        // A day later it goes a hundred times as fast, and the window has nothing else.
        for number in Int64(25)...49 {
            free -= 10_000
            reports += state.note(.disk, bytes: 2_000_000, free: free, number * hour)
        }
        #expect(figures()?.bytesPerDay == 240_000)
        #expect(figures()?.daysLeft == free / 240_000)
        guard case .spaceEnds(.disk, let days) = reports.first else {
            Issue.record("\(reports)")
            return
        }
        #expect((1..<LedgerLimits.spaceDaysWarned).contains(days))
        #expect(reports.count == 1)
        // Somebody made room, and then it fills up again.
        reports = state.note(.disk, bytes: 2_000_000, free: 1_900_000, 50 * hour)
        #expect(figures()?.daysLeft == nil && reports == [])
        reports = state.note(.disk, bytes: 2_000_000, free: 1_000, 51 * hour)
        #expect(reports == [.spaceEnds(.disk, days: 0)])
    }

    @Test func `a ledger that is watched says how much there is of both places`() throws {
        let ledger = try open(scratch.store, mapBytes: 8 << 20)
        defer { ledger.stop() }
        #expect(ledger.storeFigures.space.isEmpty)
        try ledger.startWatchingStore { _ in }
        let figures = ledger.storeFigures
        let views = try ledger.viewFigures()
        #expect(figures.space[.map]?.bytes == 8 << 20)
        #expect(figures.space[.map]?.freeBytes == views.mapBytes - views.usedBytes)
        let disk = try #require(figures.space[.disk])
        #expect(disk.freeBytes > 0 && disk.freeBytes <= disk.bytes)
        #expect(figures.daysLeft == nil)
    }
}
