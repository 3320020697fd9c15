import Fixtures
import Testing

@testable import Entitlements

/// Receipts and signed transactions about one purchase.
@Suite struct ReceiptOrderTests {
    /// One version of the transaction, signed so many seconds after the start.
    private struct Told {
        var signed: Int64
        var isOfReceipt = false
        var isRevoked = false

        var fact: Fact {
            var transaction = TransactionFact(
                id: "7",
                version: Sample.version(signed),
                productID: "monthly",
                purchased: Sample.start
            )
            transaction.expires = Sample.after(1_000)
            transaction.revoked = isRevoked ? Sample.after(signed) : nil
            if isOfReceipt {
                transaction.terms = .ofReceipt
            } else {
                transaction.offerType = 1
            }
            return Fact(key: Sample.key("7"), transaction: transaction)
        }
    }

    private static let all = [
        Told(signed: 1), Told(signed: 2, isOfReceipt: true, isRevoked: true),
        Told(signed: 3, isRevoked: true), Told(signed: 4, isOfReceipt: true),
        Told(signed: 5, isOfReceipt: true, isRevoked: true), Told(signed: 6),
    ]

    /// The rule of docs/app-store-facts.md, over the whole list.
    private static func isRevoked(_ told: [Told]) -> Bool {
        let newestHolding = told.filter { !$0.isRevoked }.map(\.signed).max() ?? 0
        let newestReceipt = told.filter { $0.isOfReceipt && $0.isRevoked }.map(\.signed).max() ?? 0
        let signed = told.filter { !$0.isOfReceipt }.max { $0.signed < $1.signed }
        guard let signed else { return newestReceipt > newestHolding }
        return signed.isRevoked || newestReceipt > newestHolding
    }

    private static func orders(of told: [Told]) -> [[Told]] {
        guard told.count > 1 else { return [told] }
        return told.indices.flatMap { first in
            var rest = told
            let one = rest.remove(at: first)
            return orders(of: rest).map { [one] + $0 }
        }
    }

    @Test func `any of them in any order say the same, and a newer receipt revokes`() throws {
        for choice in 1..<(1 << Self.all.count) {
            let told = Self.all.indices.filter { choice >> $0 & 1 == 1 }.map { Self.all[$0] }
            var ends: Set<Subscription> = []
            for order in Self.orders(of: told) {
                var subscription = Subscription(key: Sample.key("7"))
                for one in order + [order[0]] { _ = subscription.merge(one.fact) }
                ends.insert(subscription)
            }
            #expect(ends.count == 1, "\(told.map(\.signed))")
            let transaction = try #require(ends.first?.transactions.last)
            #expect((transaction.revoked != nil) == Self.isRevoked(told), "\(told.map(\.signed))")
            let isSigned = told.contains { !$0.isOfReceipt }
            #expect((transaction.offerType == 1) == isSigned, "\(told.map(\.signed))")
        }
    }

    @Test func `a receipt that changes nothing is no news`() {
        let revoking = Told(signed: 5, isOfReceipt: true, isRevoked: true)
        let told: [(Told, isNews: Bool)] = [
            (Told(signed: 1), true), (Told(signed: 4, isOfReceipt: true), false),
            (revoking, true), (revoking, false), (Told(signed: 6), true),
        ]
        var subscription = Subscription(key: Sample.key("7"))
        for (one, isNews) in told {
            let isNewer = subscription.merge(one.fact)
            #expect(isNewer == isNews, "\(one)")
        }
    }

    /// Whoever buys in between has what they pay for.
    @Test func `a link by a receipt is not dated as of a period that has not begun`() throws {
        var announced = try #require(Told(signed: 0, isOfReceipt: true).fact.transaction)
        announced.version = Sample.version(-1)
        #expect(LinkMoment.purchase.of(announced) == Sample.after(-1))
        announced.version = Sample.version(1)
        #expect(LinkMoment.purchase.of(announced) == announced.purchased)
    }
}
