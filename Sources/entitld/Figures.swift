import DaemonConfiguration
import Entitlements
import Foundation
import Ledger
import Methods
import Reconciler
import RemoteAPI
import Sockets
import Telemetry
import Webhooks

/// Sets the gauges that nobody keeps current, and says whether the daemon is ready.
final class Figures: Sendable {
    private let ledger: Ledger
    private let service: MethodService
    private let sockets: RPCServer
    private let api: APIListener?
    private let storefronts: [any Storefront]
    private let reconcilers: [Reconciler]
    private let metrics: Metrics
    private let log: LogSink

    init(
        ledger: Ledger,
        service: MethodService,
        sockets: RPCServer,
        api: APIListener?,
        storefronts: [any Storefront],
        reconcilers: [Reconciler],
        metrics: Metrics,
        log: LogSink
    ) {
        self.ledger = ledger
        self.service = service
        self.sockets = sockets
        self.api = api
        self.storefronts = storefronts
        self.reconcilers = reconcilers
        self.metrics = metrics
        self.log = log
    }

    /// Runs before each page of metrics.
    func refresh() {
        let now = ledger.figures
        refreshSockets()
        refreshLanes()
        metrics.refreshProcess()
        metrics.logLinesDropped.raise(to: log.droppedLines)
        metrics.journalSeq.set(Int(now.seq))
        metrics.writeQueue.set(now.queueDepth)
        metrics.storageFull.set(now.isFull ? 1 : 0)
        metrics.clockJumps.raise(to: Int(now.clockJumps))
        metrics.unknownProducts.raise(to: Int(now.unknownProducts))
        metrics.undatedProducts.raise(to: Int(now.undatedProducts))
        metrics.duplicateSubscriptions.raise(to: Int(now.duplicateSubscriptions))
        refreshVerdicts()
        metrics.notificationsWaiting.set(service.announcementsWaiting)
        metrics.show(reconcilers.map(\.progress))
        if let rows = try? ledger.rowCounts() {
            metrics.accounts.set(rows.accounts)
            metrics.subscriptions.set(rows.subscriptions)
        }
        refreshScrub()
        metrics.journalPrunedSeq.set(Int(ledger.border?.seq ?? 0))
        if let bytes = try? ledger.journalBytes() { metrics.journalBytes.set(bytes) }
        if let views = try? ledger.viewFigures() {
            metrics.lmdbMapBytes.set(views.mapBytes)
            metrics.lmdbUsedBytes.set(views.usedBytes)
            metrics.lmdbReaders.set(views.readers)
            metrics.lmdbReaderLag.set(views.oldestReaderLag)
        }
        refreshStore()
    }

    private func refreshVerdicts() {
        var all = VerdictFigures()
        for storefront in storefronts { all.add(storefront.figures) }
        metrics.chainCacheHits.raise(to: all.chainsRemembered)
        metrics.chainCacheMisses.raise(to: all.chainsVerified)
        metrics.verdicts.series("genuine").raise(to: all.genuine)
        metrics.verdicts.series("forged").raise(to: all.forged)
        metrics.verdicts.series("undecided").raise(to: all.undecided)
    }

    private func refreshStore() {
        let store = ledger.storeFigures
        metrics.lmdbOldestView.set(store.oldestViewSeconds)
        metrics.lmdbStaleReaders.raise(to: store.staleReaders)
        for place in SpacePlace.allCases {
            let space = store.space[place]
            metrics.spaceTaken.series(place.rawValue).set(space?.bytesPerDay ?? 0)
            metrics.spaceDaysLeft.series(place.rawValue)
                .set(min(space?.daysLeft ?? .max, LedgerLimits.spaceDaysMax))
        }
        guard let disk = store.space[.disk] else { return }
        metrics.diskBytes.set(disk.bytes)
        metrics.diskFreeBytes.set(disk.freeBytes)
    }

    /// How much room there is, and how long it lasts.
    private var spaceCheck: ReadinessCheck {
        let store = ledger.storeFigures
        let places = SpacePlace.allCases.compactMap { place in
            store.space[place]
                .map { space in
                    let free = "\(space.freeBytes) of \(space.bytes) bytes free"
                    let rate = space.bytesPerDay.map { "\($0) bytes/day" } ?? "rate not known yet"
                    let rest = space.daysLeft.map { ", \($0) days left" } ?? ""
                    return "\(place.rawValue): \(free), \(rate)\(rest)"
                }
        }
        let note = places.joined(separator: "; ")
        guard let left = store.daysLeft, left < LedgerLimits.spaceDaysWarned else {
            return ReadinessCheck(name: "space", isOK: true, note: note)
        }
        return ReadinessCheck(name: "space", warning: note)
    }

    private func refreshScrub() {
        let scrub = ledger.scrubFigures
        metrics.scrubBytes.raise(to: Int(clamping: scrub.bytes))
        metrics.scrubPace.set(scrub.bytesPerSecond)
        metrics.scrubRounds.raise(to: Int(clamping: scrub.rounds))
        metrics.scrubTime.set(Int((scrub.lastRound?.milliseconds ?? 0) / 1_000))
        for place in ScrubPlace.allCases {
            metrics.damageFound.series(place.rawValue).set(scrub.damage[place] == nil ? 0 : 1)
        }
    }

