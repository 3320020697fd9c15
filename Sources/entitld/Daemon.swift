import DaemonConfiguration
import Entitlements
import Glibc
import Ledger
import Logging
import Methods
import Sockets
import Synchronization
import Telemetry
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
    private let health: MetricsListener?
    private let failure: FailureBox

    /// How long a stop may take before what is left is given up.
    private static let drainSeconds = 8

    /// Starts every part, lower floors first; on return all doors are open.
    init(_ configured: Configured) async throws {
        settings = configured.settings
        let settings = settings
        let log = settings.log
        sink = LogSink(
            format: log.format == .json ? .json : .text,
            level: Logger.Level(rawValue: log.level.rawValue) ?? .info
        )
        let logger = sink.logger("entitld")
        self.logger = logger
        metrics = Metrics(version: Build.version)
        let storefront = try configured.storefront()
        let failure = FailureBox()
        self.failure = failure
        let notices = LedgerNotices(metrics: metrics, logger: logger)
        ledger = try Self.openLedger(configured, notices, failure)
        for warning in ledger.warnings {
            logger.warning("The data directory has a flaw", fields: [.reason: warning])
        }
        if let roots = settings.apple?.rootCertificateFiles, !roots.isEmpty {
            logger.warning(
                "Trusted roots are replaced by the configuration",
                fields: [.key: "apple.rootCertificateFiles", .count: "\(roots.count)"]
            )
        }
        try await Self.install(configured.policy, in: ledger, settings)
        service = try MethodService(
            ledger: ledger,
            storefront: storefront,
            settings: MethodSettings(
                tokenNamespace: settings.accounts.tokenNamespace,
                frameBytesMax: settings.rpc.maxFrameBytes,
                version: Build.version
            ),
            metrics: metrics
        )
        do {
            sockets = try RPCServer.start(.init(settings.rpc), service)
        } catch {
            throw Stop(error)
        }
        let door = NotificationDoor(service: service, metrics: metrics, logger: logger)
        webhook = try await Self.startWebhook(settings, metrics, logger, door)
        let figures = Figures(ledger: ledger, sockets: sockets, metrics: metrics)
        health = try await Self.startHealth(settings, metrics, figures, service)
    }

    /// Serves until told to stop, or until nothing more can be written.
    func serve(
        _ options: ConfigurationOptions,
        _ signals: AsyncStream<SignalStream.Signal>
    ) async throws {
        failure.onFailure { failure in Task { await self.end(because: failure) } }
        service.phase = .serving
        metrics.ready.set(1)
        var fields: [LogKey: String] = [
            .version: Build.version, .seq: "\(ledger.figures.seq)",
            .path: settings.rpc.socket, .pid: "\(getpid())",
        ]
        if let webhook { fields[.port] = "\(webhook.boundPort)" }
        sink.announce("ready", fields)
        for await signal in signals {
            switch signal {
            case .reload: await reload(options)
            case .terminate:
                await stop()
                return
            }
        }
    }

    /// Finishes what was begun, doors first, the ledger last.
    ///
    /// No acknowledged write is lost: the ledger answers only what is on disk.
    private func stop() async {
        logger.notice("Stopping")
        metrics.ready.set(0)
        service.phase = .stopping
        await webhook?.drain(seconds: Double(Self.drainSeconds) / 2)
        sockets.drain(deadlineSeconds: Self.drainSeconds / 2)
        ledger.finish()
        service.stop()
        ledger.stop()
        await health?.drain(seconds: 0.2)
        sink.announce("stopped", [.seq: "\(ledger.figures.seq)"])
    }

    /// Fail-stop: a flush failed, or the data is damaged.
    ///
    /// Whoever started us starts us again.
    private func end(because failure: LedgerFailure) async {
        let stop = Stop(failure, directory: settings.storage.directory)
        logger.critical("The ledger cannot go on", metadata: [LogKey.reason.rawValue: "\(failure)"])
        stop.exit()
    }

    /// SIGHUP: TLS files, catalog, log level and allowed sources.
    ///
    /// All of it is read before any of it is changed; what fails keeps everything.
    private func reload(_ options: ConfigurationOptions) async {
        do {
            let configured = try Configured(options)
            if case .tls(let certificate, let key) = configured.settings.webhook?.transport {
                try webhook?
                    .reloadTLS(certificatePath: certificate, privateKeyPath: key.path)
            }
            try await Self.install(
                Policy.Source(configured.catalog, settings),
                in: ledger,
                settings
            )
            if let door = configured.settings.webhook {
                webhook?
                    .reload(
                        allowedSources: door.allowedSources,
                        trustedProxies: settings.webhook?.trustedProxies ?? []
                    )
            }
            sink.level = Logger.Level(rawValue: configured.settings.log.level.rawValue) ?? .info
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
        _ configured: Configured,
        _ notices: LedgerNotices,
        _ failure: FailureBox
    ) throws -> Ledger {
        let storage = configured.settings.storage
        do {
            return try Ledger.open(
                .init(directory: storage.directory, mapSizeGiB: storage.mapSizeGiB),
                source: configured.policy,
                onNotice: { notices.tell($0) },
                onFailure: { failure.report($0) }
            )
        } catch {
            throw Stop(error, directory: storage.directory)
        }
    }

    private static func install(
        _ source: Policy.Source,
        in ledger: Ledger,
        _ settings: Settings
    ) async throws {
        let result = await withCheckedContinuation { continuation in
            ledger.install(source, source.stamp) { continuation.resume(returning: $0) }
        }
        if case .failure(let failure) = result {
            throw Stop(failure, directory: settings.storage.directory)
        }
    }

    private static func startWebhook(
        _ settings: Settings,
        _ metrics: Metrics,
        _ logger: Logger,
        _ door: NotificationDoor
    ) async throws -> WebhookListener? {
        guard let webhook = settings.webhook else { return nil }
        do {
            return try await WebhookListener.start(
                configuration: WebhookConfiguration(webhook),
                metrics: metrics,
                logger: logger
            ) { body, source in await door.reply(to: body, from: source) }
        } catch {
            throw Stop.configuration("webhook.listen \(webhook.listen): \(error)")
        }
    }

    private static func startHealth(
        _ settings: Settings,
        _ metrics: Metrics,
        _ figures: Figures,
        _ service: MethodService
    ) async throws -> MetricsListener? {
        guard let listen = settings.metrics.listen else { return nil }
        do {
            return try await MetricsListener.start(
                listen: listen,
                metrics: metrics,
                refresh: { figures.refresh() },
                readiness: { figures.readiness(service, settings) }
            )
        } catch {
            throw Stop.configuration("metrics.listen \(listen): \(error)")
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

extension RPCServer.Configuration {
    /// What the configuration file says.
    ///
    /// The app socket never gives more than app.
    fileprivate init(_ settings: Settings.RPC) {
        self.init(
            sockets: [
                .init(path: settings.socket, mode: UInt32(settings.socketMode), ceiling: .app),
                .init(
                    path: settings.adminSocket,
                    mode: UInt32(settings.adminSocketMode),
                    ceiling: .admin
                ),
            ],
            access: AccessRules(settings.access.map(AccessRules.Rule.init)),
            threads: settings.threads,
            frameBytesMax: settings.maxFrameBytes
        )
    }
}

extension AccessRules.Rule {
    fileprivate init(_ access: Settings.RPC.Access) {
        let subject: AccessRules.Subject =
            switch access.peer {
            case .user(let uid): .uid(uid)
            case .group(let gid): .gid(gid)
            }
        switch access.role {
        case .reader: self.init(subject, .reader)
        case .app: self.init(subject, .app)
        case .admin: self.init(subject, .admin)
        }
    }
}
