import JSON
import Testing

@testable import AppStoreSimulator

/// Payloads have the shapes of Apple's.
struct PayloadTests {
    /// What was there in 14 of 14 genuine transactions, and of what type.
    static let always: [(key: String, isNumber: Bool)] = [
        ("transactionId", false), ("originalTransactionId", false),
        ("webOrderLineItemId", false), ("bundleId", false), ("productId", false),
        ("subscriptionGroupIdentifier", false), ("purchaseDate", true),
        ("originalPurchaseDate", true), ("expiresDate", true), ("quantity", true),
        ("type", false), ("inAppOwnershipType", false), ("signedDate", true),
        ("environment", false), ("transactionReason", false), ("storefront", false),
        ("storefrontId", false), ("price", true), ("currency", false),
        ("appTransactionId", false),
    ]

    @Test func `a transaction has every member that genuine ones have`() throws {
        var counter = Counter(token: nil)
        let transaction = try #require(try counter.act(.subscribe).transaction)
        for (key, isNumber) in Self.always {
            let value = try #require(transaction[key], "\(key)")
            #expect(isNumber ? value.int64 != nil : value.string != nil, "\(key)")
        }
        #expect(Set(transaction.keys) == Set(Self.always.map(\.key)))
        #expect(transaction["type"] == "Auto-Renewable Subscription")
        #expect(transaction["price"] == 4_990)
    }

