import Entitlements
import Synchronization

/// Products that were bought and that no plan or pack names: counted each time, told once.
struct UnknownProducts {
    private var told: Set<String> = []

    /// The products in `desk` that an operator has not been told of.
    mutating func met(
        in desk: Desk,
        under policy: Policy,
        counting pulse: LedgerPulse
    ) -> [String] {
        let unknown = desk.subscriptions.changed
            .compactMap { desk.subscriptions[$0]?.transactions.last?.productID }
            .filter { !policy.knows(product: $0) }
        guard !unknown.isEmpty else { return [] }
        pulse.unknownProducts.add(UInt64(unknown.count), ordering: .relaxed)
        return unknown.filter { product in
            told.count < LedgerLimits.productsToldMax && told.insert(product).inserted
        }
    }
}
