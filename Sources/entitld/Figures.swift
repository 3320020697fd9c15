import DaemonConfiguration
import Ledger
import Methods
import Sockets
import Synchronization
import Telemetry
import Webhooks

/// Sets the gauges that nobody keeps current, and says whether the daemon is ready.
final class Figures: Sendable {
    private let ledger: Ledger
    private let sockets: RPCServer
    private let metrics: Metrics
    private let counted = Mutex(LedgerFigures())

    init(ledger: Ledger, sockets: RPCServer, metrics: Metrics) {
        self.ledger = ledger
        self.sockets = sockets
        self.metrics = metrics
    }

    /// Runs before each page of metrics.
    func refresh() {
        let now = ledger.figures
        let before = counted.withLock { counted in
            defer { counted = now }
            return counted
        }
        metrics.connections.series("app").set(sockets.connections)
        metrics.journalSeq.set(Int(now.seq))
        metrics.writeQueue.set(now.queueDepth)
        metrics.storageFull.set(now.isFull ? 1 : 0)
        metrics.clockJumps.increment(by: Int(now.clockJumps - before.clockJumps))
        metrics.unknownProducts.increment(by: Int(now.unknownProducts - before.unknownProducts))
        if let views = try? ledger.viewFigures() {
            metrics.lmdbMapBytes.set(views.mapBytes)
            metrics.lmdbUsedBytes.set(views.usedBytes)
            metrics.lmdbReaders.set(views.readers)
            metrics.lmdbReaderLag.set(views.oldestReaderLag)
        }
    }

    /// What must be right for the daemon to be ready.
    func readiness(_ service: MethodService, _ settings: Settings) -> [ReadinessCheck] {
        let figures = ledger.figures
        let roots = settings.apple?.rootCertificateFiles ?? []
        return [
            ReadinessCheck(name: "serving", isOK: service.phase == .serving),
            ReadinessCheck(
                name: "storage",
                isOK: !figures.isFull,
                note: figures.isFull ? "writes are refused, the disk is full" : "seq \(figures.seq)"
            ),
            ReadinessCheck(
                name: "roots",
                isOK: true,
                note: roots.isEmpty
                    ? "Apple Root CA - G3, built in"
                    : "replaced by \(roots.joined(separator: ", "))"
            ),
        ]
    }
}
