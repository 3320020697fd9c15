import JSON
import Testing

@testable import AppStoreSimulator

/// Every type and subtype that Apple documents, with the status that goes with it.
struct KindTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var kind: String
        var status: Int64?
        var story: @Sendable () throws -> SimulatedNotification

        var testDescription: String { kind }

        init(
            _ kind: String,
            _ status: Int64?,
            _ story: @escaping @Sendable () throws -> SimulatedNotification
        ) {
            self.kind = kind
            self.status = status
            self.story = story
        }
    }

    /// Whatever happens to a customer of the monthly paid plan.
    static func after(
        _ kind: String,
        _ status: Int64?,
        _ story: @escaping @Sendable (inout Counter) throws -> SimulatedNotification
    ) -> Case {
        Case(kind, status) {
            var counter = try Counter.subscribed()
            return try story(&counter)
        }
    }

    static let code = Offer(.code, .payAsYouGo, Period(1, .month))

    static let purchases: [Case] = [
        Case("SUBSCRIBED/INITIAL_BUY", 1) {
            var counter = Counter()
            return try counter.act(.subscribe)
        },
        Case("OFFER_REDEEMED/INITIAL_BUY", 1) {
            var counter = Counter()
            return try counter.act(.subscribe) {
                $0.isLegacy = true
                $0.offer = code
            }
        },
        after("SUBSCRIBED/RESUBSCRIBE", 1) {
            $0.pass(days: 40)
            return try $0.act(.resubscribe)
        },
        after("OFFER_REDEEMED/RESUBSCRIBE", 1) {
            $0.pass(days: 40)
            return try $0.act(.resubscribe) {
                $0.isLegacy = true
                $0.offer = code
            }
        },
        after("DID_RENEW", 1) {
            $0.pass(days: 29.5)
            return try $0.act(.renew)
        },
        after("DID_RENEW/BILLING_RECOVERY", 1) {
            $0.pass(days: 31)
            _ = try $0.act(.failToRenew)
            return try $0.act(.recover)
        },
        after("ONE_TIME_CHARGE", nil) { try $0.act(.buy) { $0.product = "credits.10" } },
    ]

    static let choices: [Case] = [
        after("DID_CHANGE_RENEWAL_PREF/UPGRADE", 1) {
            try $0.act(.upgrade) { $0.product = "premium.monthly" }
        },
        after("DID_CHANGE_RENEWAL_PREF/DOWNGRADE", 1) {
            try $0.act(.downgrade) { $0.product = "paid.yearly" }
        },
        after("DID_CHANGE_RENEWAL_PREF", 1) {
            _ = try $0.act(.downgrade) { $0.product = "paid.yearly" }
            return try $0.act(.cancelDowngrade)
        },
        after("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", 1) { try $0.act(.cancel) },
        after("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", 1) {
            _ = try $0.act(.cancel)
            return try $0.act(.resume)
        },
        after("DID_CHANGE_RENEWAL_STATUS", 1) {
            _ = try $0.act(.priceIncrease)
            return try $0.act(.cancel) { $0.isAfterPriceIncrease = true }
        },
        after("OFFER_REDEEMED", 1) { try $0.act(.redeemOffer) },
        after("OFFER_REDEEMED/UPGRADE", 1) {
            try $0.act(.upgrade) {
                $0.product = "premium.monthly"
                $0.offer = code
            }
        },
        after("OFFER_REDEEMED/DOWNGRADE", 1) {
            try $0.act(.downgrade) {
                $0.product = "paid.yearly"
                $0.offer = code
            }
        },
        after("PRICE_INCREASE/PENDING", 1) { try $0.act(.priceIncrease) },
        after("PRICE_INCREASE/ACCEPTED", 1) {
            try $0.act(.priceIncrease) { $0.isAccepted = true }
        },
    ]

    static let endings: [Case] = [
        after("DID_FAIL_TO_RENEW/GRACE_PERIOD", 4) {
            $0.pass(days: 31)
            return try $0.act(.failToRenew)
        },
        after("DID_FAIL_TO_RENEW", 3) {
            $0.pass(days: 31)
            return try $0.act(.failToRenew) { $0.hasNoGrace = true }
        },
        after("GRACE_PERIOD_EXPIRED", 3) {
            $0.pass(days: 31)
            _ = try $0.act(.failToRenew)
            $0.pass(days: 16)
            return try $0.act(.graceExpires)
        },
        after("EXPIRED/VOLUNTARY", 2) {
            _ = try $0.act(.cancel)
            $0.pass(days: 31)
            return try $0.act(.expire)
        },
        after("EXPIRED/BILLING_RETRY", 2) {
            $0.pass(days: 31)
            _ = try $0.act(.failToRenew) { $0.hasNoGrace = true }
            $0.pass(days: 60)
            return try $0.act(.expire)
        },
        after("EXPIRED/PRICE_INCREASE", 2) {
            _ = try $0.act(.priceIncrease)
            $0.pass(days: 31)
            return try $0.act(.expire) { $0.reason = .priceIncrease }
        },
        after("EXPIRED/PRODUCT_NOT_FOR_SALE", 2) {
            $0.pass(days: 31)
            return try $0.act(.expire) { $0.reason = .notForSale }
        },
        after("EXPIRED", 2) {
            $0.pass(days: 31)
            return try $0.act(.expire) { $0.reason = .other }
        },
        after("REFUND", 5) { try $0.act(.refund) },
        after("REFUND_DECLINED", 1) { try $0.act(.refundDeclined) },
        after("REFUND_REVERSED", 1) {
            _ = try $0.act(.refund)
            return try $0.act(.refundReversed)
        },
        after("CONSUMPTION_REQUEST", 1) { try $0.act(.consumptionRequest) },
        after("RENEWAL_EXTENDED", 1) { try $0.act(.extend) },
        after("RENEWAL_EXTENSION/FAILURE", 1) { try $0.act(.extendFailed) },
        Case("REVOKE", 5) {
            var counter = Counter()
            _ = try counter.act(.subscribe) { $0.isFamilyShared = true }
            return try counter.act(.revoke)
        },
        after("METADATA_UPDATE", 1) { try $0.act(.metadataUpdate) },
        after("MIGRATION", 1) { try $0.act(.migrate) },
        after("PRICE_CHANGE", 1) { try $0.act(.priceChange) },
    ]

    static let notices: [Case] = [
        Case("TEST", nil) { StoreNotices(Counter().till).test() },
        Case("RENEWAL_EXTENSION/SUMMARY", nil) {
            let till = Counter().till
            return StoreNotices(till).summary(of: till.settings.products[0])
        },
        Case("EXTERNAL_PURCHASE_TOKEN/UNREPORTED", nil) {
            StoreNotices(Counter().till).externalPurchaseToken(.unreported)
        },
        Case("EXTERNAL_PURCHASE_TOKEN/CREATED", nil) {
            StoreNotices(Counter().till).externalPurchaseToken(.created)
        },
        Case("EXTERNAL_PURCHASE_TOKEN/ACTIVE_TOKEN_REMINDER", nil) {
            StoreNotices(Counter().till).externalPurchaseToken(.reminder)
        },
        after("RESCIND_CONSENT", nil) { StoreNotices($0.till).rescindConsent(of: $0.customer) },
    ]

    @Test(arguments: purchases + choices + endings + notices)
    func `every type and subtype can be produced, with its status`(story: Case) throws {
        let notification = try story.story()
        #expect(notification.kind.description == story.kind)
        #expect(notification.object["status"]?.int64 == story.status)
        let outer = notification.payload()
        #expect(outer["notificationType"]?.string == notification.kind.type)
        #expect(outer["subtype"]?.string == notification.kind.subtype)
        #expect(outer["version"]?.string == "2.0")
        #expect(outer["signedDate"]?.int64 == notification.signedDate)
        let present = ["data", "summary", "appData", "externalPurchaseToken"]
            .filter {
                outer[$0] != nil
            }
        #expect(present.count == 1)
        if let status = story.status {
            #expect((1...5).contains(status))
            #expect(notification.transaction != nil && notification.renewal != nil)
        }
    }

    @Test func `the table names every kind once`() {
        let kinds = (Self.purchases + Self.choices + Self.endings + Self.notices).map(\.kind)
        #expect(Set(kinds).count == kinds.count)
        #expect(kinds.count == 42)
    }
}
