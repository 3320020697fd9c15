import DaemonConfiguration
import Entitlements
import Logging
import Reconciler
import Telemetry

/// The links to the stores' servers: the reconcilers, running beside the daemon.
///
/// Readiness never waits for a store.
final class StoreLinks: Sendable {
    private let reconcilers: [Reconciler]
    private let tasks: [Task<Void, Never>]

    /// Begins the regular work.
    init(_ reconcilers: [Reconciler]) {
        self.reconcilers = reconcilers
        tasks = reconcilers.map { reconciler in Task { await reconciler.run() } }
    }

    /// Ends it.
    func stop() async {
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        for reconciler in reconcilers { await reconciler.stop() }
    }

    /// A reconciler for each store whose server is to be asked.
    static func reconcilers(
        _ stores: [ConfiguredStore],
        _ settings: Settings,
        _ book: StoreBook,
        _ logger: Logger
    ) -> [Reconciler] {
        stores.compactMap { store in
            store.questions.map { questions in
                Reconciler(
                    ReconcilerSettings(settings, questions.store),
                    questions: questions,
                    book: book
                ) { notice in
                    logger.log(notice)
                }
            }
        }
    }
}

extension ReconcilerSettings {
    /// What the configuration says of how a store is asked.
    fileprivate init(_ settings: Settings, _ store: Store) {
        self.init(
            directory: settings.storage.directory,
            // The first store's file has its name from a time when there was no other.
            marksName: store == .appStore ? "reconcile.json" : "reconcile-\(store.name).json",
            version: Build.version
        )
        guard let reconcile = settings.reconcile else { return }
        failuresEverySeconds = reconcile.failuresEverySeconds
        askBeforeEndSeconds = reconcile.askBeforeEndSeconds
        askAfterSilenceSeconds = reconcile.askAfterSilenceSeconds
        sweepEverySeconds = reconcile.sweepEverySeconds
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
        case .warned(let detail):
            warning("The store states what somebody should look at", fields: [.reason: detail])
        case .historyUnread(let detail):
            warning(
                "The history of a subscription could not be read; it is asked for again",
                fields: [.reason: detail]
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
        case .announcementsPaused(let detail):
            warning(
                "The store could not be asked about what it announced; it is asked again",
                fields: [.reason: detail]
            )
        case .acknowledgementsPaused(let detail):
            warning(
                "The store could not be told of purchases that it waits to hear of",
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
