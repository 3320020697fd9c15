import Entitlements
import Ledger
import Synchronization
import Telemetry
import Wire

/// What the methods need to know of the configuration.
package struct MethodSettings: Sendable {
    /// What derived tokens begin with.
    package var tokenNamespace: String
    /// The longest frame that may be answered.
    package var frameBytesMax: Int
    /// This program's version.
    package var version: String

    /// The settings of a daemon.
    package init(tokenNamespace: String, frameBytesMax: Int, version: String) {
        self.tokenNamespace = tokenNamespace
        self.frameBytesMax = frameBytesMax
        self.version = version
    }
}

/// Everything that can be asked of this daemon, over sockets and over HTTP.
package final class MethodService: FrameService {
    /// How far the daemon is.
    package enum Phase: UInt8, AtomicRepresentable, Sendable {
        /// Not yet `ready`.
        case starting
        /// Answers.
        case serving
        /// Finishes what it has.
        case stopping
    }

    let ledger: Ledger
    let storefront: (any Storefront)?
    let storeClient: (any StoreClient)?
    let settings: MethodSettings
    let metrics: Metrics
    /// Counts the answers of each method that are no errors: looked up by its labels a counter
    /// costs as much as a check.
    let answered: [Method: Counter]
    let lanes: Lanes
    let watchers: WatchHub
    let changeLogLevel: (@Sendable (String) -> Bool)?
    /// Whether a backup is being made: one at a time.
    let isBackingUp = Atomic<Bool>(false)
    let started = LedgerClock.system.wall()
    let outbox = Outbox()
    /// Users about whom the store was asked a moment ago.
    let reconciled = ReconciledUsers()
    private let present = Atomic<Phase>(.starting)

    /// The methods over `ledger`; without a storefront nothing that a store signed is taken, and
    /// without its client no store is asked.
    ///
    /// `changeLogLevel` answers whether there is such a level.
    package init(
        ledger: Ledger,
        storefront: (any Storefront)?,
        storeClient: (any StoreClient)? = nil,
        settings: MethodSettings,
        metrics: Metrics,
        changeLogLevel: (@Sendable (String) -> Bool)? = nil
    ) throws {
        self.changeLogLevel = changeLogLevel
        self.ledger = ledger
        self.storefront = storefront
        self.storeClient = storeClient
        self.settings = settings
        self.metrics = metrics
        answered = Dictionary(
            uniqueKeysWithValues: Method.allCases.map {
                ($0, metrics.rpcRequests.series($0.rawValue, "ok"))
            }
        )
        lanes = try Lanes(ledger)
        watchers = try WatchHub(ledger) { Moment(LedgerClock.system.wall()) }
        ledger.afterEachGroup { [outbox] in outbox.send() }
    }

    /// How far the daemon is; the top floor moves it on.
    package var phase: Phase {
        get { present.load(ordering: .acquiring) }
        set { present.store(newValue, ordering: .releasing) }
    }

    package func makeWorker() -> any FrameWorker { MethodWorker(self) }

    /// Ends the lanes once nothing waits in them.
    package func stop() {
        watchers.stop()
        lanes.stop()
    }

    /// What a lane has waiting, and how many jobs it refused and dropped.
    package func figures(of lane: LaneName) -> (depth: Int, refused: Int, dropped: Int) {
        let lane = lanes[lane]
        return (lane.depth, lane.refused, lane.dropped)
    }

    func now() -> Moment { Moment(LedgerClock.system.wall()) }
}
