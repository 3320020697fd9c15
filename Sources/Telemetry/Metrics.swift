// Telemetry keeps what operators see: metrics, and the log.
//
// In reading order:
//   Metrics          below: every metric, at zero from the start
//   Counter          a number that grows; Gauge, Histogram and Family beside it
//   Exposition       the page that Prometheus reads
//   LogSink          where lines go; LogBuffer keeps them for the thread that writes
//   LogKey           the fields that a line may have; LogLine makes texts harmless
//   LogSampler       a few lines of each kind in a minute
//
// Its laws:
//   1. Counting takes no lock and allocates nothing.
//   2. Labels have fixed values: nothing that a stranger sends becomes a series.
//   3. Logging never waits for the reader of the log; lines that find no room are counted.
//
// It never logs a user's id, a token, a signed document or a secret.

/// All metrics of the process, in the order in which they are shown; every series is there from the
/// start, at zero.
///
/// One declaration is all of a metric; docs/metrics.md says the same.
package final class Metrics: Sendable {
    let buildInfo: Family<Gauge>
    package let startTime = Gauge(
        "entitld_start_time_seconds",
        "When the daemon started, in seconds since 1970."
    )
    package let ready = Gauge(
        "entitld_ready",
        "1 while the daemon answers, 0 while it starts or stops."
    )
    package let reloads = Family<Counter>(
        "entitld_reloads_total",
        "Reloads asked for with SIGHUP; a failed one kept everything as it was.",
        [MetricAxis("result", MetricLabels.results)]
    )
    package let logLinesDropped = Counter(
        "entitld_log_lines_dropped_total",
        "Log lines that were dropped because nobody read the log in time."
    )
    package let rpcRequests: Family<Counter>
    package let connections = Family<Gauge>(
        "entitld_connections",
        "Connections open now.",
        [MetricAxis("listener", MetricLabels.listeners)]
    )
    package let accepted = Family<Counter>(
        "entitld_connections_accepted_total",
        "Connections accepted.",
        [MetricAxis("listener", MetricLabels.listeners)]
    )
    package let shed = Family<Counter>(
        "entitld_shed_total",
        "Requests and connections of the sockets turned away to stay within a limit.",
        [MetricAxis("reason", MetricLabels.shedReasons)]
    )
    package let waitingBytes = Family<Gauge>(
        "entitld_waiting_bytes",
        "Memory taken by what waits: replies unread, frames half read, requests unanswered, and"
            + " what is kept for watchers.",
        [
            MetricAxis("listener", MetricLabels.callers),
            MetricAxis("kind", MetricLabels.waitingKinds),
        ]
    )
    package let notifications = Family<Counter>(
        "entitld_webhook_notifications_total",
        "Notifications handled; the type is none where the notification is not genuine.",
        [
            MetricAxis("type", MetricLabels.notificationTypes),
            MetricAxis("result", MetricLabels.notificationResults),
        ]
    )
    package let webhookRefusals = Family<Counter>(
        "entitld_webhook_refusals_total",
        "Requests that the webhook listener refused before anybody looked at the body.",
        [MetricAxis("status", MetricLabels.refusalStatuses)]
    )
    package let webhookClosed = Family<Counter>(
        "entitld_webhook_closed_total",
        "Connections of the webhook listener closed without an answer.",
        [MetricAxis("reason", MetricLabels.closeReasons)]
    )
    package let webhookDuration = Histogram(
        "entitld_webhook_duration_seconds",
        "From the last byte of a notification to its answer.",
        divisor: 1_000_000_000,
        bounds: MetricBounds.nanoseconds
    )
    package let apiReplies = Family<Counter>(
        "entitld_api_replies_total",
        "Replies of the HTTPS door, by their status.",
        [MetricAxis("status", MetricLabels.replyStatuses)]
    )
    package let apiClosed = Family<Counter>(
        "entitld_api_closed_total",
        "Connections of the HTTPS door closed without a reply.",
        [MetricAxis("reason", MetricLabels.closeReasons)]
    )
    package let apiDuration = Histogram(
        "entitld_api_duration_seconds",
        "From the last byte of a request at the HTTPS door to its reply.",
        divisor: 1_000_000_000,
        bounds: MetricBounds.nanoseconds
    )
    package let verdicts = Family<Counter>(
        "entitld_jws_verify_total",
        "Signed documents (JWS) verified: each counts, inner ones too, whoever brought them.",
        [MetricAxis("result", MetricLabels.verdicts)]
    )
    package let chainCacheHits = Counter(
        "entitld_chain_cache_hits_total",
        "Certificate chains that were verified before and remembered."
    )
    package let chainCacheMisses = Counter(
        "entitld_chain_cache_misses_total",
        "Certificate chains that had to be verified."
    )
    package let unknownProducts = Counter(
        "entitld_unknown_products_total",
        "Facts about a product that no plan or pack of the catalog names."
    )
    package let undatedProducts = Counter(
        "entitld_undated_products_total",
        "Facts about a non-renewing subscription for which the catalog names no days."
    )
    package let duplicateSubscriptions = Counter(
        "entitld_duplicate_subscriptions_total",
        "Changes of purchases of users of whom two subscriptions renew."
    )
    package let catalogReviews = Counter(
        "entitld_catalog_reviews_total",
        "Walks through all purchases behind a new catalog, for what it gives for earlier ones."
    )
    package let commitDuration = Histogram(
        "entitld_commit_duration_seconds",
        "From the first command of a group taken to the group on disk and visible.",
        divisor: 1_000_000_000,
        bounds: MetricBounds.nanoseconds
    )
    package let commitBatch = Histogram(
        "entitld_commit_batch_commands",
        "Commands that shared one flush.",
        bounds: MetricBounds.counts
    )
    package let writeQueue = Gauge("entitld_write_queue_depth", "Commands waiting for the writer.")
    package let laneDepth = Family<Gauge>(
        "entitld_lane_depth",
        "Jobs that wait for a thread of their lane.",
        [MetricAxis("lane", MetricLabels.lanes)]
    )
    package let laneRefused = Family<Counter>(
        "entitld_lane_refused_total",
        "Jobs refused because too many waited in their lane, or too many of one caller or session.",
        [MetricAxis("lane", MetricLabels.lanes)]
    )
    package let laneDropped = Family<Counter>(
        "entitld_lane_dropped_total",
        "Jobs that were not done because their connection had ended.",
        [MetricAxis("lane", MetricLabels.lanes)]
    )
    package let storageFull = Gauge(
        "entitld_storage_full",
        "1 while writes are refused for want of space."
    )
    package let journalSeq = Gauge(
        "entitld_journal_seq",
        "The position of the newest entry of the journal."
    )
    package let journalBytes = Gauge("entitld_journal_bytes", "The size of the journal's segments.")
    package let journalPrunedSeq = Gauge(
        "entitld_journal_pruned_seq",
        "The newest position that was pruned from the journal; 0 while everything is there."
    )
    package let prunings = Family<Counter>(
        "entitld_prunings_total",
        "Looks whether the journal can be pruned, by what became of them.",
        [MetricAxis("result", MetricLabels.pruneResults)]
    )
    package let scrubBytes = Counter(
        "entitld_scrub_bytes_total",
        "Bytes of the views, the base and the journal that were read to find rot."
    )
    package let scrubPace = Gauge(
        "entitld_scrub_pace_bytes_per_second",
        "How fast the scrub under way reads, or the last one did."
    )
    package let scrubRounds = Counter("entitld_scrub_rounds_total", "Scrubs that read everything.")
    package let scrubTime = Gauge(
        "entitld_scrub_time_seconds",
        "When the last scrub came to its end, in seconds since 1970; 0 before any."
    )
    package let damageFound = Family<Gauge>(
        "entitld_damage_found",
        "1 while the scrub's last look at these files found something that was not written.",
        [MetricAxis("kind", MetricLabels.scrubPlaces)]
    )
    package let clockJumps = Counter(
        "entitld_clock_jumps_total",
        "Jumps of the wall clock by more than a minute."
    )
    package let accounts = Gauge("entitld_accounts", "Accounts kept.")
    package let subscriptions = Gauge("entitld_subscriptions", "Subscriptions kept.")
    package let lmdbMapBytes = Gauge(
        "entitld_lmdb_map_bytes",
        "The address space of the views' map."
    )
    package let lmdbUsedBytes = Gauge(
        "entitld_lmdb_used_bytes",
        "The part of the views' map in use."
    )
    package let lmdbReaders = Gauge("entitld_lmdb_readers", "Reader slots taken.")
    package let lmdbReaderLag = Gauge(
        "entitld_lmdb_oldest_reader_lag_transactions",
        "How many transactions the oldest reader is behind."
    )
    package let lmdbOldestView = Gauge(
        "entitld_lmdb_oldest_view_seconds",
        "How long the oldest reader has held a view that is behind the last transaction."
    )
    package let lmdbStaleReaders = Counter(
        "entitld_lmdb_stale_readers_total",
        "Reader slots of processes that had died, freed."
    )
    package let diskBytes = Gauge(
        "entitld_disk_bytes",
        "The size of the file system of the data directory."
    )
    package let diskFreeBytes = Gauge("entitld_disk_free_bytes", "What is free of it.")
    package let spaceTaken = Family<Gauge>(
        "entitld_space_taken_bytes_per_day",
        "How fast space is taken, by the last day; 0 in the first hour.",
        [Metrics.space]
    )
    package let spaceDaysLeft = Family<Gauge>(
        "entitld_space_days_left",
        "How many days the space lasts at that rate; 36500 where none is taken.",
        [Metrics.space]
    )
    package let storeRequests = Family<Counter>(
        "entitld_store_requests_total",
        "Requests sent to the store's API, repeats included.",
        [Metrics.environment]
    )
    package let storeRequestFailures = Family<Counter>(
        "entitld_store_request_failures_total",
        "Of those, the ones that were too many, and the ones without an answer or with 5xx.",
        [Metrics.environment, MetricAxis("reason", MetricLabels.storeFailures)]
    )
    package let storeCircuitOpen = Family<Gauge>(
        "entitld_store_circuit_open",
        "1 while no request goes to the store, because it does not answer.",
        [Metrics.environment]
    )
    package let storeSilent = Gauge(
        "entitld_store_silent",
        "1 while the store is silent although renewals were due."
    )
    package let renewalsMissed = Gauge(
        "entitld_store_renewals_missed",
        "Renewals that were due and silent since the store was last heard; counted up to 20."
    )
    package let walks = Family<Counter>(
        "entitld_reconcile_walks_total",
        "Walks through the notification history that ended; a failed one moved no mark.",
        [Metrics.environment, MetricAxis("result", MetricLabels.results)]
    )
    package let walkTime = Family<Gauge>(
        "entitld_reconcile_walk_time_seconds",
        "When the last completed walk of this kind began, in seconds since 1970; 0 before any.",
        [Metrics.environment, MetricAxis("kind", MetricLabels.walkKinds)]
    )
    package let walkDocuments = Family<Gauge>(
        "entitld_reconcile_walk_notifications",
        "Notifications read by the walk under way; 0 between walks.",
        [Metrics.environment]
    )
    package let sweepTime = Gauge(
        "entitld_reconcile_sweep_time_seconds",
        "When the last sweep came to its end, in seconds since 1970; 0 before any."
    )
    package let sweepRunning = Gauge(
        "entitld_reconcile_sweep_running",
        "1 while every active subscription is asked about."
    )
    package let sweepLooked = Gauge(
        "entitld_reconcile_sweep_subscriptions",
        "Subscriptions that the sweep under way, or the last one, has passed."
    )
    package let sweepAsked = Gauge(
        "entitld_reconcile_sweep_asked",
        "Of those, the ones that the store was asked about."
    )
    package let notificationsWaiting = Gauge(
        "entitld_notifications_waiting",
        "Notifications on disk of which their store has still to be asked."
    )
    package let unacknowledged = Family<Gauge>(
        "entitld_unacknowledged_purchases",
        "Purchases that their store waits to hear of, at the last look.",
        [MetricAxis("reason", MetricLabels.unheard)]
    )
    package let unacknowledgedSince = Gauge(
        "entitld_unacknowledged_since_seconds",
        "When the oldest of them was made, in seconds since 1970; 0 without any."
    )
    package let silentAsked = Counter(
        "entitld_reconcile_silent_asked_total",
        "Questions about renewals that were due soon, or due, and not heard."
    )
    package let reconciled = Family<Counter>(
        "entitld_reconcile_documents_total",
        "Answers of the store with something newer, and documents that do not verify.",
        [MetricAxis("result", MetricLabels.reconciled)]
    )
    package let outboxPosts: Family<Counter>
    package let outboxBehind: Family<Gauge>
    package let outboxWaiting: Family<Gauge>
    package let outboxParked: Family<Gauge>
    package let outboxDown: Family<Gauge>
    let cpuSeconds = Counter(
        "process_cpu_seconds_total",
        "User and system CPU time spent, in seconds.",
        divisor: 1_000_000
    )
    let residentBytes = Gauge(
        "process_resident_memory_bytes",
        "Resident memory, the touched pages of the views' map among it."
    )
    let virtualBytes = Gauge(
        "process_virtual_memory_bytes",
        "Address space, the views' whole map among it."
    )
    let openDescriptors = Gauge("process_open_fds", "File descriptors open now.")
    let descriptorsMax = Gauge("process_max_fds", "File descriptors that may be open.")
    let processStart = Gauge(
        "process_start_time_seconds",
        "When the process started, in seconds since 1970.",
        divisor: 100
    )

    /// The metrics of a daemon of this version, which answers these methods; `other` stands for a
    /// name that is none.
    package init(version: String, methods: [String] = [], outboxes: [String] = []) {
        buildInfo = Family(
            "entitld_build_info",
            "Always 1; the label tells the running version.",
            [MetricAxis("version", [version])]
        )
        buildInfo.series(version).set(1)
        rpcRequests = Family(
            "entitld_rpc_requests_total",
            "Requests answered on the sockets and at the HTTPS door; the code is ok or the error's "
                + "data.code. What is no request counts as other.",
            [MetricAxis("method", methods + ["other"]), MetricAxis("code", MetricLabels.rpcCodes)]
        )
        let outbox = MetricAxis("outbox", outboxes)
        outboxPosts = Family(
            "entitld_outbox_posts_total",
            "Posts to other systems, and changes given up or skipped, by what became of them.",
            [outbox, MetricAxis("result", MetricLabels.outboxResults)]
        )
        outboxBehind = Family(
            "entitld_outbox_behind",
            "Positions of the journal that an outbox has still to read.",
            [outbox]
        )
        outboxWaiting = Family(
            "entitld_outbox_waiting",
            "Changes that an outbox has read and that are not delivered.",
            [outbox]
        )
        outboxParked = Family(
            "entitld_outbox_parked",
            "Changes that were given up, mostly after three days.",
            [outbox]
        )
        outboxDown = Family(
            "entitld_outbox_down",
            "1 while nothing goes through to the system that an outbox tells.",
            [outbox]
        )
    }

    private static let environment = MetricAxis("environment", MetricLabels.environments)
    private static let space = MetricAxis("place", MetricLabels.spaces)

    private var all: [any Metric] {
        // The properties, as they are declared above.
        Mirror(reflecting: self).children.compactMap { $0.value as? any Metric }
    }

    /// What each is called and means.
    package var descriptions: [MetricDescription] { all.map(\.description) }

    /// All series in Prometheus' text format 0.0.4.
    package func exposition() -> String {
        var page = Exposition()
        for metric in all {
            page.head(metric.description)
            metric.write(to: &page)
        }
        return page.text
    }

    /// Reads what the kernel says about this process; runs before each page.
    package func refreshProcess() {
        let figures = ProcessFigures.now()
        cpuSeconds.raise(to: figures.cpuMicroseconds)
        residentBytes.set(figures.residentBytes)
        virtualBytes.set(figures.virtualBytes)
        openDescriptors.set(figures.openDescriptors)
        descriptorsMax.set(figures.descriptorsMax)
        processStart.set(figures.startCentiseconds)
    }
}

/// Bounds that several histograms share.
enum MetricBounds {
    /// 50 µs to 10 s.
    static let nanoseconds = [
        50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000,
        25_000_000, 50_000_000, 100_000_000, 250_000_000, 500_000_000, 1_000_000_000,
        2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]
    /// 1 to 4,096 by doubling.
    static let counts = (0...12).map { 1 << $0 }
}
