import EntitlementsClient
import Fixtures
import Foundation
import JSON
import Testing

/// Genuine documents in the wrong hands, at the wrong time and in the wrong place.
@Suite struct PurchaseAbuseTests {
    private func verify(
        _ service: TestService,
        _ user: String,
        _ document: String,
        _ claims: JSONObject = [:]
    ) throws -> JSONValue {
        var parameters = claims
        parameters["userId"] = .string(user)
        parameters["signedTransaction"] = .string(document)
        return try service.call("verifyPurchase", parameters)
    }

    private func refusal(
        _ service: TestService,
        _ user: String,
        _ document: String,
        _ claims: JSONObject = [:]
    ) throws -> ClientError? {
        do {
            _ = try verify(service, user, document, claims)
            return nil
        } catch let error as ClientError {
            return error
        }
    }

    /// What the service remembers of purchases and of people.
    private func memory(_ service: TestService) throws -> [JSONValue] {
        try service.rows(of: "subscriptions") + service.rows(of: "accounts")
            + service.rows(of: "tokens")
    }

    private func registered(_ user: String, _ service: TestService) throws -> String {
        let account = try service.call("registerAccount", ["userId": .string(user)])
        return try #require(account["appAccountToken"]?.string)
    }

    // MARK: Replay

    @Test func `a notification that is sent again changes nothing`() throws {
        let service = try TestService.started()
        var life = StoreLife(token: try registered("alice", service))
        var bodies: [[UInt8]] = []
        bodies.append(try service.voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life))
        life.renew()
        bodies.append(try service.voice.notification("DID_RENEW", about: life))
        life.revoked = StoreVoice.now
        life.autoRenew = false
        bodies.append(try service.voice.notification("REFUND", about: life))
        for body in bodies { #expect(try service.deliver(body) == (200, "applied")) }
        let before = try memory(service)
        let status = try service.status("alice")
        for _ in 0..<20 {
            for body in bodies { #expect(try service.deliver(body) == (200, "duplicate")) }
        }
        #expect(try memory(service) == before)
        #expect(try service.status("alice") == status)
        #expect(try service.rows(of: "notifications").count == bodies.count)
    }

    @Test func `an old notification that was never heard is stale after a newer one`() throws {
        let service = try TestService.started()
        var life = StoreLife(token: try registered("alice", service))
        let old = try service.voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life)
        life.revoked = StoreVoice.now
        life.autoRenew = false
        let refund = try service.voice.notification("REFUND", about: life)
        #expect(try service.deliver(refund) == (200, "applied"))
        #expect(try service.canRender("alice")["canRender"] == false)
        let before = try memory(service).map(JSONValue.told)
        #expect(try service.deliver(old) == (200, "stale"))
        #expect(try service.deliver(old) == (200, "duplicate"))
        // When the purchase was signed first is remembered, and nothing else.
        #expect(try memory(service).map(JSONValue.told) == before)
        #expect(try service.canRender("alice")["reason"] == "revoked")
    }

    @Test func `a purchase shown again after its refund brings nothing back`() throws {
        let service = try TestService.started()
        var life = StoreLife(token: try registered("alice", service))
        let document = try service.voice.purchase(life)
        #expect(try verify(service, "alice", document)["applied"] == true)
        life.revoked = StoreVoice.now
        let refund = try service.voice.notification("REFUND", about: life)
        #expect(try service.deliver(refund) == (200, "applied"))
        let again = try verify(service, "alice", document)
        #expect(again["applied"] == false)
        #expect(again["entitlement"]?["isActive"] == false)
        let restored = try service.call(
            "restorePurchases",
            ["userId": "alice", "signedTransactions": [.string(document)]]
        )
        #expect(restored["entitlement"]?["isActive"] == false)
        #expect(try service.canRender("alice")["reason"] == "revoked")
    }

    // MARK: Genuine documents of the wrong kind

    @Test func `what is genuine and no notification is refused at the webhook`() throws {
        let service = try TestService.started()
        let voice = service.voice
        let life = StoreLife(token: try registered("alice", service))
        let before = try memory(service)
        for (name, payload) in documents(of: life, signed: voice.signingTime()) {
            let body = StoreVoice.body(signedPayload: try voice.sign(payload))
            #expect(try service.deliver(body).status == 401, "\(name)")
        }
        #expect(try memory(service) == before)
        #expect(try service.rows(of: "notifications").isEmpty)
    }

