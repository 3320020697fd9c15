import Entitlements
import JSON

/// What the store wants to know before it decides on a refund.
package struct ConsumptionInfo: Hashable, Sendable {
    /// Whether the purchase reached the user.
    package enum Delivery: String, Sendable {
        case delivered = "DELIVERED"
        case qualityIssue = "UNDELIVERED_QUALITY_ISSUE"
        case wrongItem = "UNDELIVERED_WRONG_ITEM"
        case serverOutage = "UNDELIVERED_SERVER_OUTAGE"
        case other = "UNDELIVERED_OTHER"
    }

    /// What the app's maker would like.
    package enum RefundPreference: String, Sendable {
        case decline = "DECLINE"
        case full = "GRANT_FULL"
        case prorated = "GRANT_PRORATED"
    }

    /// Whether it reached the user.
    package let delivery: Delivery
    /// Whether the user could try it before.
    package let sampleProvided: Bool
    /// How much of it is used, in thousandths of a percent.
    package let consumedMilliPercent: Int?
    /// What the app's maker would like.
    package let preference: RefundPreference?

    /// The answer to a consumption request; only with the customer's consent.
    package init(
        delivery: Delivery,
        sampleProvided: Bool,
        consumedMilliPercent: Int? = nil,
        preference: RefundPreference? = nil
    ) {
        self.delivery = delivery
        self.sampleProvided = sampleProvided
        self.consumedMilliPercent = consumedMilliPercent
        self.preference = preference
    }

    var object: JSONObject {
        var object: JSONObject = [
            "customerConsented": true,
            "deliveryStatus": .string(delivery.rawValue),
            "sampleContentProvided": .bool(sampleProvided),
        ]
        if let consumedMilliPercent {
            object["consumptionPercentage"] = .integer(Int64(consumedMilliPercent))
        }
        if let preference { object["refundPreference"] = .string(preference.rawValue) }
        return object
    }
}

/// By how much a renewal is to be put off, and why.
package struct RenewalWish: Hashable, Sendable {
    /// Days, at most 90.
    package let days: Int64
    /// Apple's number: 0 undeclared, 1 customer satisfaction, 2 other, 3 a service issue.
    package let reason: Int64
    /// What the request is called.
    package let requestID: String

    /// A wish.
    package init(days: Int64, reason: Int64, requestID: String) {
        self.days = days
        self.reason = reason
        self.requestID = requestID
    }
}

/// What the store says of a renewal that was put off.
package struct RenewalPutOff: Hashable, Sendable {
    /// Which subscription.
    package let originalID: String
    /// Which of its periods.
    package let webOrderLineItemID: String?
    /// Whether it was done.
    package let isSuccess: Bool
    /// When it renews now.
    package let effective: Moment?
}
