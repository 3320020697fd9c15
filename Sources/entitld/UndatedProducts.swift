import Entitlements
import Synchronization

/// Non-renewing subscriptions that were bought and for which the catalog names no days: they give
/// no access.
///
/// Told in the log and, while it lasts, in `/readyz?verbose`.
final class UndatedProducts: Sendable {
    /// How many are remembered.
    static let countMax = 64

    private let met = Mutex<Set<String>>([])

    func note(_ product: String) {
        met.withLock { if $0.count < Self.countMax { $0.insert(product) } }
    }

    /// Those that lack their days under `policy`.
    func lacking(under policy: Policy) -> [String] {
        met.withLock { $0 }.filter { policy.lacksDays(of: $0) }.sorted()
    }
}
