import EntitlementsClient
import Foundation
import JSON
import Testing

/// Genuine documents in the wrong hands, at the wrong time and in the wrong place.
@Suite struct PurchaseAbuseTests {
    private func verify(
        _ daemon: TestDaemon,
        _ user: String,
        _ document: String,
        _ claims: JSONObject = [:]
    ) throws -> JSONValue {
        var parameters = claims
        parameters["userId"] = .string(user)
        parameters["signedTransaction"] = .string(document)
        return try daemon.call("verifyPurchase", parameters)
    }

    private func refusal(
        _ daemon: TestDaemon,
        _ user: String,
        _ document: String,
        _ claims: JSONObject = [:]
    ) throws -> ClientError? {
        do {
            _ = try verify(daemon, user, document, claims)
            return nil
        } catch let error as ClientError {
            return error
        }
    }

    /// What the daemon remembers of purchases and of people.
    private func memory(_ daemon: TestDaemon) throws -> [JSONValue] {
        try daemon.rows(of: "subscriptions") + daemon.rows(of: "accounts")
            + daemon.rows(of: "tokens")
    }

    private func registered(_ user: String, _ daemon: TestDaemon) throws -> String {
        let account = try daemon.call("registerAccount", ["userId": .string(user)])
        return try #require(account["appAccountToken"]?.string)
    }

    // MARK: Replay

    @Test func `a notification that is sent again changes nothing`() throws {
        let daemon = try TestDaemon.started()
        var life = StoreLife(token: try registered("alice", daemon))
        var bodies: [[UInt8]] = []
        bodies.append(try daemon.voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life))
        life.renew()
        bodies.append(try daemon.voice.notification("DID_RENEW", about: life))
        life.revoked = StoreVoice.now
        life.autoRenew = false
        bodies.append(try daemon.voice.notification("REFUND", about: life))
        for body in bodies { #expect(try daemon.deliver(body) == (200, "applied")) }
        let before = try memory(daemon)
        let status = try daemon.status("alice")
        for _ in 0..<20 {
            for body in bodies { #expect(try daemon.deliver(body) == (200, "duplicate")) }
        }
        #expect(try memory(daemon) == before)
        #expect(try daemon.status("alice") == status)
        #expect(try daemon.rows(of: "notifications").count == bodies.count)
    }

    @Test func `an old notification that was never heard is stale after a newer one`() throws {
        let daemon = try TestDaemon.started()
        var life = StoreLife(token: try registered("alice", daemon))
        let old = try daemon.voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life)
        life.revoked = StoreVoice.now
        life.autoRenew = false
        let refund = try daemon.voice.notification("REFUND", about: life)
        #expect(try daemon.deliver(refund) == (200, "applied"))
        #expect(try daemon.canRender("alice")["canRender"] == false)
        let before = try memory(daemon).map(KnownBooks.told)
        #expect(try daemon.deliver(old) == (200, "stale"))
        #expect(try daemon.deliver(old) == (200, "duplicate"))
        // When the purchase was signed first is remembered, and nothing else.
        #expect(try memory(daemon).map(KnownBooks.told) == before)
        #expect(try daemon.canRender("alice")["reason"] == "revoked")
    }

    @Test func `a purchase shown again after its refund brings nothing back`() throws {
        let daemon = try TestDaemon.started()
        var life = StoreLife(token: try registered("alice", daemon))
        let document = try daemon.voice.purchase(life)
        #expect(try verify(daemon, "alice", document)["applied"] == true)
        life.revoked = StoreVoice.now
        let refund = try daemon.voice.notification("REFUND", about: life)
        #expect(try daemon.deliver(refund) == (200, "applied"))
        let again = try verify(daemon, "alice", document)
        #expect(again["applied"] == false)
        #expect(again["entitlement"]?["isActive"] == false)
        let restored = try daemon.call(
            "restorePurchases",
            ["userId": "alice", "signedTransactions": [.string(document)]]
        )
        #expect(restored["entitlement"]?["isActive"] == false)
        #expect(try daemon.canRender("alice")["reason"] == "revoked")
    }

    // MARK: Genuine documents of the wrong kind

