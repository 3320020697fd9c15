// entitld is the daemon: it reads the configuration, puts the rooms together, and stops them.
//
// In reading order:
//   Entitld           the command line; Serve, Verify, Compact and CheckConfig are its commands
//   Configured        configuration and catalog, read and checked
//   Daemon            below: all parts in order, and backwards to stop
//   ConfiguredStore   a store of the list in Stores.swift; Configured+AppStore makes one of its
//                     section, and so for each store
//   StoreLinks        the reconcilers beside the daemon; StoreBook joins them with the methods
//   OutboxLinks       the systems that are told of changes
//   NotificationDoor  from the webhook to the methods
//   Reload            what SIGHUP changes; CatalogReview looks at purchases again
//   Figures           gauges and readiness; LedgerNotices the log of what the ledger tells
//   Stop              why the program ends: exit code and one sentence
//   DescriptorShare   limits of the system, shared out; AddressSpace beside it
//
// Its laws:
//   1. Parts start from the lower floors up, and stop in the other order.
//   2. A reload is done as a whole or not at all.
//   3. What ends the daemon is a Stop: one exit code, one sentence.
//
// It never decides what a request means, and never opens the database or the journal itself.

import DaemonConfiguration
import Entitlements
import Foundation
import Glibc
import Ledger
import Logging
import Methods
import Outbox
import Reconciler
import RemoteAPI
import Sockets
import Synchronization
import Telemetry
import Threads
import Webhooks
import Wire

/// The assembled daemon: an ordered list of parts.
///
/// Stopping runs it backwards.
final class Daemon: Sendable {
    private let sink: LogSink
    private let logger: Logger
    private let metrics: Metrics
    private let settings: Settings
    private let ledger: Ledger
    private let service: MethodService
    private let sockets: RPCServer
    private let webhook: WebhookListener?
    private let api: APIListener?
    private let health: MetricsListener?
    private let reconcilers: [Reconciler]
    private let outbox: Outbox?
    private let review: CatalogReview
    private let undated: UndatedProducts
    private let failure: FailureBox
    private let notice = ServiceNotice(environment: ProcessInfo.processInfo.environment)

    /// How long a stop may take before what is left is given up.
    private static let drainSeconds = 8

    /// Starts every part, lower floors first; on return all doors are open.
    init(_ configured: Configured, allowsClockBehind: Bool) async throws {
        settings = configured.settings
        let settings = settings
        let log = settings.log
        sink = LogSink(
            format: log.format == .json ? .json : .text,
            level: Logger.Level(rawValue: log.level.rawValue) ?? .info
        )
        let logger = sink.logger("entitld")
        self.logger = logger
        let outboxes = settings.outboxes.map(\.name)
        metrics = Metrics(version: Build.version, methods: Calls.names, outboxes: outboxes)
        metrics.startTime.set(Int(Date().timeIntervalSince1970))
        let stores = try configured.stores()
        let storefronts = stores.map(\.storefront)
        let failure = FailureBox()
        self.failure = failure
        let share = try DescriptorShare.taken(listeners: settings.api == nil ? 2 : 3)
        let undated = UndatedProducts(logger)
        self.undated = undated
        let notices = LedgerNotices(metrics: metrics, logger: logger, undated: undated)
        try Self.expectFree(settings.rpc.socket)
        var ledgerOptions = try configured.ledgerOptions()
        ledgerOptions.allowsClockBehind = allowsClockBehind
        ledgerOptions.catalog = { Policy.Source($0) }
        let marks = settings.rpc.socket + ".marks"
        ledgerOptions.marks =
            settings.rpc.sharedAnswers
            ? .kept(path: marks, mode: settings.rpc.socketMode) : .retired(path: marks)
        ledger = try Self.openLedger(ledgerOptions, configured.policy, notices, failure)
        Self.warn(of: share, ledger.warnings, settings, logger)
        try await Self.install(configured.policy, in: ledger, settings)
        undated.tellAll(ledger)
        Self.warn(of: Caution.all(settings, configured.policy), logger)
        let book = StoreBook()
        reconcilers = StoreLinks.reconcilers(stores, settings, book, logger)
        outbox = try OutboxLinks.outbox(configured, ledger, metrics, logger)
        let told = (outbox, metrics, sink)
        service = try Self.makeService(settings, ledger, storefronts, reconcilers, told)
        review = CatalogReview(
            service: service,
            ledger: ledger,
            metrics: metrics,
            logger: logger,
            dataDirectory: settings.storage.directory
        )
        book.connect(service)
        sockets = try Self.startSockets(settings, share, service)
        let door = NotificationDoor(
            service: service,
            reconcilers: reconcilers,
            metrics: metrics,
            logger: logger,
            unread: UnreadDocuments(dataDirectory: settings.storage.directory)
        )
        let routes = stores.map { door.route(to: $0) }
        webhook = try await Self.startWebhook(settings, share, metrics, logger, routes)
        api = try await Self.startAPI(settings, share, metrics, logger, service)
        let figures = Figures(
            ledger: ledger,
            service: service,
            sockets: sockets,
            api: api,
            storefronts: storefronts,
            reconcilers: reconcilers,
            metrics: metrics,
            log: sink
        )
        health = try await Self.startHealth(settings, share, metrics, figures, service)
    }

