import Entitlements
import Ledger
import Logging
import Synchronization
import Telemetry

/// Non-renewing subscriptions that were bought and for which the catalog names no days: they give
/// no access.
///
/// Told in the log when a catalog is read and when the first one is bought, and, while it lasts, in
/// `/readyz?verbose`. The ledger remembers what was bought.
final class UndatedProducts: Sendable {
    private let logger: Logger
    /// Since the catalog was read.
    private let told = Mutex<Set<String>>([])

    init(_ logger: Logger) { self.logger = logger }

    /// Those that lack their days under the catalog in force.
    static func all(_ ledger: Ledger) -> [String] {
        let policy = ledger.policy
        return ledger.datedProducts.filter { policy.lacksDays(of: $0) }.sorted()
    }

    /// A catalog came into force.
    func tellAll(_ ledger: Ledger) {
        told.withLock { $0 = [] }
        for product in Self.all(ledger) { tell(product) }
    }

    /// Says it once.
    func tell(_ product: String) {
        guard told.withLock({ $0.insert(product).inserted }) else { return }
        logger.warning(
            "The catalog names no days for this non-renewing subscription: it gives no access",
            fields: [.product: product]
        )
    }
}
