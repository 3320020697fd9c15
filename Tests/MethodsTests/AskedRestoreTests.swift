import Entitlements
import JSON
import Testing
import Wire

@testable import Methods

/// What a device of Google's knows, restored; and where its customer manages it.
@Suite struct AskedRestoreTests {
    private let stage: AskedService

    init() throws {
        var source = Policy.Source()
        source.creditPacks = ["google_play:credits_10": 10]
        stage = try AskedService(source)
    }

    private func purchase(_ number: Int, _ change: (inout StatedPurchase) -> Void = { _ in }) {
        var one = StatedPurchase()
        one.originalID = "token-\(number)"
        one.order = "GPA.\(number)..4"
        change(&one)
        stage.play.know(.purchaseToken(one.originalID), [one.fact])
    }

    private func restore(_ user: String, _ tokens: [String]) async throws -> [String] {
        let asked: JSONObject = [
            "userId": .string(user), "purchaseTokens": .array(tokens.map { .string($0) }),
        ]
        let results = try await stage.call("restorePurchases", asked)["results"]?.array ?? []
        return results.map {
            "\($0["originalTransactionId"]?.string ?? "") \($0["outcome"]?.string ?? "")"
        }
    }

    @Test func `tokens are restored in their order, under the numbers of their orders`()
        async throws
    {
        for number in 1...7 { purchase(number) }
        let tokens = [3, 1, 7, 2, 6, 5, 4].map { "token-\($0)" }
        #expect(
            try await restore("alice", tokens)
                == [3, 1, 7, 2, 6, 5, 4].map { "GPA.\($0) linked" }
        )
        #expect(try await restore("alice", ["token-2"]) == ["GPA.2 already_owned"])
        #expect(try await stage.canRender("alice") == true)
        // What Google answers later is as of then (`transferPolicy: move`).
        purchase(2) { $0.stated += 1_000 }
        #expect(try await restore("bob", ["token-2"]) == ["GPA.2 moved"])
        #expect(try await stage.canRender("bob") == true)
        try stage.restart()
        #expect(try await restore("bob", ["token-2"]) == ["GPA.2 already_owned"])
    }

    @Test func `a pack is credited once, and not listed`() async throws {
        purchase(1) { one in
            one.product = "credits_10"
            one.kind = TransactionFact.oneTimeKind
            one.ends = nil
            one.renews = nil
            one.order = "GPA.1"
        }
        purchase(2)
        for _ in 1...2 {
            let results = try await restore("alice", ["token-1", "token-2"])
            #expect(results.map { $0.prefix(5) } == ["GPA.2"])
            let status = try await stage.call("getStatus", ["userId": "alice"])
            #expect(status["creditsRemaining"] == 10)
        }
    }

    @Test func `a purchase is named by the catalog as its store calls it`() throws {
        var source = Policy.Source()
        source.creditPacks = ["google_play:credits_10": 10]
        var plan = Policy.Plan(name: "paid")
        plan.products = ["google_play:monthly:cheap", "yearly"]
        source.plans = [plan]
        let stage = try AskedService(source)
        func naming(_ product: String, _ base: String?) -> MethodService.ProductNaming? {
            var one = StatedPurchase()
            one.product = product
            var fact = one.fact
            fact.transaction?.terms.variant = base
            var purchase = Subscription(key: one.key)
            _ = purchase.merge(fact)
            return stage.service.naming(of: purchase)
        }
        #expect(naming("monthly", "cheap") == .plan)
        #expect(naming("monthly", "dear") == nil)
        #expect(naming("yearly", nil) == .plan && naming("yearly", "any") == .plan)
        #expect(naming("credits_10", nil) == .pack)
        #expect(naming("other", nil) == nil)
    }

    @Test func `a token of nobody links nothing, and one that is another's is refused`()
        async throws
    {
        purchase(1) { $0.token = Token(high: 0x4000, low: 1 << 63) }
        #expect(try await restore("mallory", ["token-1"]) == ["GPA.1 refused"])
        #expect(try await stage.canRender("mallory") == false)
    }

    @Test func `one token that is unknown fails the call whole`() async throws {
        purchase(1)
        let asked: JSONObject = ["userId": "alice", "purchaseTokens": ["token-1", "token-9"]]
        let error = try await stage.ask("restorePurchases", asked)["error"]
        #expect(error?["data"]?["code"] == "not_found")
        #expect(error?["data"]?["index"] == 1)
        #expect(try await stage.call("getStatus", ["userId": "alice"])["state"] == "no_account")
        stage.play.fail(.unreachable)
        #expect(try await stage.refusal("restorePurchases", asked) == "overloaded")
        let wrong: [JSONObject] = [
            ["userId": "alice", "purchaseTokens": []],
            ["userId": "alice", "purchaseTokens": [1]],
            ["userId": "alice", "purchaseTokens": "token-1"],
            ["userId": "alice", "purchaseTokens": ["token-1"], "receiptData": "MII="],
            [
                "userId": "alice",
                "purchaseTokens": .array([JSONValue](repeating: "token-1", count: 101)),
            ],
            [
                "userId": "alice", "signedTransactions": ["a.b.c"],
                "purchaseTokens": .array([JSONValue](repeating: "token-1", count: 100)),
            ],
        ]
        for parameters in wrong {
            #expect(try await stage.refusal("restorePurchases", parameters) == "invalid_params")
        }
        #expect(stage.play.asked.count <= 4, "a wrong list asks nothing")
    }

    @Test func `each store's page is named, made where the store makes one, and kept nowhere`()
        async throws
    {
        func url(_ platform: String?) async throws -> JSONValue? {
            var asked: JSONObject = ["userId": "alice"]
            asked["platform"] = platform.map { .string($0) }
            return try await stage.call("getManagementURL", asked, role: .reader)["url"]
        }
        #expect(try await url(nil) == .null)
        #expect(try await url("android") == "https://play.example.com")
        #expect(try await url("web") == .null)
        purchase(1) { $0.ends = AskedService.start + 90 * AskedService.day }
        _ = try await restore("alice", ["token-1"])
        #expect(try await url(nil) == "https://play.example.com?sku=monthly")
        let paid = StatedPurchase(store: .stripe, originalID: "sub_1", order: "in_1")
        stage.stripe.know(.subscription("sub_1"), [paid.fact])
        _ = try await stage.call(
            "verifyPurchase",
            ["userId": "alice", "stripeSubscription": "sub_1"]
        )
        // The one that lasts longer is shown.
        #expect(try await url(nil) == "https://play.example.com?sku=monthly")
        for _ in 1...2 { #expect(try await url("web") == "https://portal.example.com/sub_1") }
        #expect(stage.stripe.pages == [paid.key, paid.key])
        stage.stripe.fail(.unreachable)
        let away: JSONObject = ["userId": "alice", "platform": "web"]
        #expect(try await stage.refusal("getManagementURL", away) == "overloaded")
        #expect(try await url("android") == "https://play.example.com?sku=monthly")
    }
}
