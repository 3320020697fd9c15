import Entitlements
import TestSupport
import Testing

@testable import Ledger

/// The ledger remembers which non-renewing subscriptions were bought: whoever keeps the catalog is
/// told where it lacks their days.
struct DatedProductTests {
    private func pass(_ number: Int, _ product: String) throws -> Command.Kind {
        var transaction = TransactionFact(
            id: "\(number)",
            version: Version(signed: Moment(1_750_000_000_000), digest: digest(number)),
            productID: product,
            purchased: Moment(1_750_000_000_000)
        )
        transaction.kind = "Non-Renewing Subscription"
        let key = SubscriptionKey(
            store: .appStore,
            environment: .production,
            originalID: "\(number)"
        )
        let fact = Fact(key: key, transaction: transaction)
        return notification(number, signed: 1_750_000_000_000, [fact])
    }

    @Test func `what was bought is known after a start, in a rebuilt store and in a backup`() throws
    {
        let scratch = try Scratch()
        var ledger = try open(scratch.store)
        #expect(ledger.datedProducts == [])
        for (number, product) in [(1, "pass.week"), (2, "pass.day"), (3, "pass.week")] {
            try ledger.order(try pass(number, product))
        }
        #expect(ledger.datedProducts == ["pass.week", "pass.day"])
        ledger.stop()
        ledger = try open(scratch.store)
        #expect(ledger.datedProducts == ["pass.week", "pass.day"])
        let copy = scratch.path + "/copy"
        _ = try ledger.backup(to: copy) { (_) throws(BackupFailure) in }
        ledger.stop()
        try expectClean(scratch.store)
        _ = try Ledger.rebuild(options(scratch.store), under: tariff())
        for directory in [scratch.store, copy] {
            let other = try open(directory)
            #expect(other.datedProducts == ["pass.week", "pass.day"])
            other.stop()
            try expectClean(directory)
        }
    }

    @Test func `so many products are remembered, the first ones`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        for number in 1...Limits.datedProductsMax + 3 {
            try ledger.order(try pass(number, "pass.\(number)"))
        }
        #expect(ledger.datedProducts.count == Limits.datedProductsMax)
        #expect(ledger.datedProducts.first == "pass.1")
        ledger.stop()
        try expectClean(scratch.store)
    }
}
