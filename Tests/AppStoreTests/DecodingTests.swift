import Entitlements
import Fixtures
import JSON
import Testing

@Suite struct `What a notification says` {
    /// Every type and subtype of Apple's notificationType and subtype; an empty subtype is none.
    static let kinds = [
        "SUBSCRIBED/INITIAL_BUY", "SUBSCRIBED/RESUBSCRIBE", "DID_RENEW/",
        "DID_RENEW/BILLING_RECOVERY", "DID_CHANGE_RENEWAL_PREF/UPGRADE",
        "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", "DID_CHANGE_RENEWAL_PREF/",
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", "DID_CHANGE_RENEWAL_STATUS/",
        "DID_FAIL_TO_RENEW/GRACE_PERIOD", "DID_FAIL_TO_RENEW/", "GRACE_PERIOD_EXPIRED/",
        "EXPIRED/VOLUNTARY", "EXPIRED/BILLING_RETRY", "EXPIRED/PRICE_INCREASE",
        "EXPIRED/PRODUCT_NOT_FOR_SALE", "EXPIRED/", "OFFER_REDEEMED/", "OFFER_REDEEMED/UPGRADE",
        "OFFER_REDEEMED/DOWNGRADE", "OFFER_REDEEMED/INITIAL_BUY", "OFFER_REDEEMED/RESUBSCRIBE",
        "PRICE_INCREASE/PENDING", "PRICE_INCREASE/ACCEPTED", "REFUND/", "REFUND_DECLINED/",
        "REFUND_REVERSED/", "CONSUMPTION_REQUEST/", "RENEWAL_EXTENDED/",
        "RENEWAL_EXTENSION/FAILURE", "REVOKE/", "ONE_TIME_CHARGE/", "METADATA_UPDATE/",
        "MIGRATION/", "PRICE_CHANGE/", "SOMETHING_NEW/AND_MORE",
    ]

    private func kind(_ text: String, in notification: inout HostileNotification) {
        let words = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        notification.outer["notificationType"] = .string(words[0])
        notification.outer["subtype"] = words[1].isEmpty ? nil : .string(words[1])
    }

    @Test func `every type keeps its name and its fact`() throws {
        let trusting = try TrustingStore()
        for text in Self.kinds {
            var sent = trusting.good
            kind(text, in: &sent)
            let heard = try #require(try trusting.notification(sent).notification, "\(text)")
            #expect("\(heard.type)/\(heard.subtype)" == text)
            let fact = try #require(heard.facts.first)
            #expect(heard.facts.count == 1 && fact.status?.code == 1)
            let disables = text.hasSuffix("AUTO_RENEW_DISABLED")
            #expect((fact.renewalDisabled != nil) == disables, "\(text)")
        }
    }

    /// docs/app-store-facts.md, "Names of notifications".
    @Test func `home-made and older names mean what they meant`() throws {
        let trusting = try TrustingStore()
        let rows = [
            ("RENEWAL/", "DID_RENEW/"), ("RENEWAL/INITIAL_BUY", "SUBSCRIBED/INITIAL_BUY"),
            ("INITIAL_BUY/", "SUBSCRIBED/INITIAL_BUY"),
            ("RENEWAL/RESUBSCRIBE", "SUBSCRIBED/RESUBSCRIBE"),
            ("INTERACTIVE_RENEWAL/", "SUBSCRIBED/RESUBSCRIBE"),
            ("RENEWAL/BILLING_RECOVERY", "DID_RENEW/BILLING_RECOVERY"),
            ("BILLING_RECOVERY/", "DID_RENEW/BILLING_RECOVERY"),
            ("DID_RECOVER/", "DID_RENEW/BILLING_RECOVERY"), ("MIGRATE/", "MIGRATION/"),
        ]
        for (alias, canonical) in rows {
            var sent = trusting.good
            kind(alias, in: &sent)
            let heard = try #require(try trusting.notification(sent).notification, "\(alias)")
            #expect("\(heard.type)/\(heard.subtype)" == canonical)
        }
    }

