import Entitlements
import JSON

/// Reads the body of a genuine push: a wrapped Pub/Sub message that contains a notification.
///
/// `PubsubMessage` of Google's Pub/Sub reference, and `DeveloperNotification` of Google Play's.
package struct PushReader: Hashable, Sendable {
    /// `projects/PROJECT/subscriptions/NAME`; nil where any may send.
    package let subscription: String?

    /// Creates a reader of pushes of this subscription, or of any.
    package init(subscription: String?) { self.subscription = subscription }

    /// What is in `push`.
    ///
    /// The first match decides: not a wrapped message; another subscription; not a notification.
    package func content(of push: AuthenticPush) -> PushContent {
        do throws(Unreadable) {
            let wrapper = try Self.object(push.body, "the body")
            guard let message = wrapper["message"], message.object != nil else {
                throw Unreadable("no message: the subscription must wrap its payload")
            }
            if let subscription {
                guard wrapper["subscription"]?.string?.isSame(as: subscription) == true else {
                    return .elsewhere
                }
            }
            let id = try Self.messageID(message)
            guard let data = message["data"]?.string, !data.isEmpty,
                let bytes = Base64.bytes(data)
            else { throw Unreadable("the message has no data in base64") }
            return .notification(try Self.notification(bytes, in: message, id: id))
        } catch {
            return .unreadable(detail: error.detail)
        }
    }

    /// The message id, which Pub/Sub also writes under an older name.
    private static func messageID(_ message: JSONValue) throws(Unreadable) -> String {
        let names = ["messageId", "message_id"].compactMap { message[$0] }
        guard let id = names.first?.string, PlayText.isName(id),
            names.allSatisfy({ $0.string?.isSame(as: id) == true })
        else { throw Unreadable("the message has no id, or two") }
        return id
    }

    private static func notification(
        _ bytes: [UInt8],
        in message: JSONValue,
        id: String
    ) throws(Unreadable) -> DeveloperNotification {
        let object = JSONValue.object(try object(bytes, "the data"))
        guard let package = object["packageName"]?.string, PlayText.isName(package) else {
            throw Unreadable("the notification names no package")
        }
        // Google documents a long, but its samples have a text of digits.
        let happened = object["eventTimeMillis"]
            .flatMap { value in
                value.int64.map { Moment($0) }
                    ?? value.string
                    .flatMap(PlayTime.milliseconds)
            }
        let stamp = (message["publishTime"] ?? message["publish_time"])?.string
        guard let published = stamp.flatMap(PlayTime.moment) ?? happened else {
            throw Unreadable("neither the message nor the notification has a time")
        }
        return DeveloperNotification(
            messageID: id,
            published: published,
            package: package,
            subject: try subject(of: object, at: happened ?? published)
        )
    }

    private static let known: Set = [
        "subscriptionNotification", "oneTimeProductNotification", "voidedPurchaseNotification",
        "pendingRefundReviewNotification", "testNotification",
    ]

    /// The subject: the known member that is present, or else another object.
    private static func subject(
        of object: JSONValue,
        at happened: Moment
    ) throws(Unreadable) -> DeveloperNotification.Subject {
        let objects = (object.object?.members ?? []).filter { $0.value.object != nil }
        let known = objects.filter { Self.known.contains($0.key) }
        guard known.count < 2 else { throw Unreadable("a notification about two things") }
        guard let member = known.first ?? objects.first else {
            throw Unreadable("a notification about nothing")
        }
        let value = member.value
        switch member.key {
        case "subscriptionNotification":
            return .subscription(try number("notificationType", of: value), try token(of: value))
        case "oneTimeProductNotification":
            return .oneTime(try number("notificationType", of: value), try token(of: value))
        case "voidedPurchaseNotification":
            guard let order = PlayText.name(value["orderId"]?.string) else {
                throw Unreadable("a voided purchase without its order")
            }
            return .voided(
                VoidNotice(
                    token: try token(of: value),
                    orderID: order,
                    isPartial: value["refundType"]?.int64 == 2,
                    at: happened
                )
            )
        case "pendingRefundReviewNotification": return .refundReview
        case "testNotification": return .test
        default: return .other(PlayText.name(member.key) ?? "")
        }
    }

    private static func number(
        _ member: String,
        of value: JSONValue
    ) throws(Unreadable) -> Int64 {
        guard let number = value[member]?.int64 else { throw Unreadable("no \(member)") }
        return number
    }

    private static func token(of value: JSONValue) throws(Unreadable) -> PurchaseToken {
        guard let token = value["purchaseToken"]?.string.flatMap({ PurchaseToken($0) }) else {
            throw Unreadable("no purchase token, or one that cannot be kept")
        }
        return token
    }

    private static func object(
        _ bytes: [UInt8],
        _ what: String
    ) throws(Unreadable) -> JSONObject {
        guard bytes.count <= PlayLimits.pushBytesMax else { throw Unreadable("\(what): too long") }
        let value = try? JSONValue.parse(bytes, depthMax: PlayLimits.documentDepthMax)
        guard let object = value?.object else {
            throw Unreadable("\(what) is no object of strict JSON")
        }
        return object
    }
}

private struct Unreadable: Error {
    let detail: String

    init(_ detail: String) { self.detail = detail }
}
