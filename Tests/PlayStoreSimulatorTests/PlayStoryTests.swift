import AppStoreSimulator
import Entitlements
import GooglePlay
import JSON
import PlayStoreSimulator
import Testing

/// What happens in a simulated Google Play reads as Google's own answers do.
struct PlayStoryTests {
    private func subscription(
        _ play: OpenPlay,
        _ name: String = "anna"
    ) async throws
        -> PlaySubscription
    {
        let token = try play.newest(name).token
        let answer = try await play.ask("subscriptionsv2/tokens/\(token)")
        #expect(answer.status == 200)
        return try PlaySubscription(answer.body)
    }

    @Test func `a subscription is bought, renews, is cancelled and goes on`() async throws {
        let play = try OpenPlay()
        let bought = try play.act("anna", .buy) { $0.accountID = "account-1" }
        let token = try play.newest("anna").token
        #expect(bought == [.subscription(4, token: token)])
        var read = try await subscription(play)
        #expect(read.state == .active && read.accountID == "account-1" && read.isUnacknowledged)
        #expect(read.started == Moment(OpenPlay.start))
        let month = OpenPlay.start + 30 * 86_400_000
        #expect(read.items.first?.expires == Moment(month))
        #expect(read.items.first?.basePlanID == "monthly" && read.items.first?.price == 1_990)
        play.pass(days: 30)
        #expect(try play.act("anna", .renew) == [.subscription(2, token: token)])
        read = try await subscription(play)
        #expect(read.items.first?.orderID?.hasSuffix("..0") == true)
        #expect(try play.act("anna", .cancel) == [.subscription(3, token: token)])
        read = try await subscription(play)
        #expect(read.state == .canceled && read.items.first?.plan == .autoRenewing(isOn: false))
        #expect(try play.act("anna", .restart) == [.subscription(7, token: token)])
        #expect(try await subscription(play).items.first?.plan == .autoRenewing(isOn: true))
    }

    @Test func `each action leads to the state that Google names`() async throws {
        let ways: [([PlayAction], SubscriptionState)] = [
            ([.buyPending], .pending), ([.buyPending, .complete], .active),
            ([.buyPending, .cancelPending], .pendingPurchaseCanceled),
            ([.buy, .failToRenew], .inGracePeriod), ([.buy, .failToRenew, .hold], .onHold),
            ([.buy, .hold, .recover], .active), ([.buy, .pause], .paused),
            ([.buy, .pause, .resume], .active), ([.buy, .expire], .expired),
            ([.buy, .revoke], .expired), ([.buy, .defer], .active), ([.buy, .void], .active),
        ]
        for (actions, state) in ways {
            let play = try OpenPlay()
            for action in actions { try play.act("anna", action) }
            #expect(try await subscription(play).state == state, "\(actions)")
        }
    }

    @Test func `an upgrade ends the older token, a downgrade waits for the period's end`()
        async throws
    {
        let play = try OpenPlay()
        try play.act("anna", .buy)
        let first = try play.newest("anna").token
        play.pass(days: 1)
        try play.act("anna", .upgrade) { $0.product = "premium:monthly" }
        var read = try await subscription(play)
        #expect(read.linked?.text == first && read.items.map(\.productID) == ["premium"])
        let older = try PlaySubscription(
            try await play.ask("subscriptionsv2/tokens/\(first)").body
        )
        #expect(older.state == .expired && older.cancellation == .replacement)
        play.pass(days: 1)
        try play.act("anna", .downgrade) { $0.product = "paid:monthly" }
        read = try await subscription(play)
        #expect(read.items.map(\.productID) == ["premium", "paid"])
        #expect(read.items.map { $0.orderID != nil } == [true, false])
        #expect(read.items.first?.nextProductID == "paid")
        play.pass(days: 30)
        try play.act("anna", .renew)
        #expect(try await subscription(play).items.map(\.productID) == ["paid"])
    }

    @Test func `bought again in Google Play itself it names the expired one until acknowledged`()
        async throws
    {
        let play = try OpenPlay()
        try play.act("anna", .buy) { $0.accountID = "account-1" }
        try play.act("anna", .expire)
        let first = try play.newest("anna").token
        play.pass(days: 1)
        try play.act("anna", .resubscribeOutOfApp)
        let read = try await subscription(play)
        #expect(read.former?.token?.text == first && read.linked == nil && read.accountID == nil)
        let token = try play.newest("anna").token
        let told = try await play.ask("subscriptions/paid/tokens/\(token):acknowledge", "POST")
        #expect(told.status == 204)
        #expect(try await subscription(play).former == nil)
    }

    @Test func `an upgrade that is paid later leaves the older purchase until then`() async throws {
        for isPaid in [true, false] {
            let play = try OpenPlay()
            try play.act("anna", .buy)
            let first = try play.newest("anna").token
            let told = try play.act("anna", .upgradePending) { $0.product = "premium:monthly" }
            #expect(told.isEmpty)
            let second = try play.newest("anna").token
            let pending = try await subscription(play)
            #expect(pending.state == .pending && pending.linked?.text == first)
            func older() async throws -> SubscriptionState? {
                let answer = try await play.ask("subscriptionsv2/tokens/\(first)")
                return try PlaySubscription(answer.body).state
            }
            #expect(try await older() == .active)
            let paid: [PlayNotice] = [
                .subscription(4, token: second), .subscription(13, token: first),
            ]
            let settled = try play.act("anna", isPaid ? .complete : .cancelPending)
            #expect(settled == (isPaid ? paid : [.subscription(20, token: second)]))
            #expect(try await older() == (isPaid ? .expired : .active))
        }
    }

