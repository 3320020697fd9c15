import DaemonConfiguration
import Entitlements
import Logging
import Reconciler
import Telemetry

/// The link to the store's API: the reconciler, running beside the daemon.
///
/// Readiness never waits for the store.
final class StoreLink: Sendable {
    private let reconciler: Reconciler
    private let task: Task<Void, Never>

    /// Begins the regular work.
    init(_ reconciler: Reconciler) {
        self.reconciler = reconciler
        task = Task { await reconciler.run() }
    }

    /// Ends it.
    func stop() async {
        task.cancel()
        await task.value
        await reconciler.stop()
    }

    /// What the configuration says of the store's API; nil where it names none.
    ///
    /// - Throws: a `Stop` with exit code 78.
    static func settings(_ settings: Settings) throws(Stop) -> ReconcilerSettings? {
        guard let apple = settings.apple, let api = apple.api else { return nil }
        let key: Secret<[UInt8]>
        do throws(ConfigurationFailure) {
            key = try api.privateKey.read()
        } catch {
            throw Stop(error)
        }
        var asked = ReconcilerSettings(
            bundleID: apple.bundleId,
            environments: apple.acceptedEnvironments.sorted(),
            issuerID: api.issuerId,
            keyID: api.keyId,
            privateKeyPEM: key.revealed,
            baseURL: api.baseURL,
            directory: settings.storage.directory,
            version: Build.version
        )
        asked.otherBundleIDs = apple.apps.map(\.bundleId)
        if let reconcile = settings.reconcile {
            asked.failuresEverySeconds = reconcile.failuresEverySeconds
            asked.askBeforeEndSeconds = reconcile.askBeforeEndSeconds
            asked.askAfterSilenceSeconds = reconcile.askAfterSilenceSeconds
            asked.sweepEverySeconds = reconcile.sweepEverySeconds
            asked.requestsPerSecond = reconcile.requestsPerSecond
        }
        do throws(ReconcilerSettings.Fault) {
            try asked.check()
        } catch {
            throw .configuration("\(error)")
        }
        return asked
    }

    /// Where methods meet the reconciler; nil where the configuration names no API.
    static func desk(_ settings: Settings) throws(Stop) -> StoreDesk? {
        guard let asked = try Self.settings(settings) else { return nil }
        do throws(ReconcilerSettings.Fault) {
            return try StoreDesk(asked)
        } catch {
            throw .configuration("\(error)")
        }
    }

    /// The reconciler that the configuration asks for.
    static func reconciler(
        _ settings: Settings,
        _ storefront: (any Storefront)?,
        _ desk: StoreDesk,
        _ logger: Logger
    ) throws(Stop) -> Reconciler? {
        guard let asked = try Self.settings(settings), let storefront else { return nil }
        do throws(ReconcilerSettings.Fault) {
            return try Reconciler(asked, storefront: storefront, book: desk) { notice in
                logger.log(notice)
            }
        } catch {
            throw .configuration("\(error)")
        }
    }
}

extension Logger {
    fileprivate func log(_ notice: ReconcilerNotice) {
        switch notice {
        case .walkCompleted(let scope, let report):
            info("The store's history was walked through", fields: Self.fields(scope, report))
        case .walkIncomplete(let scope, let report):
            warning(
                "A walk through the store's history was not completed; it is begun again",
                fields: Self.fields(scope, report)
            )
        case .documentRefused(let environment, let fault, let detail):
            warning(
                "A document that the store answered with does not verify",
                fields: [
                    .environment: environment.name, .result: fault.rawValue, .reason: detail,
                ]
            )
        case .sweepCompleted(let report):
            info(
                "Every active subscription was asked about",
                fields: [.count: "\(report.asked)", .result: "\(report.applied) applied"]
            )
        case .sweepPaused(let report, let detail):
            warning(
                "The sweep rests and goes on later",
                fields: [.count: "\(report.asked)", .reason: detail]
            )
        case .silenceUnasked(let detail):
            warning(
                "Renewals that were not heard could not be asked about",
                fields: [.reason: detail]
            )
        case .storeSilent(let due):
            error(
                "The store is silent although renewals were due; is the webhook's URL right?",
                fields: [.count: "\(due)"]
            )
        case .storeHeard: log(level: .notice, "The store is heard again")
        case .marksUnreadable:
            warning("The reconciler's marks are damaged; everything is walked through anew")
        case .marksUnsaved(let detail):
            error("The reconciler's marks could not be kept", fields: [.reason: detail])
        }
    }

    private static func fields(
        _ scope: StoreScope,
        _ report: WalkReport
    ) -> [LogKey: String] {
        [
            .environment: scope.description, .count: "\(report.documents)",
            .result: "\(report.applied) applied, \(report.refused) refused",
        ]
    }
}
