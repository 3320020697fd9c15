import EntitlementsClient
import Fixtures
import Forgery
import Foundation
import JSON
import TestSupport
import Testing

/// verifyReceipt: a receipt of the time before StoreKit 2, verified here.
@Suite struct LegacyReceiptTests {
    /// Keys of RSA take long to make; all tests of this suite share these.
    private static let shared: Result<ReceiptAuthority, any Error> = Result {
        try .ofThisYear()
    }

    private let authority: ReceiptAuthority
    private let service: TestService

    init() throws {
        authority = try Self.shared.get()
        service = try TestService.trusting(authority)
    }

    /// A month that began ten days ago, and with it a receipt made an hour ago.
    private var good: ReceiptContent {
        let id = "34\(Int64.random(in: 1_000_000_000_000...9_999_999_999_999))"
        return ReceiptContent(
            bundleID: ApplePayloads.bundleID,
            environment: "Production",
            created: StoreVoice.now - 3_600_000,
            purchases: [
                ReceiptContent.Purchase(
                    productID: "com.example.monthly",
                    transactionID: id,
                    originalID: id,
                    purchased: StoreVoice.now - 10 * StoreLife.day,
                    expires: StoreVoice.now + 20 * StoreLife.day
                )
            ]
        )
    }

    private func parameters(_ user: String, _ receipt: String) -> JSONObject {
        ["userId": .string(user), "receiptData": .string(receipt)]
    }

    @Test func `a receipt's purchases are linked to who shows them first`() throws {
        let content = good
        let receipt = try authority.receipt(content)
        var asked = parameters("alice", receipt)
        asked["productId"] = "com.example.monthly"
        let answer = try service.call("verifyReceipt", asked)
        #expect(answer["isValid"] == true)
        #expect(answer["tier"] == "paid")
        #expect(answer["message"]?.string?.isEmpty == false)
        #expect(answer["expiresAt"]?.string == answer["status"]?["expiresAt"]?.string)
        #expect(answer["status"] == (try service.status("alice")))
        #expect(try service.canRender("alice")["via"] == "subscription")
        let stolen = try service.refusal(of: "verifyReceipt", parameters("mallory", receipt))
        #expect(stolen?.code == -32021)
        asked["productId"] = "com.example.premium"
        #expect(try service.call("verifyReceipt", asked)["isValid"] == false)
        var ended = good
        ended.purchases[0].expires = StoreVoice.now - StoreLife.day
        let late = try service.call(
            "verifyReceipt",
            parameters("bob", try authority.receipt(ended))
        )
        #expect(late["isValid"] == false)
        #expect(late["status"]?["hadSubscription"] == true)
    }

    @Test func `the receipt is judged, not the account`() throws {
        func ask(
            _ user: String,
            _ purchases: [ReceiptContent.Purchase],
            product: String? = nil,
            later: Int64 = 0
        ) throws -> JSONValue {
            var content = good
            content.created += later
            content.purchases = purchases
            var asked = parameters(user, try authority.receipt(content))
            if let product { asked["productId"] = .string(product) }
            return try service.call("verifyReceipt", asked)
        }
        let grant: JSONObject = ["userId": "gina", "plan": "premium", "idempotencyKey": "g"]
        _ = try service.call("grantEntitlement", grant, admin: true)
        let empty = try ask("gina", [])
        #expect(empty["isValid"] == false && empty["tier"] == "free")
        #expect(empty["expiresAt"] == .null && empty["status"]?["isSubscriber"] == true)
        var ended = good.purchases[0]
        ended.expires = StoreVoice.now - StoreLife.day
        #expect(try ask("gina", [ended])["isValid"] == false)
        let monthly = good.purchases[0]
        let beside = try ask("gina", [monthly], product: "com.example.monthly")
        #expect(beside["isValid"] == true && beside["tier"] == "paid")
        #expect(beside["status"]?["subscriptionMethod"] == "grant")
        // Two at once: each is asked for by its name.
        let other = good.purchases[0]
        var premium = good.purchases[0]
        premium.productID = "com.example.premium"
        premium.expires = StoreVoice.now + 3 * StoreLife.day
        for (product, purchase) in [
            ("com.example.monthly", other), ("com.example.premium", premium),
        ] {
            let answer = try ask("paula", [other, premium], product: product)
            #expect(answer["isValid"] == true, "\(product)")
            let end = Date(timeIntervalSince1970: Double(purchase.expires ?? 0) / 1000)
                .formatted(.iso8601)
            #expect(answer["expiresAt"]?.string?.prefix(19) == end.prefix(19), "\(product)")
        }
        #expect(try ask("paula", [other], product: "com.example.premium")["isValid"] == false)
        // What is known beside the receipt counts: the newest word wins.
        var refunded = other
        refunded.cancelled = StoreVoice.now
        #expect(try ask("paula", [refunded], later: 60_000)["isValid"] == false)
        #expect(try ask("paula", [other])["isValid"] == false)
    }

    @Test func `what is no receipt of this app names its reason and leaves nothing`() throws {
        let receipt = try authority.receipt(good)
        var bundle = good
        bundle.bundleID = "com.example.other"
        var environment = good
        environment.environment = "ProductionSandbox"
        var future = good
        future.created = StoreVoice.now + 600_000
        var stranger = authority
        stranger.rootKey = try ReceiptKey()
        stranger.middleKey = stranger.rootKey
        let jws = try service.voice.purchase(StoreLife())
        let cases: [(String, String)] = [
            ("double_base64", Data(receipt.utf8).base64EncodedString()),
            ("jws_not_receipt", jws),
            ("xcode", try xcode()),
            ("bundle", try authority.receipt(bundle)),
            ("environment", try authority.receipt(environment)),
            ("future_date", try authority.receipt(future)),
            ("chain", try stranger.receipt(good)),
            ("malformed", "nonsense"), ("malformed", String(receipt.dropLast(4))),
        ]
        for (reason, text) in cases {
            let error = try service.refusal(of: "verifyReceipt", parameters("alice", text))
            #expect(error?.code == -32020, "\(reason)")
            #expect(error?.name == "verification_failed", "\(reason)")
            #expect(error?.reason == reason)
        }
        #expect(try service.rows(of: "subscriptions").isEmpty)
        #expect(try service.rows(of: "accounts").isEmpty)
    }

    /// Signed by itself, with the name that Xcode gives.
    private func xcode() throws -> String {
        var authority = authority
        authority.leaf.subject = "StoreKit"
        authority.leaf.issuer = "StoreKit"
        authority.leaf.extensions = []
        authority.middleKey = authority.leafKey
        var content = good
        content.environment = "Xcode"
        var envelope = try authority.envelope(content.bytes)
        envelope.certificates = [envelope.certificates[0]]
        return Data(try envelope.der(signedBy: authority.leafKey)).base64EncodedString()
    }
}