    /// Serves until told to stop, or until nothing more can be written.
    func serve(
        _ options: ConfigurationOptions,
        _ signals: AsyncStream<SignalStream.Signal>
    ) async throws {
        try startLog()
        // On every way out: what was logged is written, if somebody takes it.
        defer { sink.flush() }
        failure.onFailure { failure in Task { await self.end(because: failure) } }
        service.phase = .serving
        metrics.ready.set(1)
        var fields: [LogKey: String] = [
            .version: Build.version, .seq: "\(ledger.figures.seq)",
            .path: settings.rpc.socket, .pid: "\(getpid())",
        ]
        if let webhook { fields[.port] = "\(webhook.boundPort)" }
        if let api { fields[.apiPort] = "\(api.boundPort)" }
        sink.announce("ready", fields)
        notice.ready()
        try ledger.startFinishingErasures()
        try startPruning()
        try startScrubbing()
        try startWatchingStore()
        review.begin()
        let links = StoreLinks(reconcilers)
        for await signal in signals {
            switch signal {
            case .reload: await reload(options)
            case .terminate:
                await stop(links)
                return
            }
        }
    }

    /// From now on nobody waits for whoever reads the log, but one thread.
    ///
    /// A file has no reader who could stop; and until here nobody is served.
    private func startLog() throws {
        guard sink.mayWait else { return }
        do {
            _ = try NamedThread(named: "log") { [sink] in sink.writeLines() }
        } catch {
            throw Stop(code: 78, sentence: "There is no thread for the log: errno \(error.errno).")
        }
    }

    /// Looks after the ready event, and once a day, what of the journal is old enough to go.
    private func startPruning() throws {
        let storage = settings.storage
        guard storage.journalRetentionDays > 0 else { return }
        let notices = LedgerNotices(metrics: metrics, logger: logger, undated: undated)
        do {
            try ledger.startPruning(olderThanDays: storage.journalRetentionDays) {
                notices.tell($0)
            }
        } catch {
            throw Stop(error, directory: storage.directory)
        }
    }

    /// Looks every half a minute at who reads the store, and at the space left.
    private func startWatchingStore() throws {
        let notices = LedgerNotices(metrics: metrics, logger: logger, undated: undated)
        do {
            try ledger.startWatchingStore { notices.tell($0) }
        } catch {
            throw Stop(error, directory: settings.storage.directory)
        }
    }

    /// Looks for rot, again and again.
    private func startScrubbing() throws {
        let notices = LedgerNotices(metrics: metrics, logger: logger, undated: undated)
        do {
            try ledger.startScrubbing { [failure] report in
                notices.tell(report)
                // Every answer comes from the views.
                if case .damaged(.views, let what) = report { failure.report(.damaged(what)) }
            }
        } catch {
            throw Stop(error, directory: settings.storage.directory)
        }
    }

    /// Finishes what was begun, doors first, the ledger last.
    ///
    /// No acknowledged write is lost: the ledger answers only what is on disk.
    private func stop(_ links: StoreLinks) async {
        logger.notice("Stopping")
        notice.stopping()
        metrics.ready.set(0)
        service.phase = .stopping
        await links.stop()
        // At the same time: each may take as long as all of them have.
        async let callers: Void? = api?.drain(seconds: Double(Self.drainSeconds) / 2)
        await webhook?.drain(seconds: Double(Self.drainSeconds) / 2)
        await callers
        sockets.drain(deadlineSeconds: Self.drainSeconds / 2)
        // An erasure that is under way tells the outboxes once it is decided.
        ledger.finish()
        outbox?.stop()
        service.stop()
        ledger.stop()
        await health?.drain(seconds: 0.2)
        sink.announce("stopped", [.seq: "\(ledger.figures.seq)"])
    }

    /// Fail-stop: a flush failed, or the data is damaged.
    ///
    /// The service manager starts the daemon again.
    private func end(because failure: LedgerFailure) async {
        let stop = Stop(failure, directory: settings.storage.directory)
        logger.critical("The ledger cannot go on", metadata: [LogKey.reason.rawValue: "\(failure)"])
        sink.flush()
        stop.exit()
    }

