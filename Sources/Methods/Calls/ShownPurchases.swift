import Entitlements
import Synchronization

/// The purchases that documents show, carried from where they are read to where they are answered:
/// of each what its customer knows it by.
final class ShownPurchases: Sendable {
    private let noted = Mutex<[SubscriptionKey: String]>([:])

    var keys: Set<SubscriptionKey> { noted.withLock { Set($0.keys) } }

    /// What the customer knows the purchase by; nil where it was not shown.
    func name(of key: SubscriptionKey) -> String? { noted.withLock { $0[key] } }

    func note(_ facts: [Fact]) {
        noted.withLock { noted in
            for fact in facts { noted[fact.key] = fact.shownID }
        }
    }
}
