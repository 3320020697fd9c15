import Entitlements
import Foundation
import GooglePlay
import JSON

/// Answers of the Android Publisher API, as Google writes them, with parts changed.
enum PlayAnswers {
    static let start = Moment(1_790_000_000_000)
    static let token = "dummytokendummytokendummy.AO-J1OyTestToken"

    static func later(hours: Int64) -> Moment { start.advanced(byMilliseconds: hours * 3_600_000) }

    static func text(_ moment: Moment) -> String {
        let date = Date(timeIntervalSince1970: Double(moment.milliseconds) / 1_000)
        return ISO8601DateFormatter().string(from: date)
    }

    /// A SubscriptionPurchaseV2 that renews in a month.
    static func subscription(
        _ state: String = "ACTIVE",
        hours: Int64 = 720,
        order: String? = "GPA.3301-1111-2222-33333",
        _ change: (inout JSONObject) -> Void = { _ in }
    ) -> JSONValue {
        var item: JSONObject = [
            "productId": "paid_yearly", "expiryTime": .string(text(later(hours: hours))),
            "autoRenewingPlan": [
                "autoRenewEnabled": true,
                "recurringPrice": ["currencyCode": "USD", "units": "19", "nanos": 990_000_000],
            ],
            "offerDetails": ["basePlanId": "yearly"], "offerPhase": ["basePrice": [:]],
        ]
        item["latestSuccessfulOrderId"] = order.map { .string($0) }
        var answer: JSONObject = [
            "kind": "androidpublisher#subscriptionPurchaseV2", "regionCode": "US",
            "startTime": .string(text(start)),
            "subscriptionState": .string("SUBSCRIPTION_STATE_\(state)"),
            "acknowledgementState": "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED",
            "externalAccountIdentifiers": ["obfuscatedExternalAccountId": "account-1"],
            "lineItems": .array([.object(item)]), "etag": "x",
        ]
        change(&answer)
        return .object(answer)
    }

    /// A ProductPurchaseV2 of one product.
    static func product(
        _ state: String = "PURCHASED",
        quantity: Int64? = nil,
        left: Int64? = nil,
        consumed: Bool = false,
        _ change: (inout JSONObject) -> Void = { _ in }
    ) -> JSONValue {
        var offer: JSONObject = [
            "consumptionState": .string(
                "CONSUMPTION_STATE_" + (consumed ? "CONSUMED" : "YET_TO_BE_CONSUMED")
            )
        ]
        offer["quantity"] = quantity.map { .integer($0) }
        offer["refundableQuantity"] = left.map { .integer($0) }
        var answer: JSONObject = [
            "kind": "androidpublisher#productPurchaseV2", "regionCode": "US",
            "orderId": "GPA.3302-9999-8888-77777",
            "purchaseStateContext": ["purchaseState": .string(state)],
            "purchaseCompletionTime": .string(text(start)),
            "acknowledgementState": "ACKNOWLEDGEMENT_STATE_PENDING",
            "obfuscatedExternalAccountId": "account-1",
            "productLineItem": [
                ["productId": "credits_10", "productOfferDetails": .object(offer)]
            ],
        ]
        change(&answer)
        return .object(answer)
    }

    /// Changes the first item of a subscription.
    static func item(_ change: @escaping (inout JSONObject) -> Void) -> (inout JSONObject) -> Void {
        { answer in
            var items = answer["lineItems"]?.array ?? []
            guard var first = items.first?.object else { return }
            change(&first)
            items[0] = .object(first)
            answer["lineItems"] = .array(items)
        }
    }
}

/// Google Play, asked without a socket.
struct AskedPlay {
    let play: GooglePlay

    init(_ change: (inout GooglePlay.Settings) -> Void = { _ in }) {
        var settings = GooglePlay.Settings(package: "com.example.app")
        change(&settings)
        play = GooglePlay(settings)
    }

    /// What `replies` lead to, one after the other; and what was sent.
    func walk<Answer>(
        _ question: StoreQuestion<Answer>,
        _ replies: [StoreReply],
        at now: Moment
    ) throws -> (answer: Answer, sent: [StoreRequest]) {
        var (question, sent) = (question, [StoreRequest]())
        for reply in replies {
            sent.append(question.request)
            guard question.reads(reply.status) else { throw play.failure(of: reply, at: now) }
            switch try question.read(reply, now) {
            case .answer(let answer): return (answer, sent)
            case .ask(let next): question = next
            }
        }
        throw Unanswered(request: question.request)
    }

    struct Unanswered: Error {
        let request: StoreRequest
    }

    /// The facts that one answer states of `PlayAnswers.token`.
    func facts(
        _ answer: JSONValue,
        at now: Moment,
        isProduct: Bool = false
    ) throws -> [Fact] {
        let hint = PurchaseHint.purchaseToken(PlayAnswers.token)
        guard let question = play.purchase(hint, in: .production) else { return [] }
        let reply = StoreReply(status: 200, body: answer.bytes)
        let gone = StoreReply(status: 410)
        let (said, _) = try walk(question, isProduct ? [gone, reply] : [reply], at: now)
        guard case .stated(let facts) = said else { return [] }
        return facts
    }
}

extension Slot {
    /// The era as an account keeps it.
    init(_ era: Era) {
        self.init(
            ordinal: 0,
            store: .googlePlay,
            environment: .production,
            product: 0,
            marks: era.marks,
            from: era.from,
            paidUntil: era.paidUntil ?? .distantPast,
            graceUntil: era.graceUntil ?? .distantPast
        )
    }
}
