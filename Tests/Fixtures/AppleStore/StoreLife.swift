import Foundation
import JSON

/// Where one subscription stands, as the store would write it down.
package struct StoreLife: Sendable {
    package static let day: Int64 = 86_400_000

    package var originalID: String
    package var transactionID: String
    package var product = "com.example.monthly"
    package var nextProduct: String?
    package var purchased: Int64
    package var expires: Int64
    package var token: String?
    package var environment = "Production"
    package var autoRenew = true
    package var isRetrying: Bool?
    package var graceUntil: Int64?
    package var intent: Int64?
    package var revoked: Int64?
    package var isTrial = false
    package var isUpgraded = false
    package var ownership = "PURCHASED"
    package var status: Int64 = 1

    /// Bought a day ago, for thirty days.
    package init(token: String? = nil, expiresIn days: Int64 = 29) {
        let id = "2\(Int64.random(in: 100_000_000_000_000...999_999_999_999_999))"
        originalID = id
        transactionID = id
        let now = StoreVoice.now
        purchased = now + (days - 30) * Self.day
        expires = now + days * Self.day
        self.token = token
    }

    /// Renewed for thirty days more, from its end on.
    package mutating func renew() {
        let id = (UInt64(transactionID) ?? 0) + 1
        transactionID = String(id)
        purchased = expires
        expires += 30 * Self.day
    }

    /// The transaction's payload, which Apple calls JWSTransactionDecodedPayload.
    package func transaction(signed: Int64) -> JSONObject {
        var payload: JSONObject = [
            "transactionId": .string(transactionID),
            "originalTransactionId": .string(originalID),
            "webOrderLineItemId": .string(transactionID),
            "bundleId": .string(ApplePayloads.bundleID),
            "productId": .string(product),
            "subscriptionGroupIdentifier": "21000000",
            "purchaseDate": .integer(purchased),
            "originalPurchaseDate": .integer(purchased),
            "expiresDate": .integer(expires),
            "quantity": 1,
            "type": "Auto-Renewable Subscription",
            "inAppOwnershipType": .string(ownership),
            "signedDate": .integer(signed),
            "environment": .string(environment),
            "transactionReason": transactionID == originalID ? "PURCHASE" : "RENEWAL",
            "storefront": "USA",
            "storefrontId": "143441",
            "price": 9_990,
            "currency": "USD",
            "appTransactionId": "704000000000000000",
        ]
        if let token { payload["appAccountToken"] = .string(token) }
        if let revoked {
            payload["revocationDate"] = .integer(revoked)
            payload["revocationReason"] = 0
        }
        if isUpgraded { payload["isUpgraded"] = true }
        if isTrial {
            payload["offerType"] = 1
            payload["offerDiscountType"] = "FREE_TRIAL"
            payload["offerPeriod"] = "P1W"
            payload["price"] = 0
        }
        return payload
    }

    /// The renewal information's payload, which Apple calls JWSRenewalInfoDecodedPayload.
    package func renewal(signed: Int64) -> JSONObject {
        var payload: JSONObject = [
            "originalTransactionId": .string(originalID),
            "productId": .string(product),
            "autoRenewProductId": .string(nextProduct ?? product),
            "autoRenewStatus": autoRenew ? 1 : 0,
            "environment": .string(environment),
            "signedDate": .integer(signed),
            "renewalDate": .integer(expires),
            "recentSubscriptionStartDate": .integer(purchased),
            "appTransactionId": "704000000000000000",
        ]
        if let isRetrying { payload["isInBillingRetryPeriod"] = .bool(isRetrying) }
        if let graceUntil { payload["gracePeriodExpiresDate"] = .integer(graceUntil) }
        if let intent { payload["expirationIntent"] = .integer(intent) }
        return payload
    }
}
