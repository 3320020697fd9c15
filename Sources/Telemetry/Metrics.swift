/// All metrics of the process, every series there from the start, at zero.
package final class Metrics: Sendable {
    private let version: String

    /// When the daemon started, in seconds since 1970.
    package let startTime = Gauge()
    /// 1 while the daemon answers.
    package let ready = Gauge()
    /// Reloads {result}.
    package let reloads = Metrics.counters(MetricCatalogue.reloads)
    /// Log lines that were dropped.
    package let logLinesDropped = Counter()
    /// Requests on the sockets {method, code}.
    package let rpcRequests: Family<Counter>
    /// Connections open now {listener}.
    package let connections = Metrics.gauges(MetricCatalogue.connections)
    /// Connections accepted {listener}.
    package let accepted = Metrics.counters(MetricCatalogue.accepted)
    /// Turned away on the sockets {reason}.
    package let shed = Metrics.counters(MetricCatalogue.shed)
    /// Bytes that wait on the sockets {listener, kind}.
    package let waitingBytes = Metrics.gauges(MetricCatalogue.waitingBytes)
    /// Notifications handled {type, result}.
    package let notifications = Metrics.counters(MetricCatalogue.notifications)
    /// Refused by the webhook listener itself {status}.
    package let webhookRefusals = Metrics.counters(MetricCatalogue.webhookRefusals)
    /// Closed by the webhook listener without an answer {reason}.
    package let webhookClosed = Metrics.counters(MetricCatalogue.webhookClosed)
    /// From the last byte of a notification to its answer, in nanoseconds.
    package let webhookDuration = Metrics.histogram(MetricCatalogue.webhookDuration)
    /// Signed documents verified {result}.
    package let verdicts = Metrics.counters(MetricCatalogue.verdicts)
    /// Chains remembered.
    package let chainCacheHits = Counter()
    /// Chains verified.
    package let chainCacheMisses = Counter()
    /// Facts about products outside the catalog.
    package let unknownProducts = Counter()
    /// Facts about non-renewing subscriptions without days.
    package let undatedProducts = Counter()
    /// Walks through all purchases behind a new catalog.
    package let catalogReviews = Counter()
    /// How long groups take, in nanoseconds.
    package let commitDuration = Metrics.histogram(MetricCatalogue.commitDuration)
    /// How many commands share a flush.
    package let commitBatch = Metrics.histogram(MetricCatalogue.commitBatch)
    /// Commands waiting for the writer.
    package let writeQueue = Gauge()
    /// Jobs that wait {lane}.
    package let laneDepth = Metrics.gauges(MetricCatalogue.laneDepth)
    /// Jobs that were refused {lane}.
    package let laneRefused = Metrics.counters(MetricCatalogue.laneRefused)
    /// Jobs for which nobody waited any more {lane}.
    package let laneDropped = Metrics.counters(MetricCatalogue.laneDropped)
    /// 1 while writes are refused for want of space.
    package let storageFull = Gauge()
    /// The journal's newest position.
    package let journalSeq = Gauge()
    /// The size of the journal.
    package let journalBytes = Gauge()
    /// The newest position that was pruned.
    package let journalPrunedSeq = Gauge()
    /// Looks whether the journal can be pruned {result}.
    package let prunings = Metrics.counters(MetricCatalogue.prunings)
    /// Bytes that scrubs read.
    package let scrubBytes = Counter()
    /// How fast.
    package let scrubPace = Gauge()
    /// Scrubs that came to their end.
    package let scrubRounds = Counter()
    /// When the last one did, in seconds since 1970.
    package let scrubTime = Gauge()
    /// 1 where the last look found damage {kind}.
    package let damageFound = Metrics.gauges(MetricCatalogue.damageFound)
    /// Jumps of the wall clock.
    package let clockJumps = Counter()
    /// Accounts kept.
    package let accounts = Gauge()
    /// Subscriptions kept.
    package let subscriptions = Gauge()
    /// The views' address space.
    package let lmdbMapBytes = Gauge()
    /// The part of it in use.
    package let lmdbUsedBytes = Gauge()
    /// Reader slots taken.
    package let lmdbReaders = Gauge()
    /// How far the oldest reader is behind.
    package let lmdbReaderLag = Gauge()
    /// For how many seconds.
    package let lmdbOldestView = Gauge()
    /// Reader slots of processes that had died.
    package let lmdbStaleReaders = Counter()
    /// The size of the data directory's file system.
    package let diskBytes = Gauge()
    /// What is free of it.
    package let diskFreeBytes = Gauge()
    /// Bytes that are taken in a day {place}.
    package let spaceTaken = Metrics.gauges(MetricCatalogue.spaceTaken)
    /// How many days what is left lasts {place}.
    package let spaceDaysLeft = Metrics.gauges(MetricCatalogue.spaceDaysLeft)
    /// Requests to the store's API {environment}.
    package let storeRequests = Metrics.counters(MetricCatalogue.storeRequests)
    /// Of those, the ones that came to nothing {environment, reason}.
    package let storeRequestFailures = Metrics.counters(MetricCatalogue.storeRequestFailures)
    /// 1 while no request goes to the store {environment}.
    package let storeCircuitOpen = Metrics.gauges(MetricCatalogue.storeCircuitOpen)
    /// 1 while the store is silent against expectation.
    package let storeSilent = Gauge()
    /// Renewals missed since the store was last heard.
    package let renewalsMissed = Gauge()
    /// Walks through the notification history {environment, result}.
    package let walks = Metrics.counters(MetricCatalogue.walks)
    /// When the last completed one began {environment, kind}.
    package let walkTime = Metrics.gauges(MetricCatalogue.walkTime)
    /// Notifications read by the walk under way {environment}.
    package let walkDocuments = Metrics.gauges(MetricCatalogue.walkDocuments)
    /// When the last sweep came to its end.
    package let sweepTime = Gauge()
    /// 1 while a sweep is under way.
    package let sweepRunning = Gauge()
    /// Subscriptions that the sweep has passed.
    package let sweepLooked = Gauge()
    /// Of those, the ones asked about.
    package let sweepAsked = Gauge()
    /// Subscriptions asked about because of their silence.
    package let silentAsked = Counter()
    /// What became of what the store's API answered {result}.
    package let reconciled = Metrics.counters(MetricCatalogue.reconciled)
    /// What the kernel says about the process; set from `ProcessFigures`.
    let process = ProcessGauges()

    /// The metrics of a daemon of this version, which answers these methods; `other` stands for a
    /// name that is none.
    package init(version: String, methods: [String] = []) {
        self.version = version
        let axes = [
            MetricAxis("method", methods + ["other"]), MetricAxis("code", MetricLabels.rpcCodes),
        ]
        rpcRequests = Family(axes: axes) { Counter() }
    }

    /// All series in Prometheus' text format 0.0.4.
    package func exposition() -> String {
        var page = Exposition()
        page.info(MetricCatalogue.buildInfo, labels: [version])
        page.gauge(MetricCatalogue.startTime, startTime)
        page.gauge(MetricCatalogue.ready, ready)
        page.counters(MetricCatalogue.reloads, reloads)
        page.counter(MetricCatalogue.logLinesDropped, logLinesDropped)
        page.counters(MetricCatalogue.rpcRequests, rpcRequests)
        page.gauges(MetricCatalogue.connections, connections)
        page.counters(MetricCatalogue.accepted, accepted)
        page.counters(MetricCatalogue.shed, shed)
        page.gauges(MetricCatalogue.waitingBytes, waitingBytes)
        page.counters(MetricCatalogue.notifications, notifications)
        page.counters(MetricCatalogue.webhookRefusals, webhookRefusals)
        page.counters(MetricCatalogue.webhookClosed, webhookClosed)
        page.histogram(MetricCatalogue.webhookDuration, webhookDuration)
        page.counters(MetricCatalogue.verdicts, verdicts)
        page.counter(MetricCatalogue.chainCacheHits, chainCacheHits)
        page.counter(MetricCatalogue.chainCacheMisses, chainCacheMisses)
        page.counter(MetricCatalogue.unknownProducts, unknownProducts)
        page.counter(MetricCatalogue.undatedProducts, undatedProducts)
        page.counter(MetricCatalogue.catalogReviews, catalogReviews)
        page.histogram(MetricCatalogue.commitDuration, commitDuration)
        page.histogram(MetricCatalogue.commitBatch, commitBatch)
        page.gauge(MetricCatalogue.writeQueue, writeQueue)
        page.gauges(MetricCatalogue.laneDepth, laneDepth)
        page.counters(MetricCatalogue.laneRefused, laneRefused)
        page.counters(MetricCatalogue.laneDropped, laneDropped)
        page.gauge(MetricCatalogue.storageFull, storageFull)
        page.gauge(MetricCatalogue.journalSeq, journalSeq)
        page.gauge(MetricCatalogue.journalBytes, journalBytes)
        page.gauge(MetricCatalogue.journalPrunedSeq, journalPrunedSeq)
        page.counters(MetricCatalogue.prunings, prunings)
        page.counter(MetricCatalogue.scrubBytes, scrubBytes)
        page.gauge(MetricCatalogue.scrubPace, scrubPace)
        page.counter(MetricCatalogue.scrubRounds, scrubRounds)
        page.gauge(MetricCatalogue.scrubTime, scrubTime)
        page.gauges(MetricCatalogue.damageFound, damageFound)
        page.counter(MetricCatalogue.clockJumps, clockJumps)
        page.gauge(MetricCatalogue.accounts, accounts)
        page.gauge(MetricCatalogue.subscriptions, subscriptions)
        page.gauge(MetricCatalogue.lmdbMapBytes, lmdbMapBytes)
        page.gauge(MetricCatalogue.lmdbUsedBytes, lmdbUsedBytes)
        page.gauge(MetricCatalogue.lmdbReaders, lmdbReaders)
        page.gauge(MetricCatalogue.lmdbReaderLag, lmdbReaderLag)
        page.gauge(MetricCatalogue.lmdbOldestView, lmdbOldestView)
        page.counter(MetricCatalogue.lmdbStaleReaders, lmdbStaleReaders)
        page.gauge(MetricCatalogue.diskBytes, diskBytes)
        page.gauge(MetricCatalogue.diskFreeBytes, diskFreeBytes)
        page.gauges(MetricCatalogue.spaceTaken, spaceTaken)
        page.gauges(MetricCatalogue.spaceDaysLeft, spaceDaysLeft)
        writeStore(to: &page)
        process.write(to: &page)
        return page.text
    }

    private func writeStore(to page: inout Exposition) {
        page.counters(MetricCatalogue.storeRequests, storeRequests)
        page.counters(MetricCatalogue.storeRequestFailures, storeRequestFailures)
        page.gauges(MetricCatalogue.storeCircuitOpen, storeCircuitOpen)
        page.gauge(MetricCatalogue.storeSilent, storeSilent)
        page.gauge(MetricCatalogue.renewalsMissed, renewalsMissed)
        page.counters(MetricCatalogue.walks, walks)
        page.gauges(MetricCatalogue.walkTime, walkTime)
        page.gauges(MetricCatalogue.walkDocuments, walkDocuments)
        page.gauge(MetricCatalogue.sweepTime, sweepTime)
        page.gauge(MetricCatalogue.sweepRunning, sweepRunning)
        page.gauge(MetricCatalogue.sweepLooked, sweepLooked)
        page.gauge(MetricCatalogue.sweepAsked, sweepAsked)
        page.counter(MetricCatalogue.silentAsked, silentAsked)
        page.counters(MetricCatalogue.reconciled, reconciled)
    }

    private static func counters(_ description: MetricDescription) -> Family<Counter> {
        Family(axes: description.axes) { Counter() }
    }

    private static func gauges(_ description: MetricDescription) -> Family<Gauge> {
        Family(axes: description.axes) { Gauge() }
    }

    private static func histogram(_ description: MetricDescription) -> Histogram {
        Histogram(bounds: description.bounds)
    }
}
