import EntitlementsClient
import Fixtures
import Foundation
import JSON
import Testing

/// verifyPurchase: what a user's app shows is believed if Apple signed it.
@Suite struct PurchaseTests {
    private func verify(
        _ service: TestService,
        _ user: String,
        _ document: String,
        _ claims: JSONObject = [:]
    ) throws -> Result<JSONValue, ClientError> {
        var parameters = claims
        parameters["userId"] = .string(user)
        parameters["signedTransaction"] = .string(document)
        do {
            return .success(try service.call("verifyPurchase", parameters))
        } catch let error as ClientError {
            return .failure(error)
        }
    }

    private func refusal(_ result: Result<JSONValue, ClientError>) -> ClientError? {
        if case .failure(let error) = result { error } else { nil }
    }

    @Test func `a purchase is linked to the user who shows it first`() throws {
        let service = try TestService.started()
        let life = StoreLife()
        let document = try service.voice.purchase(life)
        let renewal = try service.voice.sign(life.renewal(signed: service.voice.signingTime()))
        let claims: JSONObject = [
            "signedRenewalInfo": .string(renewal), "productId": .string(life.product),
            "transactionId": .string(life.transactionID),
            "originalTransactionId": .string(life.originalID),
        ]
        let linked = try verify(service, "alice", document, claims).get()
        #expect(linked.object?.keys == ["entitlement", "status", "applied"])
        #expect(linked["applied"]?.bool == true)
        #expect(linked["entitlement"]?["isActive"]?.bool == true)
        #expect(linked["entitlement"]?["originalTransactionId"]?.string == life.originalID)
        let shown = try service.call("getEntitlement", ["userId": "alice"])
        #expect(linked["entitlement"] == shown["entitlement"])
        #expect(linked["status"]?["subscription"]?["autoRenew"]?.bool == true)
        let again = try verify(service, "alice", document, claims).get()
        #expect(again["applied"]?.bool == false)
        let stolen = refusal(try verify(service, "mallory", document))
        #expect(stolen?.code == -32021)
        #expect(stolen?.name == "ownership_conflict")
        #expect(try service.canRender("mallory")["reason"]?.string == "no_account")
        #expect(try service.canRender("alice")["canRender"]?.bool == true)
        // A notification without a token changes nothing about the owner.
        let body = try service.voice.notification("DID_CHANGE_RENEWAL_STATUS", about: life)
        #expect(try service.deliver(body) == (200, "applied"))
        #expect(try service.canRender("alice")["via"]?.string == "subscription")
    }

    @Test func `a signed token decides who may show the purchase`() throws {
        let service = try TestService.started()
        let account = try service.call("registerAccount", ["userId": "alice"])
        let token = account["appAccountToken"]?.string
        let life = StoreLife(token: token)
        let document = try service.voice.purchase(life)
        #expect(refusal(try verify(service, "mallory", document))?.code == -32021)
        #expect(try verify(service, "alice", document).get()["applied"]?.bool == true)
        // A token of nobody is accepted from the one who names it, and is then theirs.
        let stray = UUID().uuidString.lowercased()
        let other = try service.voice.purchase(StoreLife(token: stray))
        let named = try verify(service, "bob", other, ["appAccountToken": .string(stray)])
        #expect(try named.get()["applied"]?.bool == true)
        let theirs = try service.refusal(
            of: "registerAccount",
            ["userId": "carol", "appAccountToken": .string(stray)]
        )
        #expect(theirs?.code == -32021)
    }

    @Test func `a claim that differs from what is signed names its field`() throws {
        let service = try TestService.started()
        let life = StoreLife(token: UUID().uuidString.lowercased())
        let document = try service.voice.purchase(life)
        let claims: [(String, JSONValue)] = [
            ("productId", "com.example.premium"), ("transactionId", "1"),
            ("originalTransactionId", "1"),
            ("appAccountToken", .string(UUID().uuidString.lowercased())),
        ]
        for (field, value) in claims {
            let error = refusal(try verify(service, "alice", document, [field: value]))
            #expect(error?.code == -32022, "\(field)")
            #expect(error?.name == "claim_mismatch", "\(field)")
            #expect(error?.field == field)
        }
        #expect(try service.rows(of: "subscriptions").isEmpty)
    }

