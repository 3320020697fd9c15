import Entitlements
import JSON

/// A Real-time developer notification of Google Play, extracted from its message.
///
/// It says only that something changed: Google's page "Real-time developer notifications reference
/// guide" asks to read the purchase from the API, whatever the type.
package struct DeveloperNotification: Hashable, Sendable {
    /// What it is about.
    package enum Subject: Hashable, Sendable {
        /// A subscription; the number is Google's notification type, and unknown types are
        /// accepted.
        case subscription(Int64, PurchaseToken)
        /// A one-time product: 1 bought, 2 a pending purchase cancelled.
        case oneTime(Int64, PurchaseToken)
        /// A purchase was refunded, charged back or not acknowledged in time.
        case voided(VoidNotice)
        /// Google asks for an opinion on a refund: nothing has happened yet.
        case refundReview
        /// Somebody pressed "Send test notification" in the Play Console.
        case test
        /// Something that did not exist when this was written.
        case other(String)
    }

    /// The id of the message, by which a repeat is recognised.
    package let messageID: String
    /// When Pub/Sub received it, or, if that is missing, when Google Play says that it happened.
    package let published: Moment
    /// The app.
    package let package: String
    /// What it is about.
    package let subject: Subject

    /// Google's word for what happened, for logs and metrics.
    package var type: String {
        switch subject {
        case .subscription(let number, _): Self.subscriptionTypes[number] ?? "SUBSCRIPTION_OTHER"
        case .oneTime(1, _): "ONE_TIME_PRODUCT_PURCHASED"
        case .oneTime(2, _): "ONE_TIME_PRODUCT_CANCELED"
        case .oneTime: "ONE_TIME_PRODUCT_OTHER"
        case .voided: "VOIDED_PURCHASE"
        case .refundReview: "PENDING_REFUND_REVIEW"
        case .test: "TEST"
        case .other: "OTHER"
        }
    }

    /// The purchase to read; nil where there is none.
    package var token: PurchaseToken? {
        switch subject {
        case .subscription(_, let token), .oneTime(_, let token): token
        case .voided(let notice): notice.token
        case .refundReview, .test, .other: nil
        }
    }

    /// `subscriptionNotification.notificationType`.
    private static let subscriptionTypes: [Int64: String] = [
        1: "SUBSCRIPTION_RECOVERED", 2: "SUBSCRIPTION_RENEWED", 3: "SUBSCRIPTION_CANCELED",
        4: "SUBSCRIPTION_PURCHASED", 5: "SUBSCRIPTION_ON_HOLD",
        6: "SUBSCRIPTION_IN_GRACE_PERIOD", 7: "SUBSCRIPTION_RESTARTED",
        8: "SUBSCRIPTION_PRICE_CHANGE_CONFIRMED", 9: "SUBSCRIPTION_DEFERRED",
        10: "SUBSCRIPTION_PAUSED", 11: "SUBSCRIPTION_PAUSE_SCHEDULE_CHANGED",
        12: "SUBSCRIPTION_REVOKED", 13: "SUBSCRIPTION_EXPIRED",
        17: "SUBSCRIPTION_ITEMS_CHANGED", 18: "SUBSCRIPTION_CANCELLATION_SCHEDULED",
        19: "SUBSCRIPTION_PRICE_CHANGE_UPDATED",
        20: "SUBSCRIPTION_PENDING_PURCHASE_CANCELED",
        22: "SUBSCRIPTION_PRICE_STEP_UP_CONSENT_UPDATED",
    ]
}

/// What a voided-purchase notification names.
package struct VoidNotice: Hashable, Sendable {
    /// The purchase.
    package let token: PurchaseToken
    /// The order that was voided; for a subscription, one renewal.
    package let orderID: String
    /// Whether only some of several units were refunded.
    package let isPartial: Bool
    /// When Google Play says that it happened.
    package let at: Moment
}

/// The content of a genuine push.
package enum PushContent: Hashable, Sendable {
    /// A notification.
    case notification(DeveloperNotification)
    /// A message of another Pub/Sub subscription than the configured one.
    case elsewhere
    /// Something that cannot be read; the detail is for the log. Sending it again would not help.
    case unreadable(detail: String)
}
