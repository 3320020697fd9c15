import Entitlements
import GooglePlay
import JSON
import Testing

/// The messages of pushes: what they announce, and what cannot be read.
struct PushTests {
    private static let subscription = "projects/example/subscriptions/play"

    /// Google's own sample of a notification of type 4, in its page's words.
    private static let sample = """
        {"version":"1.0","packageName":"com.some.thing","eventTimeMillis":"1503349566168",\
        "subscriptionNotification":{"version":"1.0","notificationType":4,\
        "purchaseToken":"PURCHASE_TOKEN"}}
        """

    private static func body(
        _ data: String,
        _ more: String = #","messageId":"136969346945","publishTime":"2021-02-26T19:13:55.749Z""#,
        outside: String = #","subscription":"projects/example/subscriptions/play""#
    ) -> [UInt8] {
        let text = Base64.text(Array(data.utf8))
        return Array(#"{"message":{"data":"\#(text)"\#(more)}\#(outside)}"#.utf8)
    }

    /// What is in a body that came with a genuine token.
    private static func content(_ body: [UInt8], of subscription: String? = nil) -> PushContent? {
        guard let vectors = try? BearerVectors(), let good = vectors.cases.first else { return nil }
        let verdict = good.authority.verdict(
            onPush: body,
            authorization: good.authorization,
            keys: vectors.keys,
            at: good.now
        )
        guard case .genuine(let push) = verdict else { return nil }
        return PushReader(subscription: subscription).content(of: push)
    }

    private static func notification(_ data: String) throws -> DeveloperNotification {
        let content = try #require(Self.content(Self.body(data)))
        guard case .notification(let notification) = content else {
            throw Unexpected(content: content)
        }
        return notification
    }

    private struct Unexpected: Error {
        let content: PushContent
    }

    @Test func `Google's sample is a subscription that was bought`() throws {
        let notification = try Self.notification(Self.sample)
        #expect(notification.messageID == "136969346945")
        #expect(notification.published == Moment(1_614_366_835_749))
        #expect(notification.package == "com.some.thing")
        #expect(notification.type == "SUBSCRIPTION_PURCHASED")
        let token = try #require(PurchaseToken("PURCHASE_TOKEN"))
        #expect(notification.subject == .subscription(4, token))
        #expect(notification.token == token)
    }

    @Test func `Google's sample of a test is one`() throws {
        let data =
            "eyJ2ZXJzaW9uIjoiMS4wIiwicGFja2FnZU5hbWUiOiJjb20uc29tZS50aGluZyIsImV2ZW50VGltZU1pbGxp"
            + "cyI6IjE1MDMzNTAxNTY5MTgiLCJ0ZXN0Tm90aWZpY2F0aW9uIjp7InZlcnNpb24iOiIxLjAifX0="
        let body = #"{"message":{"data":"\#(data)","messageId":"1"},"subscription":"x"}"#
        guard case .notification(let test) = Self.content(Array(body.utf8)) else {
            Issue.record("no notification")
            return
        }
        #expect(test.subject == .test && test.token == nil && test.type == "TEST")
        #expect(test.published == Moment(1_503_350_156_918))
    }

    @Test func `every kind of notification names what is to be read`() throws {
        func about(_ member: String) throws -> DeveloperNotification {
            try Self.notification(
                #"{"packageName":"com.example.app","eventTimeMillis":1700000000000,\#(member)}"#
            )
        }
        let token = try #require(PurchaseToken("T.1"))
        let once = #"{"version":"1.0","notificationType":1,"purchaseToken":"T.1","sku":"c"}"#
        #expect(try about(#""oneTimeProductNotification":\#(once)"#).subject == .oneTime(1, token))
        let all = #"{"purchaseToken":"T.1","orderId":"GPA.1","productType":2,"refundType":1}"#
        let voided = try about(#""voidedPurchaseNotification":\#(all)"#)
        guard case .voided(let notice) = voided.subject else {
            throw Unexpected(content: .elsewhere)
        }
        #expect(notice.token == token && notice.orderID == "GPA.1" && !notice.isPartial)
        #expect(notice.at == Moment(1_700_000_000_000))
        let part = #"{"purchaseToken":"T.1","orderId":"GPA.1","productType":2,"refundType":2}"#
        guard case .voided(let some) = try about(#""voidedPurchaseNotification":\#(part)"#).subject
        else { throw Unexpected(content: .elsewhere) }
        #expect(some.isPartial)
        let review = try about(#""pendingRefundReviewNotification":{"orderId":"GPA.1"}"#)
        #expect(review.subject == .refundReview && review.token == nil)
        let later = try about(#""somethingNotification":{"purchaseToken":"T.1"}"#)
        #expect(later.subject == .other("somethingNotification") && later.type == "OTHER")
    }

    @Test func `numbers that nobody has explained are read like any other`() throws {
        let token = try #require(PurchaseToken("PURCHASE_TOKEN"))
        for number: Int64 in [14, 15, 16, 21, 99] {
            let data = Self.sample.replacing("Type\":4", with: "Type\":\(number)")
            let notification = try Self.notification(data)
            #expect(notification.subject == .subscription(number, token))
            #expect(notification.type == "SUBSCRIPTION_OTHER")
        }
    }

    @Test func `a message of another subscription is elsewhere, where one is configured`() {
        let body = Self.body(Self.sample)
        #expect(Self.content(body, of: "projects/other/subscriptions/play") == .elsewhere)
        guard case .notification? = Self.content(body, of: Self.subscription) else {
            Issue.record("no notification")
            return
        }
        let without = Self.body(Self.sample, outside: "")
        #expect(Self.content(without, of: Self.subscription) == .elsewhere)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"message":"x"}"#, #"{"message":{}}"#, #"{"message":{"messageId":"1"}}"#,
        #"{"message":{"data":"","messageId":"1"}}"#, #"{"message":{"data":"e30","messageId":"1"}}"#,
        #"{"message":{"data":"e30=","messageId":""}}"#,
        #"{"message":{"data":"e30=","messageId":1}}"#,
        #"{"message":{"data":"e30=","messageId":"1"}}"#,
        #"{"message":{"data":"e30=","messageId":"1","message_id":"2"}}"#,
        #"{"version":"1.0","packageName":"com.some.thing"}"#,
    ])
    func `a body that is no wrapped message is unreadable`(body: String) {
        guard case .unreadable? = Self.content(Array(body.utf8)) else {
            Issue.record("it was read")
            return
        }
    }

    @Test(arguments: [
        "hello", "[]", "{}", #"{"packageName":"a","eventTimeMillis":1}"#,
        #"{"packageName":"a","testNotification":{},"testNotification":{}}"#,
        #"{"packageName":"a","testNotification":{},"oneTimeProductNotification":{}}"#,
        #"{"testNotification":{}}"#, #"{"packageName":"a b","testNotification":{}}"#,
        #"{"packageName":"a","subscriptionNotification":{"purchaseToken":"T"}}"#,
        #"{"packageName":"a","subscriptionNotification":{"notificationType":4}}"#,
        #"{"packageName":"a","voidedPurchaseNotification":{"purchaseToken":"T"}}"#,
    ])
    func `data that is no notification is unreadable`(data: String) {
        guard case .unreadable? = Self.content(Self.body(data)) else {
            Issue.record("it was read")
            return
        }
    }

    @Test func `a message without any time is unreadable, the notification's own is enough`() {
        let plain = #","messageId":"1""#
        guard case .notification(let read)? = Self.content(Self.body(Self.sample, plain)) else {
            Issue.record("it was not read")
            return
        }
        #expect(read.published == Moment(1_503_349_566_168))
        let timeless = #"{"packageName":"a","testNotification":{}}"#
        guard case .unreadable? = Self.content(Self.body(timeless, plain)) else {
            Issue.record("it was read")
            return
        }
    }

    @Test func `a token has 1 to 255 printable characters`() {
        #expect(PurchaseToken("") == nil && PurchaseToken("a b") == nil)
        #expect(PurchaseToken("a\u{e9}") == nil && PurchaseToken("a\n") == nil)
        let longest = String(repeating: "x", count: PlayLimits.tokenBytesMax)
        #expect(PurchaseToken(longest)?.text == longest)
        #expect(PurchaseToken(longest + "x") == nil)
    }

    @Test func `a body that is too long is unreadable`() {
        let padding = String(repeating: " ", count: PlayLimits.pushBytesMax)
        guard case .unreadable? = Self.content(Self.body(Self.sample) + Array(padding.utf8)) else {
            Issue.record("it was read")
            return
        }
    }
}