    /// A family member's purchase, one with an offer code, or one made in the App Store.
    @Test func `a token that is named and not signed is no contradiction`() throws {
        let service = try TestService.started()
        let account = try service.call("registerAccount", ["userId": "alice"])
        for signed in [nil, "00000000-0000-0000-0000-000000000000"] {
            let document = try service.voice.purchase(StoreLife(token: signed))
            let named: JSONObject = ["appAccountToken": account["appAccountToken"] ?? .null]
            let answer = try verify(service, "alice", document, named).get()
            #expect(answer["entitlement"]?["isActive"] == true, "\(answer)")
        }
    }

    @Test func `what does not verify names the reason and leaves nothing`() throws {
        let service = try TestService.started()
        let voice = service.voice
        let life = StoreLife()
        let payload = life.transaction(signed: voice.signingTime())
        var sandbox = life
        sandbox.environment = "Sandbox"
        var foreign = payload
        foreign["bundleId"] = "com.example.other"
        let future = StoreVoice.now + 360_000
        let document = try voice.purchase(life)
        let cases: [(String, String)] = [
            ("unsigned", String(decoding: JSONValue.object(payload).bytes, as: UTF8.self)),
            ("unsigned", Data(JSONValue.object(payload).bytes).base64EncodedString()),
            ("malformed", "nonsense"), ("malformed", "a.b"),
            ("chain", try StoreVoice().purchase(life)),
            ("signature", document.dropLast(4) + "AAAA"),
            ("wrong_document", try voice.sign(life.renewal(signed: voice.signingTime()))),
            ("environment", try voice.purchase(sandbox)),
            ("bundle", try voice.sign(foreign)),
            ("future_date", try voice.sign(life.transaction(signed: future))),
        ]
        for (reason, text) in cases {
            let error = refusal(try verify(service, "alice", text))
            #expect(error?.code == -32020, "\(reason)")
            #expect(error?.name == "verification_failed", "\(reason)")
            #expect(error?.reason == reason)
            let helps = error?.message.contains("jwsRepresentation") ?? false
            #expect(helps == (reason == "unsigned"), "\(error?.message ?? "")")
        }
        #expect(try service.rows(of: "subscriptions").isEmpty)
        #expect(try service.rows(of: "accounts").isEmpty)
        let notification = try voice.notification("DID_RENEW", about: life)
        let outer = try JSONValue.parse(notification)["signedPayload"]?.string ?? ""
        #expect(refusal(try verify(service, "alice", outer))?.reason == "wrong_document")
    }

    @Test func `the sandbox counts for whom the configuration names`() throws {
        for (access, renders) in [("all", true), ("none", false)] {
            var setup = TestService.Setup()
            setup.environments = "[Production, Sandbox]"
            setup.sandbox = access
            let service = try TestService.started(setup)
            var life = StoreLife()
            life.environment = "Sandbox"
            _ = try verify(service, "alice", service.voice.purchase(life)).get()
            #expect(try service.canRender("alice")["canRender"]?.bool == renders, "\(access)")
        }
    }

    @Test func `without an app garbage is called garbage, and the rest says what is missing`()
        throws
    {
        var setup = TestService.Setup()
        setup.hasApp = false
        let service = try TestService.started(setup)
        func reason(_ method: String, _ member: String, _ value: JSONValue) throws -> String? {
            let refusal = try service.refusal(of: method, ["userId": "anna", member: value])
            #expect(refusal?.code == -32020, "\(method)")
            let reason = refusal?.reason
            let says = refusal?.message.contains("section apple") ?? false
            #expect(says == (reason == "environment"), "\(method): \(refusal?.message ?? "")")
            return reason
        }
        let genuine = try StoreVoice().purchase(StoreLife())
        for (text, expected) in [
            ("garbage", "malformed"), ("a..b", "malformed"), ("{\"a\":1}", "unsigned"),
            ("eyJhIjoxfQ==", "unsigned"), (genuine, "environment"),
        ] {
            let one = JSONValue.string(text)
            #expect(try reason("verifyPurchase", "signedTransaction", one) == expected)
            #expect(try reason("restorePurchases", "signedTransactions", [one]) == expected)
        }
        for (text, expected) in [
            ("garbage", "malformed"), ("MIIT!", "malformed"), ("TUlJVA==", "double_base64"),
            (genuine, "jws_not_receipt"), ("MIITtgYJKoZIhvcNAQcCoIITpzCCE6M=", "environment"),
        ] {
            #expect(try reason("verifyReceipt", "receiptData", .string(text)) == expected)
        }
        #expect(try service.isSoundOnceStopped())
    }
}