    @Test func `CANCEL turns renewal off unless it was a refund`() throws {
        let trusting = try TrustingStore()
        var sent = trusting.good
        kind("CANCEL/", in: &sent)
        let cancelled = try trusting.notification(sent).notification?.facts.first
        #expect(cancelled?.renewalDisabled == Moment(trusting.set.signed))
        sent.transaction?["revocationDate"] = .integer(trusting.set.signed)
        let refunded = try trusting.notification(sent).notification?.facts.first
        #expect(refunded?.renewalDisabled == nil)
        #expect(refunded?.transaction?.revoked == Moment(trusting.set.signed))
    }

    @Test func `what has no transaction has no fact`() throws {
        let trusting = try TrustingStore(environments: [.production, .sandbox])
        var test = trusting.good.bare
        kind("TEST/", in: &test)
        #expect(try trusting.notification(test).notification?.facts.isEmpty == true)
        var summary = trusting.good.bare
        kind("RENEWAL_EXTENSION/SUMMARY", in: &summary)
        summary.objectName = "summary"
        summary.object["succeededCount"] = 5
        #expect(try trusting.notification(summary).notification?.facts.isEmpty == true)
        for prefix in ["SANDBOX_", ""] {
            var token = trusting.good.bare
            kind("EXTERNAL_PURCHASE_TOKEN/CREATED", in: &token)
            token.objectName = "externalPurchaseToken"
            token.object["environment"] = nil
            token.object["externalPurchaseId"] = .string(prefix + "1")
            #expect(try trusting.notification(token).notification?.facts.isEmpty == true)
        }
    }

    /// Apple's libraries take the first; what it says is not taken back by another.
    @Test func `of several objects data decides, and the others do not contradict it`() throws {
        let trusting = try TrustingStore(environments: [.production, .sandbox])
        let app: JSONObject = [
            "bundleId": .string(HostileNotification.bundleID),
            "appAppleId": .integer(HostileNotification.appAppleID), "environment": "Production",
        ]
        let token: JSONObject = ["externalPurchaseId": "1"]
        let rows: [(String, JSONObject, DocumentFault?)] = [
            ("summary", app, nil), ("appData", app, nil), ("appData", [:], nil),
            ("externalPurchaseToken", token, nil), ("externalPurchaseToken", app, nil),
            ("summary", ["bundleId": "com.example.other"], .bundle),
            ("appData", ["environment": "Sandbox"], .environment),
            ("appData", ["environment": "Xcode"], .environment),
            ("summary", ["appAppleId": 1], .app),
            ("externalPurchaseToken", ["externalPurchaseId": "SANDBOX_1"], .environment),
        ]
        for (name, object, fault) in rows {
            var sent = trusting.good
            sent.outer[name] = .object(object)
            let verdict = try trusting.notification(sent)
            #expect(verdict.fault == fault, "\(name): \(object)")
            #expect(verdict.notification?.facts.count == (fault == nil ? 1 : nil))
        }
    }

    /// RESCIND_CONSENT carries an app transaction, which is verified on its own.
    @Test func `an app transaction is of this app and environment`() throws {
        let trusting = try TrustingStore()
        let rows: [(String, JSONValue?, DocumentFault?)] = [
            ("note", "as it should be", nil), ("bundleId", "com.example.other", .bundle),
            ("receiptType", "Sandbox", .environment), ("receiptType", nil, .environment),
            ("receiptCreationDate", nil, .malformed),
        ]
        for (member, value, fault) in rows {
            var app: JSONObject = [
                "receiptType": "Production", "bundleId": .string(HostileNotification.bundleID),
                "receiptCreationDate": .integer(trusting.set.signed),
            ]
            app[member] = value
            var sent = trusting.good.bare
            kind("RESCIND_CONSENT/", in: &sent)
            sent.objectName = "appData"
            let text = try trusting.set.sign(JSONValue.object(app).bytes)
            sent.object["signedAppTransactionInfo"] = .string(text)
            // A null beside it is no object.
            for other in [JSONValue?.none, .null] {
                sent.outer["data"] = other
                let verdict = try trusting.notification(sent)
                #expect(verdict.fault == fault, "\(member)")
                #expect((verdict.notification == nil) == (fault != nil))
            }
        }
    }