    @Test func `what is genuine and no transaction is refused as a purchase`() throws {
        let service = try TestService.started()
        let voice = service.voice
        let life = StoreLife()
        let body = try voice.notification("SUBSCRIBED", about: life)
        let outer = try JSONValue.parse(body)["signedPayload"]?.string ?? ""
        var strangers = ["notification": outer]
        for (name, payload) in documents(of: life, signed: voice.signingTime())
        where name != "transaction" {
            strangers[name] = try voice.sign(payload)
        }
        for (name, document) in strangers {
            #expect(try refusal(service, "alice", document)?.reason == "wrong_document", "\(name)")
            let parameters: JSONObject = [
                "userId": "alice", "signedTransactions": [.string(document)],
            ]
            let error = try service.refusal(of: "restorePurchases", parameters)
            #expect(error?.reason == "wrong_document", "\(name)")
        }
        let document = try voice.purchase(life)
        for (name, other) in ["transaction": document, "notification": outer] {
            let claims: JSONObject = ["signedRenewalInfo": .string(other)]
            let error = try refusal(service, "alice", document, claims)
            #expect(error?.reason == "wrong_document", "\(name)")
        }
        // A renewal of another subscription says nothing about this one.
        let other = try voice.sign(StoreLife().renewal(signed: voice.signingTime()))
        let error = try refusal(service, "alice", document, ["signedRenewalInfo": .string(other)])
        #expect(error?.reason == "wrong_document")
        #expect(try memory(service).isEmpty)
    }

    /// What Apple signs for devices and for other doors.
    private func documents(of life: StoreLife, signed: Int64) -> [String: JSONObject] {
        let app: JSONObject = [
            "receiptType": "Production", "bundleId": .string(ApplePayloads.bundleID),
            "appAppleId": .integer(ApplePayloads.appAppleID), "applicationVersion": "1",
            "receiptCreationDate": .integer(signed), "environment": "Production",
            "appTransactionId": "704000000000000000", "signedDate": .integer(signed),
        ]
        let request: JSONObject = [
            "originalTransactionId": .string(life.originalID),
            "appAppleId": .integer(ApplePayloads.appAppleID), "productId": .string(life.product),
            "userLocale": "en-US", "environment": "Production",
            "requestIdentifier": .string(UUID().uuidString.lowercased()),
            "signedDate": .integer(signed),
        ]
        return [
            "transaction": life.transaction(signed: signed),
            "renewal": life.renewal(signed: signed), "app transaction": app,
            "realtime request": request,
        ]
    }

    // MARK: Another's purchase

    @Test func `a purchase of another is refused, however it is shown`() throws {
        var setup = TestService.Setup()
        setup.accounts = "{ transferPolicy: refuse }"
        let service = try TestService.started(setup)
        let token = try registered("alice", service)
        let linked = try service.voice.purchase(StoreLife())
        let tokened = try service.voice.purchase(StoreLife(token: token))
        #expect(try verify(service, "alice", linked)["applied"] == true)
        var before = try memory(service)
        // Linked to another; signed for another; with the other's token named; in capitals.
        #expect(try refusal(service, "mallory", linked)?.code == -32021)
        for claimed in [nil, token, token.uppercased()] {
            var claims: JSONObject = [:]
            claims["appAccountToken"] = claimed.map { .string($0) }
            #expect(try refusal(service, "mallory", tokened, claims)?.code == -32021)
        }
        #expect(try memory(service) == before)
        #expect(try verify(service, "alice", tokened)["applied"] == true)
        before = try memory(service)
        let restored = try service.call(
            "restorePurchases",
            ["userId": "mallory", "signedTransactions": [.string(linked), .string(tokened)]]
        )
        let outcomes = restored["results"]?.array?.compactMap { $0["outcome"]?.string }
        #expect(outcomes == ["refused", "refused"])
        #expect(restored["entitlement"]?["isActive"] == false)
        // Another's token cannot be had either.
        let claim: JSONObject = ["userId": "mallory", "appAccountToken": .string(token)]
        #expect(try service.refusal(of: "registerAccount", claim)?.code == -32021)
        #expect(try service.canRender("mallory")["canRender"] == false)
        let after = try memory(service)
        #expect(before.allSatisfy { after.contains($0) })
        #expect(try service.canRender("alice")["canRender"] == true)
    }

