import Entitlements
import Synchronization

/// Purchased products that the catalog does not name, or names without the number of days they
/// need.
///
/// Each occurrence is counted; an operator is told once for each product.
struct UnknownProducts {
    private var unknown = Told()
    private var undated = Told()

    /// The products that an operator was told of.
    private struct Told {
        private var products: Set<String> = []

        /// Counts all of `found`; returns those that an operator must be told of.
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
        let found = newest(in: desk).map(\.name).filter { !policy.knows(product: $0) }
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
            .filter { $0.transaction.isNonRenewing && policy.lacksDays(of: $0.name) }
            .map(\.name)
        return undated.adding(found, to: pulse.undatedProducts)
    }

    /// The newest transactions of the subscriptions that changed.
    private func newest(in desk: Desk) -> [(transaction: TransactionFact, name: String)] {
        desk.subscriptions.changed.compactMap { key in
            desk.subscriptions[key]?.transactions.last.map { ($0, $0.productName(in: key)) }
        }
    }
}

extension Desk {
    /// How many changed subscriptions belong to a user who has two that renew.
    func paymentsDoubled(at now: Moment, under policy: Policy) -> UInt64 {
        let owners = subscriptions.changed.compactMap { subscriptions[$0]?.owner }
        return UInt64(
            owners.count { owner in
                guard accounts.isLaid(owner), let answer = accounts[owner]?.answer else {
                    return false
                }
                return answer.paysTwice(at: now, under: policy)
            }
        )
    }
}