    @Test func `what is genuine and no notification is refused at the webhook`() throws {
        let daemon = try TestDaemon.started()
        let voice = daemon.voice
        let life = StoreLife(token: try registered("alice", daemon))
        let before = try memory(daemon)
        for (name, payload) in documents(of: life, signed: voice.signingTime()) {
            let body = StoreVoice.body(signedPayload: try voice.sign(payload))
            #expect(try daemon.deliver(body).status == 401, "\(name)")
        }
        #expect(try memory(daemon) == before)
        #expect(try daemon.rows(of: "notifications").isEmpty)
    }

    @Test func `what is genuine and no transaction is refused as a purchase`() throws {
        let daemon = try TestDaemon.started()
        let voice = daemon.voice
        let life = StoreLife()
        let body = try voice.notification("SUBSCRIBED", about: life)
        let outer = try JSONValue.parse(body)["signedPayload"]?.string ?? ""
        var strangers = ["notification": outer]
        for (name, payload) in documents(of: life, signed: voice.signingTime())
        where name != "transaction" {
            strangers[name] = try voice.sign(payload)
        }
        for (name, document) in strangers {
            #expect(try refusal(daemon, "alice", document)?.reason == "wrong_document", "\(name)")
            let parameters: JSONObject = [
                "userId": "alice", "signedTransactions": [.string(document)],
            ]
            let error = try daemon.refusal(of: "restorePurchases", parameters)
            #expect(error?.reason == "wrong_document", "\(name)")
        }
        let document = try voice.purchase(life)
        for (name, other) in ["transaction": document, "notification": outer] {
            let claims: JSONObject = ["signedRenewalInfo": .string(other)]
            let error = try refusal(daemon, "alice", document, claims)
            #expect(error?.reason == "wrong_document", "\(name)")
        }
        // A renewal of another subscription says nothing about this one.
        let other = try voice.sign(StoreLife().renewal(signed: voice.signingTime()))
        let error = try refusal(daemon, "alice", document, ["signedRenewalInfo": .string(other)])
        #expect(error?.reason == "wrong_document")
        #expect(try memory(daemon).isEmpty)
    }

