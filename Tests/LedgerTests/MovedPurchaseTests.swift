import Entitlements
import TestSupport
import Testing

@testable import Ledger

/// A purchase that was moved to another user goes on under another name: it stays theirs, although
/// it has the token of whoever bought it.
struct MovedPurchaseTests {
    private let start = Moment(1_750_000_000_000)

    private func key(_ id: String, _ store: Store) -> SubscriptionKey {
        SubscriptionKey(store: store, environment: .production, originalID: id)
    }

    /// What a store says of the purchase `id`, bought with the token 1.
    private func fact(_ id: String, _ store: Store, before former: String? = nil) throws -> Fact {
        let version = Version(
            signed: start.advanced(byMilliseconds: former == nil ? 0 : day),
            digest: digest(former == nil ? 1 : 2)
        )
        var bought = TransactionFact(
            id: id,
            version: version,
            productID: "pro.monthly",
            purchased: start
        )
        bought.expires = start.advanced(byMilliseconds: 30 * day)
        bought.kind = TransactionFact.renewingKind
        bought.reason = "PURCHASE"
        bought.token = try token(1)
        bought.terms.previousOriginalID = former
        return Fact(
            key: key(id, store),
            transaction: bought,
            status: StatusFact(version: version, code: 1)
        )
    }

    /// Whether the buyer was erased before the purchase went on.
    @Test(arguments: [Store.appStore, .googlePlay], [false, true])
    func `it stays with whom it was moved to`(_ store: Store, isErased: Bool) throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        let (anna, bob) = (try user("anna"), try user("bob"))
        try ledger.order(.register(Registration(user: anna, token: try token(1))))
        try ledger.order(.register(Registration(user: bob, token: try token(2))))
        try ledger.order(.learn([try fact("1000", store)]))
        #expect(try ledger.account(anna)?.subscriptions == [key("1000", store)])
        let move = PurchaseMove(store: store, originalID: "1000", to: bob, reason: "lost phone")
        try ledger.order(.move(move))
        #expect(try ledger.account(bob)?.subscriptions == [key("1000", store)])
        if isErased { try ledger.order(.erase(ErasureOrder(user: anna, secret: HashKey(3, 4)))) }
        var next = try fact("2000", store, before: "1000")
        // At Google the account id of another user would make it theirs.
        if store == .googlePlay, !isErased { next.transaction?.token = nil }
        let outcome = try ledger.order(.learn([next])).outcome
        #expect(outcome == .learned(applied: true))
        let both = [key("1000", store), key("2000", store)]
        #expect(Set(try ledger.account(bob)?.subscriptions ?? []) == Set(both))
        #expect(try ledger.account(anna)?.subscriptions ?? [] == [])
        ledger.stop()
        try expectClean(scratch.store)
    }
}