    /// SIGHUP: TLS files, tokens, catalog, log level, allowed sources, `rpc.access`; all of it or
    /// nothing.
    ///
    /// Everything is read first. Then the ledger takes the catalog, which a full disk may refuse.
    /// What is left cannot fail.
    private func reload(_ options: ConfigurationOptions) async {
        notice.reloading()
        defer { notice.ready() }
        do {
            let reload = try Reload(
                options,
                running: settings,
                isSecure: webhook?.isSecure ?? false,
                isDoorSecure: api?.isSecure ?? false
            )
            try await Self.install(reload.policy, in: ledger, settings)
            if let identity = reload.identity { webhook?.adopt(identity) }
            if let allowedSources = reload.allowedSources {
                webhook?
                    .reload(
                        allowedSources: allowedSources,
                        own: reload.ownSources,
                        trustedProxies: settings.webhook?.trustedProxies ?? []
                    )
            }
            if let identity = reload.doorIdentity { api?.adopt(identity) }
            if let tokens = reload.tokens { api?.obey(tokens) }
            sockets.obey(reload.access)
            sink.level = reload.logLevel
            undated.tellAll(ledger)
            review.begin()
            Self.warn(of: Caution.all(settings, reload.policy), logger)
            metrics.reloads.series("ok").increment()
            logger.notice(
                "Reloaded",
                metadata: [LogKey.catalogVersion.rawValue: "\(ledger.policy.source.version)"]
            )
        } catch {
            metrics.reloads.series("failed").increment()
            let reason = (error as? Stop)?.sentence ?? "\(error)"
            logger.error("Nothing was reloaded", fields: [.reason: reason])
        }
    }

    private static func openLedger(
        _ options: Ledger.Options,
        _ policy: Policy.Source,
        _ notices: LedgerNotices,
        _ failure: FailureBox
    ) throws -> Ledger {
        do {
            return try Ledger.open(
                options,
                source: policy,
                onNotice: { notice in
                    notices.tell(notice)
                    if case .viewsDamaged(let found) = notice { failure.report(found) }
                },
                onFailure: { failure.report($0) }
            )
        } catch {
            throw Stop(error, directory: options.directory)
        }
    }

    private static func makeService(
        _ settings: Settings,
        _ ledger: Ledger,
        _ storefronts: [any Storefront],
        _ storeClients: [any StoreClient],
        _ told: (outbox: Outbox?, metrics: Metrics, sink: LogSink)
    ) throws -> MethodService {
        try MethodService(
            Calls.all,
            ledger: ledger,
            storefronts: storefronts,
            storeClients: storeClients,
            outbox: told.outbox,
            settings: MethodSettings(
                tokenNamespace: settings.accounts.tokenNamespace,
                frameBytesMax: settings.rpc.maxFrameBytes,
                version: Build.version
            ),
            metrics: told.metrics,
            changeLogLevel: { name in
                guard let level = Logger.Level(rawValue: name) else { return false }
                told.sink.level = level
                return true
            },
            readCatalog: { (text) throws(RPCFailure) in
                do throws(ConfigurationFailure) {
                    let yaml = Array(text.utf8)
                    let catalog = try CatalogSettings.load(yaml: yaml, path: "the catalog")
                    return Policy.Source(catalog, settings)
                } catch {
                    throw RPCFailure(.invalidParams, "The catalog has a mistake: \(error)")
                }
            }
        )
    }

    private static func install(
        _ source: Policy.Source,
        in ledger: Ledger,
        _ settings: Settings
    ) async throws {
        var tries = 20
        while true {
            let result = await withCheckedContinuation { continuation in
                ledger.install(source, source.stamp) { continuation.resume(returning: $0) }
            }
            guard case .failure(let failure) = result else { return }
            tries -= 1
            // A clock that was just set, as at boot, is believed some seconds later.
            guard failure == .notReady, tries > 0 else {
                throw Stop(failure, directory: settings.storage.directory)
            }
            try await Task.sleep(for: .milliseconds(500))
        }
    }

    private static func warn(of cautions: [Caution], _ logger: Logger) {
        for caution in cautions {
            logger.warning(
                "The configuration lets in more than may be meant",
                fields: [.key: caution.key, .reason: caution.sentence]
            )
        }
    }

    /// What is not as it should be, and no reason to stop.
    private static func warn(
        of share: DescriptorShare,
        _ flaws: [String],
        _ settings: Settings,
        _ logger: Logger
    ) {
        if share.sockets < SocketLimits.connectionsMax {
            logger.warning(
                "The limit of open files lets fewer connections in",
                fields: [.count: "\(share.sockets)"]
            )
        }
        for flaw in flaws {
            logger.warning("The data directory has a flaw", fields: [.reason: flaw])
        }
        let replaced = [
            ("apple.rootCertificateFiles", settings.apple?.rootCertificateFiles),
            ("apple.receiptRootCertificateFiles", settings.apple?.receiptRootCertificateFiles),
        ]
        for (key, roots) in replaced where !(roots ?? []).isEmpty {
            logger.warning(
                "Trusted roots are replaced by the configuration",
                fields: [.key: key, .count: "\(roots?.count ?? 0)"]
            )
        }
    }
}

/// Where the writer's thread leaves its failure, and the daemon finds it.
private final class FailureBox: Sendable {
    private struct State {
        var failure: LedgerFailure?
        var handler: (@Sendable (LedgerFailure) -> Void)?
    }

    private let state = Mutex(State())

    func report(_ failure: LedgerFailure) {
        let handler = state.withLock { state in
            state.failure = failure
            return state.handler
        }
        handler?(failure)
    }

    func onFailure(_ handler: @escaping @Sendable (LedgerFailure) -> Void) {
        let failure = state.withLock { state in
            state.handler = handler
            return state.failure
        }
        if let failure { handler(failure) }
    }
}