    /// What Apple signs for devices and for other doors.
    private func documents(of life: StoreLife, signed: Int64) -> [String: JSONObject] {
        let app: JSONObject = [
            "receiptType": "Production", "bundleId": .string(TestDaemon.bundleID),
            "appAppleId": .integer(TestDaemon.appAppleID), "applicationVersion": "1",
            "receiptCreationDate": .integer(signed), "environment": "Production",
            "appTransactionId": "704000000000000000", "signedDate": .integer(signed),
        ]
        let request: JSONObject = [
            "originalTransactionId": .string(life.originalID),
            "appAppleId": .integer(TestDaemon.appAppleID), "productId": .string(life.product),
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
        var setup = TestDaemon.Setup()
        setup.accounts = "{ transferPolicy: refuse }"
        let daemon = try TestDaemon.started(setup)
        let token = try registered("alice", daemon)
        let linked = try daemon.voice.purchase(StoreLife())
        let tokened = try daemon.voice.purchase(StoreLife(token: token))
        #expect(try verify(daemon, "alice", linked)["applied"] == true)
        var before = try memory(daemon)
        // Linked to another; signed for another; with the other's token named; in capitals.
        #expect(try refusal(daemon, "mallory", linked)?.code == -32021)
        for claimed in [nil, token, token.uppercased()] {
            var claims: JSONObject = [:]
            claims["appAccountToken"] = claimed.map { .string($0) }
            #expect(try refusal(daemon, "mallory", tokened, claims)?.code == -32021)
        }
        #expect(try memory(daemon) == before)
        #expect(try verify(daemon, "alice", tokened)["applied"] == true)
        before = try memory(daemon)
        let restored = try daemon.call(
            "restorePurchases",
            ["userId": "mallory", "signedTransactions": [.string(linked), .string(tokened)]]
        )
        let outcomes = restored["results"]?.array?.compactMap { $0["outcome"]?.string }
        #expect(outcomes == ["refused", "refused"])
        #expect(restored["entitlement"]?["isActive"] == false)
        // Another's token cannot be had either.
        let claim: JSONObject = ["userId": "mallory", "appAccountToken": .string(token)]
        #expect(try daemon.refusal(of: "registerAccount", claim)?.code == -32021)
        #expect(try daemon.canRender("mallory")["canRender"] == false)
        let after = try memory(daemon)
        #expect(before.allSatisfy { after.contains($0) })
        #expect(try daemon.canRender("alice")["canRender"] == true)
    }

    @Test func `a transfer leaves one user of a subscription, and both can read of it`()
        throws
    {
        let daemon = try TestDaemon.started()
        let document = try daemon.voice.purchase(StoreLife(token: registered("alice", daemon)))
        #expect(try verify(daemon, "alice", document)["applied"] == true)
        let restoring: JSONObject = ["userId": "bob", "signedTransactions": [.string(document)]]
        let restored = try daemon.call("restorePurchases", restoring)
        #expect(restored["results"]?.array?.first?["outcome"] == "moved")
        #expect(try daemon.canRender("alice")["canRender"] == false)
        #expect(try daemon.canRender("bob")["canRender"] == true)
        // The link counts more than the token that is signed: it does not come back by itself.
        #expect(try refusal(daemon, "alice", document)?.code == -32021)
        func causes(_ user: String) throws -> [String] {
            let history = try daemon.call("getHistory", ["userId": .string(user)])
            return history["events"]?.array?.compactMap { $0["cause"]?.string } ?? []
        }
        #expect(try causes("alice").last == "transferred")
        #expect(try causes("bob").last == "restored")
        let lost = try daemon.call("getHistory", ["userId": "alice"])["events"]?.array?.last
        #expect(lost?["before"]?["canRender"] == true)
        #expect(lost?["after"]?["canRender"] == false)
    }

    // MARK: Tokens

    @Test func `tokens are compared without case, and the all-zero one is none`() throws {
        let daemon = try TestDaemon.started()
        let token = UUID().uuidString
        let named: JSONObject = ["userId": "alice", "appAccountToken": .string(token)]
        let account = try daemon.call("registerAccount", named)
        #expect(account["appAccountToken"]?.string == token.lowercased())
        let capitals = try daemon.voice.purchase(StoreLife(token: token.uppercased()))
        #expect(try refusal(daemon, "mallory", capitals)?.code == -32021)
        let small: JSONObject = ["appAccountToken": .string(token.lowercased())]
        #expect(try verify(daemon, "alice", capitals, small)["applied"] == true)
        let zero = "00000000-0000-0000-0000-000000000000"
        let document = try daemon.voice.purchase(StoreLife(token: zero))
        let absent: JSONObject = ["appAccountToken": .string(zero)]
        // Named or not, it is no claim, and belongs to nobody.
        #expect(try verify(daemon, "bob", document, absent)["applied"] == true)
        #expect(try verify(daemon, "bob", document)["applied"] == false)
        let other = try daemon.voice.purchase(StoreLife(token: zero))
        #expect(try verify(daemon, "carol", other)["applied"] == true)
        #expect(try daemon.rows(of: "tokens").count == 1)
        let mismatch = try refusal(daemon, "bob", document, small)
        #expect(mismatch?.field == "appAccountToken")
    }

    // MARK: What a purchase is worth

    @Test func `a purchase that gives no access is linked and shown for what it is`() throws {
        let daemon = try TestDaemon.started()
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
            let linked = try verify(daemon, name, daemon.voice.purchase(life))
            #expect(linked["applied"] == true, "\(name)")
            #expect(linked["entitlement"]?["isActive"]?.bool == isActive, "\(name)")
            #expect(linked["status"]?["canRender"]?.bool == isActive, "\(name)")
            #expect(linked["status"]?["hadSubscription"] == true, "\(name)")
        }
        #expect(try daemon.status("expired")["subscription"]?["status"] == "expired")
        #expect(try daemon.status("revoked")["subscription"]?["status"] == "revoked")
        // What it was upgraded to, which the store tells next, gives access.
        var higher = upgraded
        higher.transactionID = String((UInt64(upgraded.transactionID) ?? 0) + 1)
        higher.product = "com.example.premium"
        higher.isUpgraded = false
        higher.purchased = StoreVoice.now
        let next = try verify(daemon, "upgraded", daemon.voice.purchase(higher))
        #expect(next["entitlement"]?["isActive"] == true)
        #expect(next["status"]?["plan"] == "premium")
    }
}