    /// Google's numbers, from its page "Real-time developer notifications reference guide".
    @Test func `every type of notification is told by something that can happen`() throws {
        let lives: [[PlayAction]] = [
            [.buy, .renew, .failToRenew, .recover, .cancel, .restart, .hold, .expire],
            [.buy, .pause, .resume, .schedulePause, .defer, .addItem, .cancelCommitment, .revoke],
            [.buy, .priceChange, .confirmPrice, .priceStepUp], [.buyPending, .cancelPending],
        ]
        var told: Set<Int64> = []
        for life in lives {
            let play = try OpenPlay()
            for action in life {
                let notices = try play.act("anna", action) { words in
                    if action == .addItem { words.product = "premium:monthly" }
                }
                for case .subscription(let type, _) in notices { told.insert(type) }
            }
        }
        // 14 to 16 and 21 are not given.
        #expect(told == Set([1...13, 17...20, 22...22].joined()))
    }

    @Test func `what was cancelled before it was paid stands in nobody's way`() throws {
        let play = try OpenPlay()
        try play.act("anna", .buy)
        let token = try play.newest("anna").token
        try play.act("anna", .upgradePending) { $0.product = "premium:monthly" }
        #expect(try play.newest("anna").token != token)
        #expect(try play.act("anna", .cancelPending).first?.token != token)
        #expect(try play.newest("anna").token == token)
        play.pass(days: 30)
        #expect(try play.act("anna", .renew) == [.subscription(2, token: token)])
        try play.act("anna", .buyPending) { $0.product = "credits_10" }
        try play.act("anna", .cancelPending)
        try play.act("anna", .cancel)
        #expect(try play.newest("anna").state == .canceled)
    }

    @Test func `a push that nobody takes is repeated`() async throws {
        let play = try OpenPlay()
        // Nothing listens on port 1.
        let url = "http://127.0.0.1:1/webhooks/google"
        let delivery = PushDelivery(to: url, try play.directory.pushSigner())
        let record = try await delivery.deliver(.test, attempts: 2)
        #expect(record.attempts == 2 && record.status == nil && !record.isDelivered)
    }

    @Test func `a refund without revocation leaves what was bought, and tells nobody`() async throws
    {
        let play = try OpenPlay()
        func product() async throws -> (PlayProduct, JSONValue?) {
            let token = try play.newest("anna").token
            let body = try await play.ask("productsv2/tokens/\(token)").body
            let offer = try JSONValue.parse(body)["productLineItem"]?.array?.first
            return (try PlayProduct(body), offer?["productOfferDetails"])
        }
        try play.act("anna", .buy) { $0.product = "credits_10" }
        var (read, offer) = try await product()
        #expect(read.state == .purchased && read.items.first?.refunded == 0)
        #expect(offer?["quantity"] == 1 && offer?["refundableQuantity"] == 1)
        #expect(try play.act("anna", .refund).isEmpty)
        (read, offer) = try await product()
        #expect(read.state == .purchased && read.isUnacknowledged)
        #expect(offer?["quantity"] == 1 && offer?["refundableQuantity"] == 0)
        #expect(try play.directory.books().lines.first?.contains(#""voided":0"#) == true)
        #expect(throws: PlayRefusal.self) { try play.act("anna", .refund) }
        try play.act("anna", .void)
        #expect(try await product().0.state == .cancelled)
    }

    @Test func `all units together are not refunded in part, and the refusal says so`() throws {
        let play = try OpenPlay()
        try play.act("anna", .buy) { ($0.product, $0.quantity) = ("credits_10", 3) }
        try play.act("anna", .refundUnits)
        let refusal = #expect(throws: PlayRefusal.self) {
            try play.act("anna", .refundUnits) { $0.quantity = 2 }
        }
        #expect(refusal?.description.contains("fewer units than are left, and there are 2") == true)
        try play.act("anna", .refundUnits)
    }

    @Test func `what makes no sense is refused`() throws {
        let play = try OpenPlay()
        #expect(throws: PlayRefusal.self) { try play.act("anna", .renew) }
        try play.act("anna", .buy)
        for action: PlayAction in [.complete, .restart, .recover, .resubscribe, .refundUnits] {
            #expect(throws: PlayRefusal.self) { try play.act("anna", action) }
        }
        #expect(throws: PlayRefusal.self) {
            try play.act("anna", .upgrade) { $0.product = "nothing" }
        }
    }

    @Test func `its pushes are Google's, for whom they are signed`() throws {
        let play = try OpenPlay()
        let notices = try play.act("anna", .buy)
        let signer = try play.directory.pushSigner()
        let settings = try play.directory.books().settings
        let now = OpenPlay.start
        let verdict = PushAuthority(audience: settings.audience, account: settings.pushAccount)
            .verdict(
                onPush: signer.body(try #require(notices.first), id: "m1", at: now),
                authorization: Array("Bearer \(try signer.token(at: now))".utf8),
                keys: try KeySet(signer.keySet),
                at: Moment(now)
            )
        guard case .genuine(let push) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        let reader = PushReader(subscription: settings.subscription)
        guard case .notification(let heard) = reader.content(of: push) else {
            Issue.record("it cannot be read")
            return
        }
        #expect(heard.messageID == "m1" && heard.published == Moment(now))
        let token = try play.newest("anna").token
        #expect(heard.token?.text == token)
    }
}