    /// What the scrub found; rot in the journal or the base keeps nobody from being served.
    private var scrubCheck: ReadinessCheck {
        let scrub = ledger.scrubFigures
        let found = ScrubPlace.allCases.compactMap { scrub.damage[$0] }
        guard found.isEmpty else {
            let what = found.joined(separator: "; ")
            return ReadinessCheck(
                name: "scrub",
                warning: "keep a copy and restore a backup: \(what)"
            )
        }
        let last = scrub.lastRound
            .map { moment in
                Date(timeIntervalSince1970: Double(moment.milliseconds) / 1_000)
                    .formatted(.iso8601)
            }
        return ReadinessCheck(
            name: "scrub",
            isOK: true,
            note: "\(scrub.bytesPerSecond) bytes/s, everything was read: \(last ?? "not yet")"
        )
    }

    private func refreshSockets() {
        let counters = sockets.counters
        for (door, name) in RPCServer.Configuration.doorNames.enumerated() {
            metrics.connections.series(name).set(counters.open(at: door))
            metrics.accepted.series(name).raise(to: counters.accepted(at: door))
            let waiting = sockets.waitingBytes(at: door)
            metrics.waitingBytes.series(name, "unread").set(waiting.unread)
            metrics.waitingBytes.series(name, "half_read").set(waiting.halfRead)
            metrics.waitingBytes.series(name, "unanswered").set(waiting.unanswered)
            metrics.waitingBytes.series(name, "watched").set(waiting.watched)
        }
        if let waiting = api?.waitingBytes {
            metrics.waitingBytes.series("api", "unread").set(waiting.unread)
            metrics.waitingBytes.series("api", "unanswered").set(waiting.unanswered)
        }
        metrics.shed.series("connections").raise(to: counters[.shed])
        metrics.shed.series("outbound").raise(to: counters[.stalled])
        metrics.shed.series("unread").raise(to: counters[.unread])
        metrics.shed.series("caller_bytes").raise(to: counters[.overShare])
        metrics.shed.series("total_bytes").raise(to: counters[.overTotal])
        metrics.shed.series("refused").raise(to: counters[.refusedClosed])
        metrics.shed.series("frame_timeout").raise(to: counters[.slowFrames])
        metrics.shed.series("incomplete_frames").raise(to: counters[.halfFrames])
        metrics.shed.series("write_queue").raise(to: ledger.refusedCommands)
    }

    private func refreshLanes() {
        for lane in LaneName.allCases {
            let figures = service.figures(of: lane)
            metrics.laneDepth.series(lane.rawValue).set(figures.depth)
            metrics.laneRefused.series(lane.rawValue).raise(to: figures.refused)
            metrics.laneDropped.series(lane.rawValue).raise(to: figures.dropped)
        }
    }

    /// What must be right for the daemon to be ready.
    func readiness(_ service: MethodService, _ settings: Settings) async -> [ReadinessCheck] {
        let isAnswering = await sockets.isAnswering()
        let figures = ledger.figures
        let apple = settings.apple
        let roots =
            (apple?.rootCertificateFiles ?? []) + (apple?.receiptRootCertificateFiles ?? [])
        // Under the catalog that is in force: a reload may have changed it.
        let cautions = Caution.all(settings, ledger.policy.source)
            .map { ReadinessCheck(name: $0.name, isOK: true, note: "amber: \($0.sentence)") }
        return [
            ReadinessCheck(name: "serving", isOK: service.phase == .serving),
            ReadinessCheck(
                name: "rpc",
                isOK: isAnswering,
                note: isAnswering ? "" : "a thread has answered nobody for a while"
            ),
            ReadinessCheck(
                name: "storage",
                isOK: !figures.isFull,
                note: figures.isFull ? "writes are refused, the disk is full" : "seq \(figures.seq)"
            ),
            spaceCheck,
            scrubCheck,
            ReadinessCheck(
                name: "store",
                isOK: true,
                note: storeNote
            ),
            ReadinessCheck(
                name: "roots",
                isOK: true,
                note: roots.isEmpty
                    ? "Apple Root CA - G3, built in"
                    : "replaced by \(roots.joined(separator: ", "))"
            ),
        ] + cautions + undatedCheck + rulesCheck
    }

    /// Amber where older rules made some of what is answered.
    private var rulesCheck: [ReadinessCheck] {
        guard ledger.rules != Rules.version else { return [] }
        let note =
            "amber: rules \(ledger.rules) made these tables, this release has \(Rules.version):"
            + " accounts of which nothing is heard keep what those made; stop the daemon and run"
            + " entitld compact --rebuild"
        return [ReadinessCheck(name: "rules", isOK: true, note: note)]
    }

    /// What each store that is asked was heard of.
    private var storeNote: String {
        guard reconcilers.count != 1 else { return reconcilers[0].progress.readiness }
        guard !reconcilers.isEmpty else { return "not asked" }
        return reconcilers.map { "\($0.store.name): \($0.progress.readiness)" }
            .joined(separator: "; ")
    }

    /// Amber where the catalog lacks the days of something that was bought.
    private var undatedCheck: [ReadinessCheck] {
        let products = UndatedProducts.all(ledger)
        guard !products.isEmpty else { return [] }
        let note =
            "amber: bought, and give no access, because the catalog names no days for them: "
            + products.joined(separator: ", ")
        return [ReadinessCheck(name: "days", isOK: true, note: note)]
    }
}
