import Entitlements
import JSON
import Testing

@testable import Methods

/// Purchases that a store is asked about, because no document of them is signed.
@Suite struct AskedPurchaseTests {
    private let stage: AskedService

    init() throws { stage = try AskedService() }

    private static let subscription = StatedPurchase(
        store: .stripe,
        originalID: "sub_1",
        order: "in_1",
        product: "prod_1"
    )

    @Test(arguments: ["checkoutSession", "stripeSubscription"])
    func `what Stripe says of a session or a subscription is the user's`(
        _ name: String
    ) async throws {
        let hint =
            name == "checkoutSession"
            ? PurchaseHint.checkoutSession("id_1") : .subscription("id_1")
        stage.stripe.know(hint, [Self.subscription.fact])
        let shown: JSONObject = ["userId": "alice", name: "id_1"]
        let answer = try await stage.call("verifyPurchase", shown)
        #expect(answer["applied"] == true)
        #expect(answer["entitlement"]?["isActive"] == true)
        #expect(answer["status"]?["subscriptionMethod"] == "stripe")
        #expect(answer["status"]?["subscription"]?["originalTransactionId"] == "sub_1")
        #expect(try await stage.call("verifyPurchase", shown)["applied"] == false)
        #expect(stage.stripe.asked == [hint, hint])
        #expect(stage.play.asked.isEmpty)
        // Nobody else gets it by knowing its number.
        let other: JSONObject = ["userId": "mallory", name: "id_1"]
        #expect(try await stage.refusal("verifyPurchase", other) == "ownership_conflict owned")
        #expect(try await stage.canRender("mallory") == false)
        try stage.restart()
        #expect(try await stage.canRender("alice") == true)
    }

    @Test func `a purchase that names a user is that user's alone`() async throws {
        var named = Self.subscription
        named.user = "alice"
        stage.stripe.know(.checkoutSession("cs_1"), [named.fact])
        let stolen: JSONObject = ["userId": "mallory", "checkoutSession": "cs_1"]
        #expect(try await stage.refusal("verifyPurchase", stolen) == "ownership_conflict token")
        #expect(try await stage.call("getStatus", ["userId": "alice"])["state"] == "no_account")
        _ = try await stage.call("verifyPurchase", ["userId": "alice", "checkoutSession": "cs_1"])
        #expect(try await stage.canRender("alice") == true)
        #expect(try await stage.refusal("verifyPurchase", stolen) == "ownership_conflict owned")
    }

