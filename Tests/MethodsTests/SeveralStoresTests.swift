import Entitlements
import JSON
import Testing

@testable import Methods

/// One user with subscriptions of several stores.
@Suite struct SeveralStoresTests {
    private let stage: AskedService
    private let google = PurchaseHint.purchaseToken("token-1")
    private let stripe = PurchaseHint.subscription("sub_1")
    /// Worth less than what Stripe sells, and paid for longer.
    private let onAndroid = StatedPurchase(ends: AskedService.start + 90 * AskedService.day)
    private let onTheWeb = StatedPurchase(
        store: .stripe,
        originalID: "sub_1",
        order: "in_1",
        product: "prod_1"
    )

    init() throws {
        var source = Policy.Source()
        var basic = Policy.Plan(name: "basic")
        basic.products = ["google_play:monthly"]
        basic.unlimited = ["render"]
        var premium = Policy.Plan(name: "premium")
        premium.rank = 2
        premium.products = ["stripe:prod_1"]
        premium.unlimited = ["render"]
        source.plans = [basic, premium]
        stage = try AskedService(source)
    }

    /// Shows both purchases as alice's.
    private func buyBoth() async throws {
        stage.play.know(google, [onAndroid.fact])
        stage.stripe.know(stripe, [onTheWeb.fact])
        for shown in [["purchaseToken": "token-1"], ["stripeSubscription": "sub_1"]] as [JSONObject]
        {
            var params = shown
            params["userId"] = "alice"
            #expect(try await stage.call("verifyPurchase", params)["applied"] == true)
        }
    }

    /// What getStatus says: the plan, the store, and whether two of them renew.
    private func status() async throws -> String {
        let status = try await stage.call("getStatus", ["userId": "alice"])
        let words = ["plan", "subscriptionMethod"].map { status[$0]?.string ?? "-" }
        let isPaidTwice = status["duplicateSubscriptions"] == true
        return words.joined(separator: " of ") + (isPaidTwice ? ", twice" : "")
    }

    /// The store says of `purchase`, an hour later, what `change` makes of it.
    private func restate(
        _ purchase: StatedPurchase,
        as hint: PurchaseHint,
        _ change: (inout StatedPurchase) -> Void
    ) async throws {
        stage.hands.advance(3_600_000)
        var later = purchase
        later.stated = stage.hands.wall
        change(&later)
        let isGoogle = purchase.store == .googlePlay
        (isGoogle ? stage.play : stage.stripe).know(hint, [later.fact])
        let name = isGoogle ? "purchaseToken" : "stripeSubscription"
        let params: JSONObject = [
            "userId": "alice", name: .string(isGoogle ? "token-1" : "sub_1"),
        ]
        _ = try await stage.call("verifyPurchase", params)
    }

    private func end(_ purchase: inout StatedPurchase) {
        purchase.status = .expired
        purchase.word = "EXPIRED"
        purchase.ends = purchase.stated - 1
        purchase.renews = false
    }

    @Test func `the better plan is shown, and who pays twice is told`() async throws {
        try await buyBoth()
        #expect(try await status() == "premium of stripe, twice")
        let listed = try await stage.call("getSubscriptions", ["userId": "alice"])
        #expect(listed["subscriptions"]?.array?.count == 2)
        try stage.restart()
        #expect(try await status() == "premium of stripe, twice")
        #expect(try stage.isSoundOnceStopped())
    }

    @Test func `the end of the better one leaves the other`() async throws {
        try await buyBoth()
        try await restate(onTheWeb, as: stripe, end)
        #expect(try await status() == "basic of google_play")
        #expect(try await stage.canRender("alice") == true)
        try await restate(onAndroid, as: google, end)
        #expect(try await stage.canRender("alice") == false)
        #expect(try stage.isSoundOnceStopped())
    }

    @Test func `the end of the other one leaves the better`() async throws {
        try await buyBoth()
        try await restate(onAndroid, as: google, end)
        #expect(try await status() == "premium of stripe")
        #expect(try await stage.canRender("alice") == true)
    }

    @Test func `who has cancelled one of two does not pay twice`() async throws {
        try await buyBoth()
        try await restate(onTheWeb, as: stripe) { $0.renews = false }
        #expect(try await status() == "premium of stripe")
        // Time alone ends it, and the other is shown, although nobody says anything.
        stage.hands.advance(31 * AskedService.day)
        #expect(try await status() == "basic of google_play")
    }
}
