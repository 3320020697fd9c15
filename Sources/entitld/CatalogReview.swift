import Entitlements
import Foundation
import Ledger
import Logging
import Methods
import Telemetry

/// Looks at every purchase again behind a new catalog: what it gives for purchases that were made
/// before, such as packs that no catalog named.
///
/// Once for each catalog that was installed: the file `reviewed` in the data directory says for
/// which one it was done to the end, so that a daemon that was stopped meanwhile begins again, and
/// any other start looks at nothing.
struct CatalogReview: Sendable {
    private let service: MethodService
    private let ledger: Ledger
    private let metrics: Metrics
    private let logger: Logger
    private let undated: UndatedProducts
    private let path: String

    init(
        service: MethodService,
        ledger: Ledger,
        metrics: Metrics,
        logger: Logger,
        undated: UndatedProducts,
        dataDirectory: String
    ) {
        self.service = service
        self.ledger = ledger
        self.metrics = metrics
        self.logger = logger
        self.undated = undated
        path = dataDirectory + "/reviewed"
    }

    /// Begins, beside everything else, where the catalog in force is a new one.
    func begin() {
        let catalog = name
        let noted = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let lines = noted.split(separator: "\n").map(String.init)
        guard lines.first == catalog else {
            metrics.catalogReviews.increment()
            Task { await run(catalog) }
            return
        }
        tell(ofUndated: Array(lines.dropFirst()))
    }

    private func run(_ catalog: String) async {
        do throws(LedgerFailure) {
            let review = try await service.reviewPurchases()
            tell(ofUndated: review.undated)
            // Another catalog has a review of its own; only the last one may be noted.
            if !Task.isCancelled, catalog == name { note([catalog] + review.undated) }
            guard review.count > 0 else { return }
            logger.info(
                "Purchases for which the new catalog gives more were looked at again",
                fields: [.count: "\(review.count)"]
            )
        } catch {
            if case .shuttingDown = error { return }
            logger.warning(
                "Earlier purchases were not looked at under the new catalog; the next start does",
                fields: [.reason: "\(error)"]
            )
        }
    }

    /// Non-renewing subscriptions that were bought, and that the catalog names without days.
    private func tell(ofUndated products: [String]) {
        for product in products {
            undated.note(product)
            logger.warning(
                "The catalog names no days for a non-renewing subscription that was bought",
                fields: [.product: product]
            )
        }
    }

    /// The catalog in force: its content, and its version, since a content may come again behind
    /// another one.
    private var name: String {
        let source = ledger.policy.source
        let digest = source.stamp.digest.words
        let words = [digest.0, digest.1, digest.2, digest.3].map { String($0, radix: 16) }
        return "\(Self.rules) \(source.version) \(words.joined(separator: "-"))"
    }

    /// Counts what a review looks for, so that a release that looks for more does it once more.
    private static let rules = 1

    private func note(_ lines: [String]) {
        // Where this fails, the next start looks again.
        let text = lines.joined(separator: "\n") + "\n"
        try? Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