    @Test func `a purchase whose place another one took renews no more`() async throws {
        let old = StatedPurchase()
        var new = StatedPurchase(originalID: "token-2", order: "GPA.3-4", product: "yearly")
        (new.former, new.begins) = ("token-1", AskedService.start + AskedService.day)
        stage.hands.advance(AskedService.day)
        for (token, purchase) in [("token-1", old), ("token-2", new)] {
            stage.play.know(.purchaseToken(token), [purchase.fact])
            let shown: JSONObject = ["userId": "alice", "purchaseToken": .string(token)]
            _ = try await stage.call("verifyPurchase", shown)
        }
        let all = try await stage.call("getSubscriptions", ["userId": "alice"])["subscriptions"]
        let renewing = all?.array?.map { [$0["productId"], $0["status"], $0["autoRenew"]] }
        #expect(
            renewing == [["yearly", "subscribed", true], ["monthly", "expired", false]]
        )
    }

    @Test func `claims are compared with what the store states`() async throws {
        stage.stripe.know(.subscription("sub_1"), [Self.subscription.fact])
        let claims: [(name: String, right: String)] = [
            ("productId", "prod_1"), ("transactionId", "in_1"), ("originalTransactionId", "sub_1"),
        ]
        for (name, right) in claims {
            var shown: JSONObject = ["userId": "alice", "stripeSubscription": "sub_1"]
            shown[name] = "other"
            let error = try await stage.ask("verifyPurchase", shown)["error"]
            #expect(error?["data"]?["code"] == "claim_mismatch", "\(name)")
            #expect(error?["data"]?["field"] == .string(name))
            shown[name] = .string(right)
            #expect(try await stage.ask("verifyPurchase", shown)["result"] != nil, "\(name)")
        }
        // Google's order is what callers know the purchase by.
        var play = StatedPurchase()
        play.order = "GPA.1-2..3"
        stage.play.know(.purchaseToken("token-1"), [play.fact])
        for name in ["GPA.1-2", "token-1"] {
            let shown: JSONObject = [
                "userId": "bob", "purchaseToken": "token-1", "originalTransactionId": .string(name),
            ]
            #expect(try await stage.ask("verifyPurchase", shown)["result"] != nil, "\(name)")
        }
    }

    @Test func `what is unknown, unreachable or refused says so, and nothing is kept`() async throws
    {
        let shown: JSONObject = ["userId": "alice", "checkoutSession": "cs_1"]
        #expect(try await stage.refusal("verifyPurchase", shown) == "not_found")
        stage.stripe.know(.checkoutSession("cs_1"), [])
        #expect(try await stage.refusal("verifyPurchase", shown) == "not_found")
        stage.stripe.know(.checkoutSession("cs_1"), [Self.subscription.fact])
        for kind in [StoreAPIFailure.Kind.unreachable, .limited] {
            stage.stripe.fail(kind)
            let error = try await stage.ask("verifyPurchase", shown)["error"]
            #expect(error?["data"]?["code"] == "overloaded", "\(kind)")
            #expect(error?["data"]?["retryAfterMs"]?.int64 ?? 0 > 0)
        }
        for kind in [StoreAPIFailure.Kind.refused, .unauthorized, .malformed] {
            stage.stripe.fail(kind)
            #expect(try await stage.refusal("verifyPurchase", shown) == "internal_error", "\(kind)")
        }
        #expect(try await stage.call("getStatus", ["userId": "alice"])["state"] == "no_account")
        stage.stripe.fail(nil)
        #expect(try await stage.call("verifyPurchase", shown)["applied"] == true)
        let both: JSONObject = [
            "userId": "alice", "checkoutSession": "cs_1", "purchaseToken": "token-1",
        ]
        #expect(try await stage.refusal("verifyPurchase", both) == "invalid_params")
        #expect(try await stage.refusal("verifyPurchase", ["userId": "alice"]) == "invalid_params")
    }

    @Test func `who registers with a token has what was bought under their account id, too`()
        async throws
    {
        let derived = stage.service.derivedToken(of: try #require(UserID("alice")))
        var bought = StatedPurchase()
        bought.token = derived
        stage.play.know(.purchaseToken("token-1"), [bought.fact])
        #expect(await stage.send(#"{"token":"token-1"}"#) == .received(.applied))
        let named = "11111111-1111-4111-8111-111111111111"
        let asked: JSONObject = ["userId": "alice", "appAccountToken": .string(named)]
        for _ in 1...2 {
            let answer = try await stage.call("registerAccount", asked)
            #expect(answer["appAccountToken"] == .string(named))
        }
        #expect(try await stage.canRender("alice") == true)
        // What is another's already is left to them, and the registration stands.
        let other = stage.service.derivedToken(of: try #require(UserID("bob")))
        let taken: JSONObject = [
            "userId": "carol", "appAccountToken": .string(other.description),
        ]
        _ = try await stage.call("registerAccount", taken)
        let late: JSONObject = [
            "userId": "bob", "appAccountToken": "22222222-2222-4222-8222-222222222222",
        ]
        #expect(try await stage.call("registerAccount", late)["created"] == true)
        #expect(try stage.isSoundOnceStopped())
    }

    @Test func `an account id of nobody is named as it is, beside a purchase token alone`()
        async throws
    {
        let hash = String(repeating: "0a", count: 32)
        // The SHA-256 of the second one; the others are a digest, and a token, themselves.
        let digest = Digest256(
            0x080e_8cf6_b4b6_bf58,
            0xfd49_0531_f232_47f3,
            0x397d_be50_a5ab_6de2,
            0x9d26_a626_c4c1_8cf7
        )
        let ids = [hash, "customer 42, München", "0F8FAD5B-D9CB-469F-A165-70867728950E"]
        for (number, id) in ids.enumerated() {
            var bought = StatedPurchase()
            (bought.originalID, bought.order) = ("t\(number)", "GPA.\(number)")
            bought.token = Token(accountID: id, sha256: digest)
            stage.play.know(.purchaseToken("t\(number)"), [bought.fact])
            let user = JSONValue.string("user\(number)")
            var shown: JSONObject = ["userId": user, "purchaseToken": .string("t\(number)")]
            let refusal = try await stage.refusal("verifyPurchase", shown)
            #expect(refusal == "ownership_conflict unknown_token", "\(id)")
            shown["appAccountToken"] = .string("1" + id.dropFirst())
            #expect(try await stage.refusal("verifyPurchase", shown) == "claim_mismatch", "\(id)")
            shown["appAccountToken"] = .string(id)
            #expect(try await stage.call("verifyPurchase", shown)["applied"] == true, "\(id)")
            let restoring: JSONObject = [
                "userId": user, "purchaseTokens": [.string("t\(number)")],
                "appAccountToken": .string(id),
            ]
            let results = try await stage.call("restorePurchases", restoring)["results"]?.array
            #expect(results?.first?["outcome"] == "already_owned", "\(id)")
        }
        for (name, shown) in [
            ("verifyPurchase", ["userId": "a", "signedTransaction": "x"] as JSONObject),
            ("restorePurchases", ["userId": "a", "signedTransactions": ["x"]] as JSONObject),
        ] {
            var shown = shown
            shown["appAccountToken"] = .string(hash)
            #expect(try await stage.refusal(name, shown) == "invalid_params")
        }
        let long: JSONObject = [
            "userId": "a", "purchaseToken": "t0", "appAccountToken": .string(hash + "0"),
        ]
        #expect(try await stage.refusal("verifyPurchase", long) == "invalid_params")
    }

    @Test func `a pending purchase is its user's, and gives access once it is paid`() async throws {
        var pending = StatedPurchase()
        pending.status = .pending
        pending.word = "PENDING"
        pending.ends = nil
        pending.renews = nil
        stage.play.know(.purchaseToken("token-1"), [pending.fact])
        let shown: JSONObject = ["userId": "alice", "purchaseToken": "token-1"]
        let answer = try await stage.call("verifyPurchase", shown)
        #expect(answer["status"]?["subscription"]?["status"] == "pending")
        #expect(answer["status"]?["canRender"] == false)
        try stage.restart()
        let check = try await stage.call("canRender", ["userId": "alice"])
        #expect(check["canRender"] == false && check["reason"] == "pending")
        var paid = StatedPurchase()
        paid.stated += 1_000
        stage.play.know(.purchaseToken("token-1"), [paid.fact])
        #expect(await stage.send(#"{"token":"token-1"}"#) == .received(.applied))
        #expect(try await stage.canRender("alice") == true)
    }
}
