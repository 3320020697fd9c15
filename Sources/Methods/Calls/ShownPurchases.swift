import Entitlements
import Synchronization

/// The purchases that documents show, carried from where they are read to where they are answered.
final class ShownPurchases: Sendable {
    private let noted = Mutex<Set<SubscriptionKey>>([])

    var keys: Set<SubscriptionKey> { noted.withLock { $0 } }

    func note(_ facts: [Fact]) { noted.withLock { $0 = Set(facts.map(\.key)) } }
}
