/// Every metric that exists, in the order in which they are shown.
///
/// docs/metrics.md says the same.
package enum MetricCatalogue {
    static let buildInfo = MetricDescription(
        "entitld_build_info",
        .gauge,
        "Always 1; the label tells the running version.",
        axes: [MetricAxis("version", [])]
    )
    static let startTime = MetricDescription(
        "entitld_start_time_seconds",
        .gauge,
        "When the daemon started, in seconds since 1970."
    )
    static let ready = MetricDescription(
        "entitld_ready",
        .gauge,
        "1 while the daemon answers, 0 while it starts or stops."
    )
    static let reloads = MetricDescription(
        "entitld_reloads_total",
        .counter,
        "Reloads asked for with SIGHUP; a failed one kept everything as it was.",
        axes: [MetricAxis("result", MetricLabels.results)]
    )
    static let logLinesDropped = MetricDescription(
        "entitld_log_lines_dropped_total",
        .counter,
        "Log lines that were dropped because nobody read the log in time."
    )
    static let rpcRequests = MetricDescription(
        "entitld_rpc_requests_total",
        .counter,
        "Requests answered on the sockets; the code is ok or the error's data.code."
            + " What is no request counts as other.",
        axes: [
            MetricAxis("method", []),
            MetricAxis("code", MetricLabels.rpcCodes),
        ]
    )
    static let connections = MetricDescription(
        "entitld_connections",
        .gauge,
        "Connections open now.",
        axes: [MetricAxis("listener", MetricLabels.listeners)]
    )
    static let accepted = MetricDescription(
        "entitld_connections_accepted_total",
        .counter,
        "Connections accepted.",
        axes: [MetricAxis("listener", MetricLabels.listeners)]
    )
    static let shed = MetricDescription(
        "entitld_shed_total",
        .counter,
        "Requests and connections of the sockets turned away to stay within a limit.",
        axes: [MetricAxis("reason", MetricLabels.shedReasons)]
    )
    static let waitingBytes = MetricDescription(
        "entitld_waiting_bytes",
        .gauge,
        "Memory taken by what waits: replies unread, frames half read, requests unanswered, and"
            + " what is kept for watchers.",
        axes: [
            MetricAxis("listener", MetricLabels.sockets),
            MetricAxis("kind", MetricLabels.waitingKinds),
        ]
    )
    static let notifications = MetricDescription(
        "entitld_webhook_notifications_total",
        .counter,
        "Notifications handled; the type is none where the notification is not genuine.",
        axes: [
            MetricAxis("type", MetricLabels.notificationTypes),
            MetricAxis("result", MetricLabels.notificationResults),
        ]
    )
    static let webhookRefusals = MetricDescription(
        "entitld_webhook_refusals_total",
        .counter,
        "Requests that the webhook listener refused before anybody looked at the body.",
        axes: [MetricAxis("status", MetricLabels.refusalStatuses)]
    )
    static let webhookClosed = MetricDescription(
        "entitld_webhook_closed_total",
        .counter,
        "Connections of the webhook listener closed without an answer.",
        axes: [MetricAxis("reason", MetricLabels.closeReasons)]
    )
    static let webhookDuration = MetricDescription(
        "entitld_webhook_duration_seconds",
        .histogram,
        "From the last byte of a notification to its answer.",
        divisor: 1_000_000_000,
        bounds: MetricBounds.nanoseconds
    )
    static let verdicts = MetricDescription(
        "entitld_jws_verify_total",
        .counter,
        "Signed documents (JWS) verified: each counts, inner ones too, whoever brought them.",
        axes: [MetricAxis("result", MetricLabels.verdicts)]
    )
    static let chainCacheHits = MetricDescription(
        "entitld_chain_cache_hits_total",
        .counter,
        "Certificate chains that were verified before and remembered."
    )
    static let chainCacheMisses = MetricDescription(
        "entitld_chain_cache_misses_total",
        .counter,
        "Certificate chains that had to be verified."
    )
    static let unknownProducts = MetricDescription(
        "entitld_unknown_products_total",
        .counter,
        "Facts about a product that no plan or pack of the catalog names."
    )
    static let undatedProducts = MetricDescription(
        "entitld_undated_products_total",
        .counter,
        "Facts about a non-renewing subscription for which the catalog names no days."
    )
    static let catalogReviews = MetricDescription(
        "entitld_catalog_reviews_total",
        .counter,
        "Walks through all purchases behind a new catalog, for what it gives for earlier ones."
    )
    static let commitDuration = MetricDescription(
        "entitld_commit_duration_seconds",
        .histogram,
        "From the first command of a group taken to the group on disk and visible.",
        divisor: 1_000_000_000,
        bounds: MetricBounds.nanoseconds
    )
    static let commitBatch = MetricDescription(
        "entitld_commit_batch_commands",
        .histogram,
        "Commands that shared one flush.",
        bounds: MetricBounds.counts
    )
    static let writeQueue = MetricDescription(
        "entitld_write_queue_depth",
        .gauge,
        "Commands waiting for the writer."
    )
    static let laneDepth = MetricDescription(
        "entitld_lane_depth",
        .gauge,
        "Jobs that wait for a thread of their lane.",
        axes: [MetricAxis("lane", MetricLabels.lanes)]
    )
    static let laneRefused = MetricDescription(
        "entitld_lane_refused_total",
        .counter,
        "Jobs refused because too many waited in their lane, or too many of one caller or session.",
        axes: [MetricAxis("lane", MetricLabels.lanes)]
    )
    static let laneDropped = MetricDescription(
        "entitld_lane_dropped_total",
        .counter,
        "Jobs that were not done because their connection had ended.",
        axes: [MetricAxis("lane", MetricLabels.lanes)]
    )
    static let storageFull = MetricDescription(
        "entitld_storage_full",
        .gauge,
        "1 while writes are refused for want of space."
    )
    static let journalSeq = MetricDescription(
        "entitld_journal_seq",
        .gauge,
        "The position of the newest entry of the journal."
    )
    static let journalBytes = MetricDescription(
        "entitld_journal_bytes",
        .gauge,
        "The size of the journal's segments."
    )
    static let journalPrunedSeq = MetricDescription(
        "entitld_journal_pruned_seq",
        .gauge,
        "The newest position that was pruned from the journal; 0 while everything is there."
    )
    static let prunings = MetricDescription(
        "entitld_prunings_total",
        .counter,
        "Looks whether the journal can be pruned, by what became of them.",
        axes: [MetricAxis("result", MetricLabels.pruneResults)]
    )
    static let scrubBytes = MetricDescription(
        "entitld_scrub_bytes_total",
        .counter,
        "Bytes of the views, the base and the journal that were read to find rot."
    )
    static let scrubPace = MetricDescription(
        "entitld_scrub_pace_bytes_per_second",
        .gauge,
        "How fast the scrub under way reads, or the last one did."
    )
    static let scrubRounds = MetricDescription(
        "entitld_scrub_rounds_total",
        .counter,
        "Scrubs that read everything."
    )
    static let scrubTime = MetricDescription(
        "entitld_scrub_time_seconds",
        .gauge,
        "When the last scrub came to its end, in seconds since 1970; 0 before any."
    )
    static let damageFound = MetricDescription(
        "entitld_damage_found",
        .gauge,
        "1 while the scrub's last look at these files found something that was not written.",
        axes: [MetricAxis("kind", MetricLabels.scrubPlaces)]
    )
    static let clockJumps = MetricDescription(
        "entitld_clock_jumps_total",
        .counter,
        "Jumps of the wall clock by more than a minute."
    )
    static let accounts = MetricDescription(
        "entitld_accounts",
        .gauge,
        "Accounts kept."
    )
    static let subscriptions = MetricDescription(
        "entitld_subscriptions",
        .gauge,
        "Subscriptions kept."
    )
    static let lmdbMapBytes = MetricDescription(
        "entitld_lmdb_map_bytes",
        .gauge,
        "The address space of the views' map."
    )
    static let lmdbUsedBytes = MetricDescription(
        "entitld_lmdb_used_bytes",
        .gauge,
        "The part of the views' map in use."
    )
    static let lmdbReaders = MetricDescription(
        "entitld_lmdb_readers",
        .gauge,
        "Reader slots taken."
    )
    static let lmdbReaderLag = MetricDescription(
        "entitld_lmdb_oldest_reader_lag_transactions",
        .gauge,
        "How many transactions the oldest reader is behind."
    )
    static let lmdbOldestView = MetricDescription(
        "entitld_lmdb_oldest_view_seconds",
        .gauge,
        "How long the oldest reader has held a view that is behind the last transaction."
    )
    static let lmdbStaleReaders = MetricDescription(
        "entitld_lmdb_stale_readers_total",
        .counter,
        "Reader slots of processes that had died, freed."
    )
    static let diskBytes = MetricDescription(
        "entitld_disk_bytes",
        .gauge,
        "The size of the file system of the data directory."
    )
    static let diskFreeBytes = MetricDescription(
        "entitld_disk_free_bytes",
        .gauge,
        "What is free of it."
    )
    private static let space = MetricAxis("place", MetricLabels.spaces)
    static let spaceTaken = MetricDescription(
        "entitld_space_taken_bytes_per_day",
        .gauge,
        "How fast space is taken, by the last day; 0 in the first hour.",
        axes: [space]
    )
    static let spaceDaysLeft = MetricDescription(
        "entitld_space_days_left",
        .gauge,
        "How many days the space lasts at that rate; 36500 where none is taken.",
        axes: [space]
    )
    static let storeRequests = MetricDescription(
        "entitld_store_requests_total",
        .counter,
        "Requests sent to the store's API, repeats included.",
        axes: [environment]
    )
    static let storeRequestFailures = MetricDescription(
        "entitld_store_request_failures_total",
        .counter,
        "Of those, the ones that were too many, and the ones without an answer or with 5xx.",
        axes: [environment, MetricAxis("reason", MetricLabels.storeFailures)]
    )
    static let storeCircuitOpen = MetricDescription(
        "entitld_store_circuit_open",
        .gauge,
        "1 while no request goes to the store, because it does not answer.",
        axes: [environment]
    )
    static let storeSilent = MetricDescription(
        "entitld_store_silent",
        .gauge,
        "1 while the store is silent although renewals were due."
    )
    static let renewalsMissed = MetricDescription(
        "entitld_store_renewals_missed",
        .gauge,
        "Renewals that were due and silent since the store was last heard; counted up to 20."
    )
    static let walks = MetricDescription(
        "entitld_reconcile_walks_total",
        .counter,
        "Walks through the notification history that ended; a failed one moved no mark.",
        axes: [environment, MetricAxis("result", MetricLabels.results)]
    )
    static let walkTime = MetricDescription(
        "entitld_reconcile_walk_time_seconds",
        .gauge,
        "When the last completed walk of this kind began, in seconds since 1970; 0 before any.",
        axes: [environment, MetricAxis("kind", MetricLabels.walkKinds)]
    )
    static let walkDocuments = MetricDescription(
        "entitld_reconcile_walk_notifications",
        .gauge,
        "Notifications read by the walk under way; 0 between walks.",
        axes: [environment]
    )
    static let sweepTime = MetricDescription(
        "entitld_reconcile_sweep_time_seconds",
        .gauge,
        "When the last sweep came to its end, in seconds since 1970; 0 before any."
    )
    static let sweepRunning = MetricDescription(
        "entitld_reconcile_sweep_running",
        .gauge,
        "1 while every active subscription is asked about."
    )
    static let sweepLooked = MetricDescription(
        "entitld_reconcile_sweep_subscriptions",
        .gauge,
        "Subscriptions that the sweep under way, or the last one, has passed."
    )
    static let sweepAsked = MetricDescription(
        "entitld_reconcile_sweep_asked",
        .gauge,
        "Of those, the ones that the store was asked about."
    )
    static let silentAsked = MetricDescription(
        "entitld_reconcile_silent_asked_total",
        .counter,
        "Questions about renewals that were due soon, or due, and not heard."
    )
    static let reconciled = MetricDescription(
        "entitld_reconcile_documents_total",
        .counter,
        "Answers of the store with something newer, and documents that do not verify.",
        axes: [MetricAxis("result", MetricLabels.reconciled)]
    )
    static let cpuSeconds = MetricDescription(
        "process_cpu_seconds_total",
        .counter,
        "User and system CPU time spent, in seconds.",
        divisor: 1_000_000
    )
    static let residentBytes = MetricDescription(
        "process_resident_memory_bytes",
        .gauge,
        "Resident memory, the touched pages of the views' map among it."
    )
    static let virtualBytes = MetricDescription(
        "process_virtual_memory_bytes",
        .gauge,
        "Address space, the views' whole map among it."
    )
    static let openDescriptors = MetricDescription(
        "process_open_fds",
        .gauge,
        "File descriptors open now."
    )
    static let descriptorsMax = MetricDescription(
        "process_max_fds",
        .gauge,
        "File descriptors that may be open."
    )
    static let processStart = MetricDescription(
        "process_start_time_seconds",
        .gauge,
        "When the process started, in seconds since 1970.",
        divisor: 100
    )

    private static let environment = MetricAxis("environment", MetricLabels.environments)

    /// All of them.
    package static let all: [MetricDescription] = [
        buildInfo, startTime, ready, reloads, logLinesDropped,
        rpcRequests, connections, accepted, shed, waitingBytes,
        notifications, webhookRefusals, webhookClosed, webhookDuration,
        verdicts, chainCacheHits, chainCacheMisses, unknownProducts, undatedProducts,
        catalogReviews,
        commitDuration, commitBatch, writeQueue, laneDepth, laneRefused, laneDropped, storageFull,
        journalSeq, journalBytes, journalPrunedSeq, prunings,
        scrubBytes, scrubPace, scrubRounds, scrubTime, damageFound, clockJumps, accounts,
        subscriptions,
        lmdbMapBytes, lmdbUsedBytes, lmdbReaders, lmdbReaderLag, lmdbOldestView, lmdbStaleReaders,
        diskBytes, diskFreeBytes, spaceTaken, spaceDaysLeft,
        storeRequests, storeRequestFailures, storeCircuitOpen, storeSilent, renewalsMissed,
        walks, walkTime, walkDocuments, sweepTime, sweepRunning, sweepLooked, sweepAsked,
        silentAsked, reconciled,
        cpuSeconds, residentBytes, virtualBytes, openDescriptors, descriptorsMax, processStart,
    ]
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
