import Entitlements
import GooglePlay
import JSON
import Testing

/// One-time purchases: packs of credits, and what is bought for good.
struct ProductTests {
    private static let play = AskedPlay()

    private static func fact(_ answer: JSONValue) throws -> Fact {
        let now = PlayAnswers.later(hours: 2)
        return try #require(try play.facts(answer, at: now, isProduct: true).first)
    }

    @Test func `a pack is bought as many times as its quantity says`() throws {
        let fact = try Self.fact(PlayAnswers.product(quantity: 3, left: 3))
        let one = try #require(fact.transaction)
        #expect(one.id == "GPA.3302-9999-8888-77777" && one.quantity == 3)
        #expect(one.kind == TransactionFact.oneTimeKind && one.expires == nil)
        #expect(one.purchased == PlayAnswers.start && one.revoked == nil)
        #expect(fact.status?.code == StatusCode.active.rawValue)
        #expect(try Self.fact(PlayAnswers.product()).transaction?.quantity == 1)
    }

    @Test func `units that were refunded are a part of it`() throws {
        let one = try #require(try Self.fact(PlayAnswers.product(quantity: 4, left: 3)).transaction)
        #expect(one.revoked == PlayAnswers.later(hours: 2) && one.revokedShare == 25_000)
    }

    @Test(arguments: [1, 4] as [Int64])
    func `a refund without revocation leaves what was bought`(quantity: Int64) throws {
        let paid = PlayAnswers.product(quantity: quantity, left: 0)
        let fact = try Self.fact(paid)
        let one = try #require(fact.transaction)
        #expect(one.revoked == nil && one.revokedShare == 0 && one.quantity == quantity)
        #expect(fact.status?.code == StatusCode.active.rawValue)
        // What was taken back as a whole, Google calls cancelled.
        let gone = PlayAnswers.product("CANCELLED", quantity: quantity, left: 0)
        let revoked = try #require(try Self.fact(gone).transaction)
        #expect(revoked.revokedShare == TransactionFact.wholeShare)
    }

    @Test func `units that were taken back stay so when the money for the others goes back`() throws
    {
        let asked = PlayAnswers.later(hours: 2)
        var kept = Subscription(key: try Self.fact(PlayAnswers.product()).key)
        for (left, hours) in [(3, 2), (0, 3)] as [(Int64, Int64)] {
            let answer = PlayAnswers.product(quantity: 4, left: left)
            let now = PlayAnswers.later(hours: hours)
            let fact = try #require(try Self.play.facts(answer, at: now, isProduct: true).first)
            let isNewer = kept.merge(fact)
            #expect(isNewer)
        }
        let one = try #require(kept.transactions.last)
        #expect(one.revoked == asked && one.revokedShare == 25_000)
    }

    @Test func `a pending one is not paid, a cancelled one was withdrawn where it had been`() throws
    {
        let pending = try Self.fact(
            PlayAnswers.product("PENDING") { $0["purchaseCompletionTime"] = nil }
        )
        #expect(pending.status?.code == StatusCode.pending.rawValue)
        let refunded = try Self.fact(PlayAnswers.product("CANCELLED"))
        #expect(refunded.status?.code == StatusCode.revoked.rawValue)
        #expect(refunded.transaction?.revoked != nil)
        let never = try Self.fact(
            PlayAnswers.product("CANCELLED") { $0["purchaseCompletionTime"] = nil }
        )
        #expect(never.status?.code == StatusCode.expired.rawValue)
        #expect(never.transaction?.revoked == nil)
    }

    @Test func `a purchase without an order is known by its token`() throws {
        let fact = try Self.fact(PlayAnswers.product { $0["orderId"] = nil })
        #expect(fact.transaction?.id == PlayAnswers.token)
    }

    @Test func `a test purchase is of the sandbox`() throws {
        let answer = PlayAnswers.product { $0["testPurchaseContext"] = ["fopType": "TEST"] }
        #expect(try Self.fact(answer).key.environment == .sandbox)
    }

    @Test func `several products of one order are told apart`() throws {
        let fact = try Self.fact(
            PlayAnswers.product {
                $0["productLineItem"] = [["productId": "lifetime"], ["productId": "credits_10"]]
            }
        )
        // In an order of their own, because the first one has the id of the order.
        #expect(fact.transactions.map(\.productID) == ["credits_10", "lifetime"])
        #expect(Set(fact.transactions.map(\.id)).count == 2)
    }

    @Test(arguments: [
        #"{"productLineItem":[{"productId":"a"}]}"#,
        #"{"purchaseStateContext":{"purchaseState":"PURCHASED"}}"#,
        #"{"purchaseStateContext":{"purchaseState":"PURCHASED"},"productLineItem":[{}]}"#,
        """
        {"purchaseStateContext":{"purchaseState":"PURCHASED"},"productLineItem":\
        [{"productId":"a","productOfferDetails":{"quantity":0}}]}
        """,
        """
        {"purchaseStateContext":{"purchaseState":"PURCHASED"},"productLineItem":\
        [{"productId":"a","productOfferDetails":{"quantity":1000001}}]}
        """,
    ])
    func `an answer of another form is malformed`(body: String) throws {
        let value = try JSONValue.parse(Array(body.utf8))
        #expect(throws: StoreAPIFailure.self) { _ = try Self.fact(value) }
    }
}