    @Test func `the outer payload and its data stand in Apple's order`() throws {
        var counter = try Counter.subscribed()
        let notification = try counter.act(.consumptionRequest)
        let outer = notification.payload(transaction: "T", renewal: "R")
        #expect(
            outer.keys == ["notificationType", "notificationUUID", "data", "version", "signedDate"]
        )
        let data = try #require(outer["data"]?.object)
        #expect(
            data.keys == [
                "appAppleId", "bundleId", "bundleVersion", "environment",
                "signedTransactionInfo", "signedRenewalInfo", "status",
                "consumptionRequestReason",
            ]
        )
        #expect(data["signedTransactionInfo"] == "T" && data["signedRenewalInfo"] == "R")
    }

    @Test func `the renewal information has no bundle and no end, and agrees with the line`() throws
    {
        var counter = try Counter.subscribed()
        counter.pass(days: 1)
        let notification = try counter.act(.cancel)
        let transaction = try #require(notification.transaction)
        let renewal = try #require(notification.renewal)
        #expect(renewal["bundleId"] == nil && renewal["expiresDate"] == nil)
        #expect(renewal["renewalDate"] == transaction["expiresDate"])
        #expect(renewal["originalTransactionId"] == transaction["originalTransactionId"])
        #expect(renewal["environment"] == "Production")
        #expect(renewal["autoRenewStatus"] == 0)
        // Absent while renewal is off, in genuine samples.
        #expect(renewal["renewalPrice"] == nil && renewal["currency"] == nil)
        #expect(renewal["isInBillingRetryPeriod"] == nil)
        let resumed = try #require(try counter.act(.resume).renewal)
        #expect(resumed["autoRenewStatus"] == 1 && resumed["renewalPrice"] == 4_990)
    }

    @Test func `a trial is an introductory offer that costs nothing`() throws {
        var counter = Counter()
        let notification = try counter.act(.subscribe) { $0.trial = Period(1, .week) }
        let transaction = try #require(notification.transaction)
        #expect(transaction["offerType"] == 1)
        #expect(transaction["offerDiscountType"] == "FREE_TRIAL")
        #expect(transaction["offerPeriod"] == "P1W")
        #expect(transaction["offerIdentifier"] == nil)
        #expect(transaction["price"] == 0)
        let start = try #require(transaction["purchaseDate"]?.int64)
        #expect(transaction["expiresDate"]?.int64 == start + 7 * 60_000)
        #expect(transaction["appAccountToken"]?.string == Counter.token)
    }

    @Test func `a consumable has no end, no group, no renewal and no status`() throws {
        var counter = Counter()
        let notification = try counter.act(.buy) {
            $0.product = "credits.10"
            $0.quantity = 3
        }
        let transaction = try #require(notification.transaction)
        #expect(transaction["type"] == "Consumable" && transaction["quantity"] == 3)
        for key in ["expiresDate", "subscriptionGroupIdentifier", "webOrderLineItemId"] {
            #expect(transaction[key] == nil, "\(key)")
        }
        #expect(notification.renewal == nil && notification.object["status"] == nil)
    }

    @Test func `a refund marks one transaction, in full or in part`() throws {
        var counter = try Counter.subscribed()
        let full = try #require(try counter.act(.refund).transaction)
        #expect(full["revocationDate"]?.int64 == counter.till.now)
        #expect(full["revocationReason"] == 0 && full["revocationType"] == "REFUND_FULL")
        #expect(full["revocationPercentage"] == 100_000)
        let reversed = try #require(try counter.act(.refundReversed).transaction)
        #expect(reversed.keys.allSatisfy { !$0.hasPrefix("revocation") })
        let part = try #require(try counter.act(.refund) { $0.percentage = 40 }.transaction)
        #expect(part["revocationType"] == "REFUND_PRORATED")
        #expect(part["revocationPercentage"] == 40_000)
    }

    @Test func `a family member's purchase carries no token and is revoked as such`() throws {
        var counter = Counter()
        let bought = try counter.act(.subscribe) { $0.isFamilyShared = true }
        #expect(bought.transaction?["inAppOwnershipType"] == "FAMILY_SHARED")
        #expect(bought.transaction?["appAccountToken"] == nil)
        let revoked = try #require(try counter.act(.revoke).transaction)
        #expect(revoked["revocationType"] == "FAMILY_REVOKE" && revoked["revocationReason"] == 0)
        #expect(revoked["revocationPercentage"] == nil)
    }

    @Test func `grace names its end, or not`() throws {
        var counter = try Counter.subscribed()
        counter.pass(days: 31)
        let end = try #require(counter.customer.paidUntil(at: counter.till.now))
        let copy = counter
        let named = try #require(try counter.act(.failToRenew).renewal)
        #expect(named["gracePeriodExpiresDate"]?.int64 == end + 16 * 60_000)
        #expect(named["isInBillingRetryPeriod"] == true && named["expirationIntent"] == 2)
        counter = copy
        let open = try counter.act(.failToRenew) { $0.hasOpenGrace = true }
        #expect(open.renewal?["gracePeriodExpiresDate"] == nil)
        #expect(open.object["status"] == 4)
    }

    @Test func `notices about the app have the members of their kind`() throws {
        let counter = Counter(.sandbox)
        let notices = StoreNotices(counter.till)
        #expect(notices.test().object.keys == ["bundleId", "environment"])
        let summary = notices.summary(of: counter.till.settings.products[0]).object
        #expect(
            Set(summary.keys) == [
                "requestIdentifier", "environment", "appAppleId", "bundleId", "productId",
                "storefrontCountryCodes", "succeededCount", "failedCount",
            ]
        )
        let token = notices.externalPurchaseToken(.created).object
        #expect(token["externalPurchaseId"]?.string?.hasPrefix("SANDBOX") == true)
        #expect(token["environment"] == nil && token["tokenType"] != nil)
        let unreported = notices.externalPurchaseToken(.unreported).object
        #expect(unreported["tokenType"] == nil)
        let consent = notices.rescindConsent(of: counter.customer)
        #expect(consent.appTransaction?["receiptType"] == "Sandbox")
        #expect(consent.appTransaction?["signedDate"] == nil)
        #expect(consent.payload(appTransaction: "A")["appData"]?["signedAppTransactionInfo"] == "A")
    }

    @Test func `a migrated line names the one it was`() throws {
        var counter = try Counter.subscribed()
        let old = counter.customer.originalID
        let migrated = try #require(try counter.act(.migrate).transaction)
        #expect(migrated["previousOriginalTransactionId"]?.string == old)
        #expect(migrated["originalTransactionId"]?.string != old)
        #expect(migrated["advancedCommerceInfo"]?["items"]?.array?.count == 1)
    }

    @Test func `an item is refunded by itself, and the period is paid`() throws {
        var counter = try Counter.subscribed()
        let told = try counter.act(.refundItem)
        #expect(told.kind.description == "REFUND" && told.object["status"] == 1)
        let transaction = try #require(told.transaction)
        #expect(transaction["revocationDate"] == nil)
        let items = try #require(transaction["advancedCommerceInfo"]?["items"]?.array)
        #expect(items.count == 2 && items[0]["revocationDate"] == nil)
        let refund = items[1]["refunds"]?.array?.first
        #expect(items[1]["revocationDate"] != nil)
        #expect(refund?["refundDate"] == items[1]["revocationDate"])
        #expect(refund?["refundAmount"] == items[1]["price"])
        #expect(told.renewal?["advancedCommerceInfo"]?["items"]?.array?.count == 1)
        #expect(throws: StoreRefusal.self) { try counter.act(.refundItem) }
        // The whole period can still be refunded.
        #expect(try counter.act(.refund).object["status"] == 5)
    }
}