    @Test func `unknown values survive`() throws {
        let trusting = try TrustingStore()
        var sent = trusting.good
        sent.outer["somethingNew"] = ["a": 1]
        sent.object["status"] = 17
        sent.transaction?["offerType"] = 9
        sent.transaction?["offerDiscountType"] = "HALF_PRICE"
        sent.transaction?["type"] = "Bundle"
        sent.transaction?["inAppOwnershipType"] = "BORROWED"
        sent.transaction?["transactionReason"] = "GIFT"
        sent.transaction?["revocationReason"] = 42
        sent.renewal?["expirationIntent"] = 99
        sent.renewal?["priceIncreaseStatus"] = 7
        let fact = try #require(try trusting.notification(sent).notification?.facts.first)
        #expect(fact.status?.code == 17)
        #expect(fact.transaction?.offerType == 9)
        #expect(fact.transaction?.offerDiscount == "HALF_PRICE")
        #expect(fact.transaction?.kind == "Bundle")
        #expect(fact.transaction?.ownership == "BORROWED")
        #expect(fact.transaction?.reason == "GIFT")
        #expect(fact.transaction?.revocationReason == 42)
        #expect(fact.renewal?.expirationIntent == 99)
        #expect(fact.renewal?.priceIncreaseStatus == 7)
    }

    @Test func `fractions of milliseconds are cut off`() throws {
        let trusting = try TrustingStore()
        var sent = trusting.good
        sent.transaction?["purchaseDate"] = try JSONValue.parse(Array("1700000000000.7".utf8))
        sent.transaction?["expiresDate"] = try JSONValue.parse(Array("1.7000009000009e12".utf8))
        let fact = try #require(try trusting.notification(sent).notification?.facts.first)
        #expect(fact.transaction?.purchased == Moment(1_700_000_000_000))
        #expect(fact.transaction?.expires == Moment(1_700_000_900_000))
        sent.transaction?["expiresDate"] = try JSONValue.parse(Array("1e400".utf8))
        let without = try trusting.notification(sent).notification?.facts.first
        #expect(without?.transaction != nil && without?.transaction?.expires == nil)
    }

    @Test func `a malformed token counts as none, a capital one as itself`() throws {
        let trusting = try TrustingStore()
        let plain = Token("5d1e4a52-0000-4000-8000-000000000009")
        let rows: [(JSONValue?, Token?)] = [
            ("5d1e4a52-0000-4000-8000-000000000009", plain),
            ("5D1E4A52-0000-4000-8000-000000000009", plain), (nil, nil), ("", nil), (1, nil),
            ("user-42", nil), ("00000000-0000-0000-0000-000000000000", nil), (.null, nil),
            ("5d1e4a52-0000-4000-8000-000000000009 ", nil), (["a"], nil),
        ]
        for (value, token) in rows {
            var sent = trusting.good
            sent.transaction?["appAccountToken"] = value
            let fact = try #require(try trusting.notification(sent).notification?.facts.first)
            #expect(fact.transaction?.token == token, "\(String(describing: value))")
        }
    }

    @Test func `the app's id counts in Production alone`() throws {
        let id = HostileNotification.appAppleID
        let trusting = try TrustingStore(environments: [.production, .sandbox], appAppleID: id + 1)
        #expect(try trusting.notification(trusting.good).fault == .app)
        #expect(try trusting.notification(trusting.good.inSandbox).notification != nil)
        let right = try TrustingStore(appAppleID: id)
        #expect(try right.notification(right.good).notification != nil)
    }

    @Test func `the UUID is compared without case`() throws {
        let trusting = try TrustingStore()
        var sent = trusting.good
        let first = try trusting.notification(sent).notification?.id
        let uuid = sent.outer["notificationUUID"]?.string ?? ""
        sent.outer["notificationUUID"] = .string(uuid.uppercased())
        #expect(try trusting.notification(sent).notification?.id == first && first != nil)
        sent.outer["notificationUUID"] = "7f4c2f1e-0000-4000-8000-0000000000aa"
        #expect(try trusting.notification(sent).notification?.id != first)
    }
}
