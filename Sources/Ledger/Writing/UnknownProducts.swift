import Entitlements
import Synchronization

/// Products that were bought and that no plan or pack names, or a plan without the days that are
/// needed: counted each time, told once.
struct UnknownProducts {
    private var unknown = Told()
    private var undated = Told()

    /// Products that an operator was told of.
    private struct Told {
        private var products: Set<String> = []

        /// Those of `found` that are new here; all of them are counted.
        mutating func adding(_ found: [String], to count: borrowing Atomic<UInt64>) -> [String] {
            guard !found.isEmpty else { return [] }
            count.add(UInt64(found.count), ordering: .relaxed)
            return found.filter {
                products.count < LedgerLimits.productsToldMax && products.insert($0).inserted
            }
        }
    }

    /// The products in `desk` that an operator has not been told of.
    mutating func met(
        in desk: Desk,
        under policy: Policy,
        counting pulse: LedgerPulse
    ) -> [String] {
        let found = newest(in: desk).map(\.productID).filter { !policy.knows(product: $0) }
        return unknown.adding(found, to: pulse.unknownProducts)
    }

    /// The non-renewing subscriptions in `desk` without days of which an operator has not been
    /// told.
    mutating func metUndated(
        in desk: Desk,
        under policy: Policy,
        counting pulse: LedgerPulse
    ) -> [String] {
        let found = newest(in: desk)
            .filter { $0.isNonRenewing && policy.lacksDays(of: $0.productID) }
            .map(\.productID)
        return undated.adding(found, to: pulse.undatedProducts)
    }

    /// The newest transactions of the subscriptions that changed.
    private func newest(in desk: Desk) -> [TransactionFact] {
        desk.subscriptions.changed.compactMap { desk.subscriptions[$0]?.transactions.last }
    }
}
