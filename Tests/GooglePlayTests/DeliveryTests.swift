import Entitlements
import GooglePlay
import JSON
import Testing

/// A push as the webhook gets it: token, message, and what is to be asked.
struct DeliveryTests {
    private let vectors: BearerVectors
    private let good: BearerVectors.Case

    init() throws {
        vectors = try BearerVectors()
        good = try #require(vectors.cases.first)
    }

    private func play(
        hasKeys: Bool = true,
        _ change: (inout GooglePlay.Settings) -> Void = { _ in }
    ) throws -> GooglePlay {
        let play = AskedPlay {
            $0.authority = good.authority
            change(&$0)
        }
        .play
        if hasKeys, let question = play.upkeep(at: good.now) {
            _ = try question.read(StoreReply(status: 200, body: vectors.keyBytes), good.now)
        }
        return play
    }

    private func delivery(
        _ data: String,
        package: String = "com.example.app",
        token: [UInt8]? = nil
    ) -> StoreDelivery {
        let data = #"{"packageName":"\#(package)","eventTimeMillis":"1790000000000",\#(data)}"#
        let text = Base64.text(Array(data.utf8))
        let body = #"{"message":{"data":"\#(text)","messageId":"77"},"subscription":"s"}"#
        let authorization = String(decoding: token ?? good.authorization ?? [], as: UTF8.self)
        return StoreDelivery(
            body: Array(body.utf8),
            fields: [HTTPField("authorization", authorization)]
        )
    }

    private static let bought =
        #""subscriptionNotification":{"notificationType":4,"purchaseToken":"T"}"#

    /// Whichever of them counted, somebody else could have read the other.
    @Test func `two Authorization fields are refused, in any order`() throws {
        let told = delivery(Self.bought)
        let good = told.fields[0]
        for other in ["", "Bearer x", good.value] {
            let second = HTTPField("Authorization", other)
            for fields in [[good, second], [second, good]] {
                let twice = StoreDelivery(body: told.body, fields: fields)
                guard case .refused = try play().verdict(on: twice, at: self.good.now) else {
                    Issue.record("\(fields)")
                    return
                }
            }
        }
    }

    @Test func `a message announces its purchase, and is known by its id`() throws {
        let verdict = try play().verdict(on: delivery(Self.bought), at: good.now)
        guard case .announced(let notification, let hint) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(hint == .purchaseToken("T"))
        #expect(notification.type == "SUBSCRIPTION_PURCHASED" && notification.facts.isEmpty)
        // The id alone: a repeat may name another moment.
        #expect(notification.id.signedDate == nil)
        let again = try play().verdict(on: delivery(Self.bought), at: good.now)
        guard case .announced(let same, _) = again else { return }
        #expect(same.id == notification.id)
    }

    @Test func `a void names its order, or is of some units`() throws {
        func hint(_ refund: Int) throws -> PurchaseHint? {
            let data = """
                "voidedPurchaseNotification":{"purchaseToken":"T","orderId":"GPA.1",\
                "productType":1,"refundType":\(refund)}
                """
            let verdict = try play().verdict(on: delivery(data), at: good.now)
            guard case .announced(_, let hint) = verdict else { return nil }
            return hint
        }
        let at = Moment(1_790_000_000_000)
        #expect(try hint(1) == .withdrawal(purchaseToken: "T", orderID: "GPA.1", at: at))
        #expect(try hint(2) == .partialWithdrawal(purchaseToken: "T", at: at))
    }

    @Test func `a test is genuine, another app's is foreign, the unknown is kept for a look`()
        throws
    {
        let play = try play()
        let test = play.verdict(
            on: delivery(#""testNotification":{"version":"1.0"}"#),
            at: good.now
        )
        guard case .genuine(let notification) = test else {
            Issue.record("\(test)")
            return
        }
        #expect(notification.type == "TEST")
        let other = play.verdict(
            on: delivery(Self.bought, package: "com.example.other"),
            at: good.now
        )
        guard case .foreign("SUBSCRIPTION_PURCHASED") = other else {
            Issue.record("\(other)")
            return
        }
        let unknown = delivery(#""newNotification":{}"#)
        guard case .unreadable(_, _, let kept) = play.verdict(on: unknown, at: good.now) else {
            Issue.record("it was read")
            return
        }
        #expect(kept == unknown.body)
    }

    @Test func `without keys it is undecided, and with them it is judged`() throws {
        let play = try play(hasKeys: false)
        guard case .undecided = play.verdict(on: delivery(Self.bought), at: good.now) else {
            Issue.record("it was judged")
            return
        }
        let question = try #require(play.upkeep(at: good.now))
        _ = try question.read(StoreReply(status: 200, body: vectors.keyBytes), good.now)
        guard case .announced = play.verdict(on: delivery(Self.bought), at: good.now) else {
            Issue.record("it was refused")
            return
        }
    }

    @Test func `an unknown key is looked for once, then refused`() throws {
        let play = try play()
        let stranger = try #require(vectors.cases.first { $0.verdict == "unknownKey" })
        let sent = delivery(Self.bought, token: stranger.authorization)
        let later = good.now.advanced(byMilliseconds: PlayLimits.unknownKeyPauseMilliseconds)
        // The keys that were fetched a moment ago may be older than it.
        for now in [good.now, later] {
            guard case .undecided = play.verdict(on: sent, at: now) else {
                Issue.record("it is worth a look")
                return
            }
            let question = try #require(play.upkeep(at: now))
            #expect(play.upkeep(at: now) == nil)
            _ = try question.read(StoreReply(status: 200, body: vectors.keyBytes), now)
            guard case .refused(.signature, _) = play.verdict(on: sent, at: now) else {
                Issue.record("it was not refused")
                return
            }
            #expect(play.upkeep(at: now) == nil)
        }
    }

    @Test func `what is not Google's for us is refused`() throws {
        let play = try play()
        for entry in vectors.cases where !["genuine", "unknownKey"].contains(entry.verdict) {
            let field = String(decoding: entry.authorization ?? [], as: UTF8.self)
            let delivery = StoreDelivery(
                body: delivery(Self.bought).body,
                fields: entry.authorization == nil ? [] : [HTTPField("Authorization", field)]
            )
            guard case .refused = play.verdict(on: delivery, at: entry.now) else {
                Issue.record("\(entry)")
                continue
            }
        }
        let elsewhere = try self.play { $0.subscription = "another" }
        guard case .refused(.app, _) = elsewhere.verdict(on: delivery(Self.bought), at: good.now)
        else {
            Issue.record("it was taken")
            return
        }
    }

    @Test func `without google.push everything should come again`() throws {
        let verdict = AskedPlay().play.verdict(on: delivery(Self.bought), at: good.now)
        guard case .undecided = verdict else {
            Issue.record("\(verdict)")
            return
        }
    }

    @Test func `each outcome has the status that Pub/Sub needs`() throws {
        let play = try play()
        #expect(play.reply(to: .received(.applied)).status == 200)
        #expect(play.reply(to: .accepted).status == 200)
        #expect(play.reply(to: .unreadable).status == 200)
        #expect(play.reply(to: .unauthorized).status == 401)
        #expect(play.reply(to: .unavailable).status == 503)
        #expect(play.profile.webhook.paths.first == "/webhooks/google")
        #expect(play.profile.webhook.fields == ["authorization"])
    }
}
