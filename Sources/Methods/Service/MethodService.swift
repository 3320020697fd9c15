// Methods is everything that can be asked of this daemon: it turns requests and notifications into
// answers. It is the only room that calls the ledger; doors bring it bytes that nobody has
// verified, and carry its answers away.
//
// In reading order, a folder after those that it uses:
//   ParamsView     how parameters become types; MethodLimits and ErrorMapping beside it
//   Rows           rows of the tables as JSON, and back
//   Status         what is true of a user, and why: StatusView, Explanation
//   History        what was true of a user (Chronicle), and what an export tells
//   Watching       who is told of changes: WatchHub, WatchDesk, Watcher
//   Errands        what is asked of a store: StoreClient
//   Service        Call says how a method runs, MethodWorker runs it on an RPC thread, Lanes and
//                  PendingWrite take it further
//   MethodService  below: what all of them share
//   Calls          the methods, one in a file, all of them in Calls.all
//
// Its laws:
//   1. An RPC thread answers only what is short. What takes longer is done in a lane.
//   2. A write is answered once it is on disk. Writes of one connection about one user keep their
//      order (WriteOrdering).
//   3. Parameters are checked once, before anything is decided.
//   4. canRender allocates nothing.
//
// It never opens a socket, verifies a signature or names an HTTP status, and leaves to a store's
// storefront what only that store says.

import Entitlements
import Ledger
import Synchronization
import Telemetry
import Wire

/// Everything that can be asked of this daemon.
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
    private let clock: LedgerClock
    private let storefronts: [any Storefront]
    /// The servers of stores that are asked; none of a store without access.
    let storeClients: [any StoreClient]
    /// Test notifications that arrived.
    let testsHeard = TestsHeard()
    let settings: MethodSettings
    let metrics: Metrics
    /// The methods, in the order in which they are looked for.
    let calls: [ServedCall]
    /// `canRender` among them.
    let check: ServedCall?
    let lanes: Lanes
    let watchers: WatchHub
    let changeLogLevel: (@Sendable (String) -> Bool)?
    /// What a catalog file's content means here.
    let readCatalog: (@Sendable (String) throws(RPCFailure) -> Policy.Source)?
    /// Whether a backup is being made: one at a time.
    let isBackingUp = Atomic<Bool>(false)
    let started = LedgerClock.system.wall()
    /// What tells other systems of changes; nil where none is configured.
    let outboxDesk: (any OutboxDesk)?
    let replies = ReplyGroup()
    /// Users about whom the store was asked a moment ago.
    let reconciled = ReconciledUsers()
    /// Notifications of which the store could not be asked yet.
    let announcements = AnnouncementList()
    private let present = Atomic<Phase>(.starting)

    /// The methods `calls` over `ledger`; of a store without a storefront nothing is taken, and
    /// without a client a store is not asked.
    ///
    /// `changeLogLevel` answers whether there is such a level.
    package init(
        _ calls: [Call],
        ledger: Ledger,
        storefronts: [any Storefront],
        storeClients: [any StoreClient] = [],
        outbox: (any OutboxDesk)? = nil,
        settings: MethodSettings,
        metrics: Metrics,
        changeLogLevel: (@Sendable (String) -> Bool)? = nil,
        readCatalog: (@Sendable (String) throws(RPCFailure) -> Policy.Source)? = nil
    ) throws {
        self.readCatalog = readCatalog
        self.changeLogLevel = changeLogLevel
        self.ledger = ledger
        self.storefronts = storefronts
        self.storeClients = storeClients
        outboxDesk = outbox
        self.settings = settings
        self.metrics = metrics
        self.calls = calls.map { ServedCall($0, metrics) }
        check = self.calls.first { "\($0.call)" == "canRender" }
        lanes = try Lanes(ledger)
        let clock = ledger.clock
        self.clock = clock
        watchers = try WatchHub(ledger) { Moment(clock.wall()) }
        ledger.afterEachGroup { [replies] in replies.send() }
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

    /// The storefront of a store; nil where nothing is known of that store here.
    func storefront(of store: Store) -> (any Storefront)? {
        storefronts.first { $0.store == store }
    }

    /// What is known of stores, in their order.
    var profiles: [StoreProfile] { storefronts.map(\.profile) }

    /// The storefront whose documents of this kind callers show.
    func storefront(showing document: ShownDocument) -> (any Storefront)? {
        storefronts.first { $0.profile.documents.contains(document) }
    }

    /// Whether some store has purchases with account ids, which registrations claim.
    var takesAccountIDs: Bool { storefronts.contains { $0.hasApps && $0.profile.takesAccountIDs } }

    /// The server of a store; nil where it is not asked.
    func client(of store: Store) -> (any StoreClient)? {
        storeClients.first { $0.store == store }
    }

    /// The server of the store that does what is wanted.
    func client(
        _ isMeant: (StoreProfile) -> Bool
    ) throws(RPCFailure) -> any StoreClient {
        let meant = profiles.filter(isMeant)
        let clients = meant.compactMap { client(of: $0.store) }
        guard let client = clients.first else { throw .noStoreClient(of: meant) }
        return client
    }

    /// What the ledger's clock says: questions and commands are judged by the same one.
    func now() -> Moment { Moment(clock.wall()) }
}
