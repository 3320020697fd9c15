import EntitlementsClient
import Foundation
import JSON
import Testing

/// verifyPurchase: what a user's app shows is believed if Apple signed it.
@Suite struct PurchaseTests {
    private func verify(
        _ daemon: TestDaemon,
        _ user: String,
        _ document: String,
        _ claims: JSONObject = [:]
    ) throws -> Result<JSONValue, ClientError> {
        var parameters = claims
        parameters["userId"] = .string(user)
        parameters["signedTransaction"] = .string(document)
        do {
            return .success(try daemon.call("verifyPurchase", parameters))
        } catch let error as ClientError {
            return .failure(error)
        }
    }

    private func refusal(_ result: Result<JSONValue, ClientError>) -> ClientError? {
        if case .failure(let error) = result { error } else { nil }
    }

    @Test func `a purchase is linked to the user who shows it first`() throws {
        let daemon = try TestDaemon.started()
        let life = StoreLife()
        let document = try daemon.voice.purchase(life)
        let renewal = try daemon.voice.sign(life.renewal(signed: daemon.voice.signingTime()))
        let claims: JSONObject = [
            "signedRenewalInfo": .string(renewal), "productId": .string(life.product),
            "transactionId": .string(life.transactionID),
            "originalTransactionId": .string(life.originalID),
        ]
        let linked = try verify(daemon, "alice", document, claims).get()
        #expect(linked.object?.keys == ["entitlement", "status", "applied"])
        #expect(linked["applied"]?.bool == true)
        #expect(linked["entitlement"]?["isActive"]?.bool == true)
        #expect(linked["entitlement"]?["originalTransactionId"]?.string == life.originalID)
        let shown = try daemon.call("getEntitlement", ["userId": "alice"])
        #expect(linked["entitlement"] == shown["entitlement"])
        #expect(linked["status"]?["subscription"]?["autoRenew"]?.bool == true)
        let again = try verify(daemon, "alice", document, claims).get()
        #expect(again["applied"]?.bool == false)
        let stolen = refusal(try verify(daemon, "mallory", document))
        #expect(stolen?.code == -32021)
        #expect(stolen?.name == "ownership_conflict")
        #expect(try daemon.canRender("mallory")["reason"]?.string == "no_account")
        #expect(try daemon.canRender("alice")["canRender"]?.bool == true)
        // A notification without a token changes nothing about the owner.
        let body = try daemon.voice.notification("DID_CHANGE_RENEWAL_STATUS", about: life)
        #expect(try daemon.deliver(body) == (200, "applied"))
        #expect(try daemon.canRender("alice")["via"]?.string == "subscription")
    }

    @Test func `a signed token decides who may show the purchase`() throws {
        let daemon = try TestDaemon.started()
        let account = try daemon.call("registerAccount", ["userId": "alice"])
        let token = account["appAccountToken"]?.string
        let life = StoreLife(token: token)
        let document = try daemon.voice.purchase(life)
        #expect(refusal(try verify(daemon, "mallory", document))?.code == -32021)
        #expect(try verify(daemon, "alice", document).get()["applied"]?.bool == true)
        // A token of nobody is accepted from the one who names it, and is then theirs.
        let stray = UUID().uuidString.lowercased()
        let other = try daemon.voice.purchase(StoreLife(token: stray))
        let named = try verify(daemon, "bob", other, ["appAccountToken": .string(stray)])
        #expect(try named.get()["applied"]?.bool == true)
        let theirs = try daemon.refusal(
            of: "registerAccount",
            ["userId": "carol", "appAccountToken": .string(stray)]
        )
        #expect(theirs?.code == -32021)
    }

