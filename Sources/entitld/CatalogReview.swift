import Entitlements
import Foundation
import Ledger
import Logging
import Methods
import Synchronization
import Telemetry

/// Looks at every purchase again behind a new catalog: what it gives for purchases that were made
/// before, such as packs that no catalog named.
///
/// Once for each catalog that was installed: the file `reviewed` in the data directory says for
/// which one it was done to the end, so that a daemon that was stopped meanwhile begins again, and
/// any other start looks at nothing.
final class CatalogReview: Sendable {
    private let service: MethodService
    private let ledger: Ledger
    private let metrics: Metrics
    private let logger: Logger
    private let path: String
    /// The catalog for which a review is under way.
    private let underWay = Mutex<String?>(nil)

    init(
        service: MethodService,
        ledger: Ledger,
        metrics: Metrics,
        logger: Logger,
        dataDirectory: String
    ) {
        self.service = service
        self.ledger = ledger
        self.metrics = metrics
        self.logger = logger
        path = dataDirectory + "/reviewed"
    }

    /// Begins, beside everything else, where the catalog in force is a new one.
    func begin() {
        let catalog = name
        let noted = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        // Older releases noted something behind it.
        guard noted.split(separator: "\n").first != catalog[...] else { return }
        // A reload begins no second one beside one that waits after a failure.
        let isUnderWay = underWay.withLock { underWay in
            defer { underWay = catalog }
            return underWay == catalog
        }
        guard !isUnderWay else { return }
        metrics.catalogReviews.increment()
        Task { await run(catalog) }
    }

    private func run(_ catalog: String) async {
        // Another catalog has a review of its own.
        while catalog == name, await !isDone(catalog) {
            do {
                try await Task.sleep(for: Self.pause)
            } catch {
                return
            }
        }
        underWay.withLock { if $0 == catalog { $0 = nil } }
    }

    /// Looks at everything once; answers false where that has to be tried again.
    private func isDone(_ catalog: String) async -> Bool {
        do throws(LedgerFailure) {
            let count = try await service.reviewPurchases()
            // Only the last one may be noted.
            if !Task.isCancelled, catalog == name { note(catalog) }
            guard count > 0 else { return true }
            logger.info(
                "Purchases for which the new catalog gives more were looked at again",
                fields: [.count: "\(count)"]
            )
            return true
        } catch {
            if case .shuttingDown = error { return true }
            logger.warning(
                "Earlier purchases were not looked at under the new catalog; it is tried again",
                fields: [.reason: "\(error)"]
            )
            return false
        }
    }

    /// How long it waits after a failure, such as a full disk.
    private static let pause = Duration.seconds(60)

    /// The catalog in force: its content, and its version, since a content may come again behind
    /// another one.
    private var name: String {
        let source = ledger.policy.source
        let digest = source.stamp.digest.words
        let words = [digest.0, digest.1, digest.2, digest.3].map { String($0, radix: 16) }
        return "\(Self.rules) \(source.version) \(words.joined(separator: "-"))"
    }

    /// Counts what a review looks for, so that a release that looks for more does it once more.
    private static let rules = 2

    private func note(_ catalog: String) {
        // Where this fails, the next start looks again.
        try? Data("\(catalog)\n".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
