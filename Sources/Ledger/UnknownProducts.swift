import Entitlements
import Synchronization

/// Products that were bought and that no plan or pack names, or a plan without the days that are
/// needed: counted each time, told once.
struct UnknownProducts {
    private var told: Set<String> = []
    private var toldUndated: Set<String> = []

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

    /// The non-renewing subscriptions in `desk` without days of which an operator has not been
    /// told.
    mutating func metUndated(
        in desk: Desk,
        under policy: Policy,
        counting pulse: LedgerPulse
    ) -> [String] {
        let undated = desk.subscriptions.changed
            .compactMap { desk.subscriptions[$0]?.transactions.last }
            .filter { $0.isNonRenewing && policy.lacksDays(of: $0.productID) }
            .map(\.productID)
        guard !undated.isEmpty else { return [] }
        pulse.undatedProducts.add(UInt64(undated.count), ordering: .relaxed)
        return undated.filter { product in
            toldUndated.count < LedgerLimits.productsToldMax
                && toldUndated.insert(product).inserted
        }
    }
}