    @Test func `a claim that differs from what is signed names its field`() throws {
        let daemon = try TestDaemon.started()
        let life = StoreLife(token: UUID().uuidString.lowercased())
        let document = try daemon.voice.purchase(life)
        let claims: [(String, JSONValue)] = [
            ("productId", "com.example.premium"), ("transactionId", "1"),
            ("originalTransactionId", "1"),
            ("appAccountToken", .string(UUID().uuidString.lowercased())),
        ]
        for (field, value) in claims {
            let error = refusal(try verify(daemon, "alice", document, [field: value]))
            #expect(error?.code == -32022, "\(field)")
            #expect(error?.name == "claim_mismatch", "\(field)")
            #expect(error?.field == field)
        }
        #expect(try daemon.rows(of: "subscriptions").isEmpty)
    }

    @Test func `what does not verify names the reason and leaves nothing`() throws {
        let daemon = try TestDaemon.started()
        let voice = daemon.voice
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
            let error = refusal(try verify(daemon, "alice", text))
            #expect(error?.code == -32020, "\(reason)")
            #expect(error?.name == "verification_failed", "\(reason)")
            #expect(error?.reason == reason)
            let helps = error?.message.contains("jwsRepresentation") ?? false
            #expect(helps == (reason == "unsigned"), "\(error?.message ?? "")")
        }
        #expect(try daemon.rows(of: "subscriptions").isEmpty)
        #expect(try daemon.rows(of: "accounts").isEmpty)
        let notification = try voice.notification("DID_RENEW", about: life)
        let outer = try JSONValue.parse(notification)["signedPayload"]?.string ?? ""
        #expect(refusal(try verify(daemon, "alice", outer))?.reason == "wrong_document")
    }

    @Test func `the sandbox counts for whom the configuration names`() throws {
        for (access, renders) in [("all", true), ("none", false)] {
            var setup = TestDaemon.Setup()
            setup.environments = "[Production, Sandbox]"
            setup.sandbox = access
            let daemon = try TestDaemon.started(setup)
            var life = StoreLife()
            life.environment = "Sandbox"
            _ = try verify(daemon, "alice", daemon.voice.purchase(life)).get()
            #expect(try daemon.canRender("alice")["canRender"]?.bool == renders, "\(access)")
        }
    }

    @Test func `no document, token or user id stands in the log`() throws {
        var setup = TestDaemon.Setup()
        setup.logLevel = "trace"
        let daemon = try TestDaemon.started(setup)
        let account = try daemon.call("registerAccount", ["userId": "secret-user-id"])
        let token = try #require(account["appAccountToken"]?.string)
        let life = StoreLife(token: token)
        let document = try daemon.voice.purchase(life)
        let body = try daemon.voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life)
        #expect(try daemon.deliver(body) == (200, "applied"))
        #expect(try verify(daemon, "secret-user-id", document).get()["applied"] != nil)
        #expect(refusal(try verify(daemon, "secret-mallory", document))?.code == -32021)
        let strange = try StoreVoice().notification("SUBSCRIBED", about: life)
        #expect(try daemon.deliver(strange).status == 401)
        _ = try daemon.refusal(
            of: "grantEntitlement",
            ["userId": "secret-user-id", "plan": "paid", "idempotencyKey": "secret-key"],
            admin: true
        )
        try daemon.restart()
        let log = daemon.log
        #expect(TestDaemon.event("Notification", in: log)?["transaction"] == nil)
        #expect(log.contains(String(life.transactionID.suffix(4))))
        let payload = String(decoding: body, as: UTF8.self)
        for (name, text) in [
            ("user", "secret"), ("token", token), ("original id", life.originalID),
            ("document", String(document.prefix(40))),
            ("payload", String(payload.dropFirst(18).prefix(40))),
            ("signature", String(document.suffix(40))),
        ] {
            #expect(!log.contains(text), "the log holds a \(name)")
        }
    }

    @Test func `without an app garbage is called garbage, and the rest says what is missing`()
        throws
    {
        var setup = TestDaemon.Setup()
        setup.apple = false
        let daemon = try TestDaemon.started(setup)
        func reason(_ method: String, _ member: String, _ value: JSONValue) throws -> String? {
            let refusal = try daemon.refusal(of: method, ["userId": "anna", member: value])
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
        #expect(daemon.stop() == .exited(0))
    }
}