    @Test func `a transfer leaves one user of a subscription, and both can read of it`()
        throws
    {
        let service = try TestService.started()
        let document = try service.voice.purchase(StoreLife(token: registered("alice", service)))
        #expect(try verify(service, "alice", document)["applied"] == true)
        let restoring: JSONObject = ["userId": "bob", "signedTransactions": [.string(document)]]
        let restored = try service.call("restorePurchases", restoring)
        #expect(restored["results"]?.array?.first?["outcome"] == "moved")
        #expect(try service.canRender("alice")["canRender"] == false)
        #expect(try service.canRender("bob")["canRender"] == true)
        // The link counts more than the token that is signed: it does not come back by itself.
        #expect(try refusal(service, "alice", document)?.code == -32021)
        func causes(_ user: String) throws -> [String] {
            let history = try service.call("getHistory", ["userId": .string(user)])
            return history["events"]?.array?.compactMap { $0["cause"]?.string } ?? []
        }
        #expect(try causes("alice").last == "transferred")
        #expect(try causes("bob").last == "restored")
        let lost = try service.call("getHistory", ["userId": "alice"])["events"]?.array?.last
        #expect(lost?["before"]?["canRender"] == true)
        #expect(lost?["after"]?["canRender"] == false)
    }

    // MARK: Tokens

    @Test func `tokens are compared without case, and the all-zero one is none`() throws {
        let service = try TestService.started()
        let token = UUID().uuidString
        let named: JSONObject = ["userId": "alice", "appAccountToken": .string(token)]
        let account = try service.call("registerAccount", named)
        #expect(account["appAccountToken"]?.string == token.lowercased())
        let capitals = try service.voice.purchase(StoreLife(token: token.uppercased()))
        #expect(try refusal(service, "mallory", capitals)?.code == -32021)
        let small: JSONObject = ["appAccountToken": .string(token.lowercased())]
        #expect(try verify(service, "alice", capitals, small)["applied"] == true)
        let zero = "00000000-0000-0000-0000-000000000000"
        let document = try service.voice.purchase(StoreLife(token: zero))
        let absent: JSONObject = ["appAccountToken": .string(zero)]
        // Named or not, it is no claim, and belongs to nobody.
        #expect(try verify(service, "bob", document, absent)["applied"] == true)
        #expect(try verify(service, "bob", document)["applied"] == false)
        let other = try service.voice.purchase(StoreLife(token: zero))
        #expect(try verify(service, "carol", other)["applied"] == true)
        #expect(try service.rows(of: "tokens").count == 1)
        // Who names a token of theirs contradicts nothing, and gets no other purchase by it.
        #expect(try verify(service, "bob", document, small)["applied"] == false)
        #expect(try refusal(service, "alice", document, small)?.code == -32021)
    }

    // MARK: What a purchase is worth

    @Test func `a purchase that gives no access is linked and shown for what it is`() throws {
        let service = try TestService.started()
        var expired = StoreLife(expiresIn: -5)
        expired.autoRenew = false
        var revoked = StoreLife()
        revoked.revoked = StoreVoice.now - StoreLife.day
        var upgraded = StoreLife()
        upgraded.isUpgraded = true
        var family = StoreLife()
        family.ownership = "FAMILY_SHARED"
        for (name, life, isActive) in [
            ("expired", expired, false), ("revoked", revoked, false),
            ("upgraded", upgraded, false), ("family", family, true),
        ] {
            let linked = try verify(service, name, service.voice.purchase(life))
            #expect(linked["applied"] == true, "\(name)")
            #expect(linked["entitlement"]?["isActive"]?.bool == isActive, "\(name)")
            #expect(linked["status"]?["canRender"]?.bool == isActive, "\(name)")
            #expect(linked["status"]?["hadSubscription"] == true, "\(name)")
        }
        #expect(try service.status("expired")["subscription"]?["status"] == "expired")
        #expect(try service.status("revoked")["subscription"]?["status"] == "revoked")
        // What it was upgraded to, which the store tells next, gives access.
        var higher = upgraded
        higher.transactionID = String((UInt64(upgraded.transactionID) ?? 0) + 1)
        higher.product = "com.example.premium"
        higher.isUpgraded = false
        higher.purchased = StoreVoice.now
        let next = try verify(service, "upgraded", service.voice.purchase(higher))
        #expect(next["entitlement"]?["isActive"] == true)
        #expect(next["status"]?["plan"] == "premium")
    }
}
