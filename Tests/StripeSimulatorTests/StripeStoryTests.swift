import AppStoreSimulator
import Entitlements
import JSON
import Stripe
import StripeSimulator
import Testing

/// What happens in a simulated Stripe reads as Stripe's own events and answers do.
struct StripeStoryTests {
    /// The state that the newest answer of the API stands for.
    private func standing(_ account: OpenAccount, _ name: String = "anna") async throws -> Fact {
        try #require(try await account.facts(name).first)
    }

    @Test func `a subscription is bought, renews, is cancelled in both ways and goes on`()
        async throws
    {
        let account = try OpenAccount()
        let bought = try account.act("anna", .subscribe)
        #expect(
            bought.map(\.type) == [
                "invoice.paid", "customer.subscription.created", "checkout.session.completed",
            ]
        )
        var fact = try await standing(account)
        let id = try account.newest("anna").id
        #expect(fact.key.originalID == id && fact.user?.user == UserID("anna"))
        #expect(fact.transaction?.expires == Moment((OpenAccount.start + OpenAccount.month) * 1000))
        #expect(fact.renewal?.autoRenew == true)
        account.pass(days: 30)
        try account.act("anna", .renew)
        fact = try await standing(account)
        let end = OpenAccount.start + 2 * OpenAccount.month
        #expect(fact.transaction?.expires == Moment(end * 1000))
        for way in [StripeAction.cancel, .cancelInPortal] {
            #expect(try account.act("anna", way).map(\.type) == ["customer.subscription.updated"])
            #expect(try await standing(account).renewal?.autoRenew == false, "\(way)")
            try account.act("anna", .keep)
            #expect(try await standing(account).renewal?.autoRenew == true, "\(way)")
        }
    }

    @Test func `each action leads to the status that Stripe names`() throws {
        let ways: [([StripeAction], String)] = [
            ([.subscribe, .cancelNow], "canceled"), ([.subscribe, .cancel, .expire], "canceled"),
            ([.subscribe, .failToRenew], "past_due"),
            ([.subscribe, .failToRenew, .recover], "active"),
            ([.subscribe, .failToRenew, .giveUp], "unpaid"),
            ([.subscribe, .failToRenew, .giveUp, .recover], "active"),
            ([.subscribe, .failToRenew, .cancelUnpaid], "canceled"),
            ([.subscribe, .pause], "active"), ([.subscribe, .pause, .unpause], "active"),
            ([.subscribe, .change], "active"),
            ([.subscribe, .pauseSubscription], "paused"),
            ([.subscribe, .failToRenew, .pauseSubscription, .resume], "active"),
        ]
        for (actions, status) in ways {
            let account = try OpenAccount()
            for action in actions { try account.act("anna", action) }
            #expect(try account.newest("anna").status == status, "\(actions)")
        }
        let trials: [([StripeAction], String)] = [
            ([], "trialing"), ([.endTrial], "active"), ([.endTrialUnpaid], "paused"),
            ([.endTrialUnpaid, .resume], "active"),
        ]
        for (actions, status) in trials {
            let account = try OpenAccount()
            try account.act("anna", .subscribe) { $0.isTrial = true }
            for action in actions { try account.act("anna", action) }
            #expect(try account.newest("anna").status == status, "\(actions)")
        }
    }

    @Test func `a renewal that fails is active for an hour, until its invoice is charged`() throws {
        let account = try OpenAccount()
        try account.act("anna", .subscribe)
        account.pass(days: 31)
        let told = try account.act("anna", .failToRenew)
        #expect(
            told.map(\.type) == [
                "customer.subscription.updated", "invoice.payment_failed",
                "customer.subscription.updated",
            ]
        )
        #expect(told.map { account.now - $0.created } == [3_600, 0, 0])
        let invoice = try account.newest("anna").latestInvoice
        var statuses: [String?] = []
        for event in [told[0], told[2]] {
            let sent = try JSONValue.parse(EventDelivery.body(event, account.settings))
            let sold = sent["data"]?["object"]
            #expect(sold?["latest_invoice"]?.string == invoice)
            statuses.append(sold?["status"]?.string)
        }
        #expect(statuses == ["active", "past_due"])
    }

    @Test(arguments: [false, true])
    func `every event is genuine, in both shapes, and entitld reads each of them`(
        isOld: Bool
    ) async throws {
        let account = try OpenAccount { settings in
            settings.writesOldShapes = isOld
            settings.tellsAll = true
        }
        let lives: [[StripeAction]] = [
            [.subscribe, .renew, .failToRenew, .giveUp, .recover, .cancel, .keep, .change],
            [.subscribe, .pause, .unpause, .refundHalf, .refund, .cancelInPortal, .expire],
            [.subscribe, .dispute, .loseDispute, .failToRenew, .cancelUnpaid],
            [.subscribe, .dispute, .winDispute, .cancelNow], [.buy], [.buyLater, .pay],
            [.buyLater, .failToPay], [.endTrialUnpaid, .resume], [.endTrial], [.leave],
            [.subscribe, .refund, .failRefund, .inquire, .closeInquiry, .overpay],
            [.subscribe, .inquire, .dispute, .contest, .winDispute, .deleteCustomer],
            [.subscribe, .proposeChange, .applyChange], [.subscribe, .proposeChange, .dropChange],
            [.subscribe, .failToRenew, .voidInvoice],
            [.subscribe, .failToRenew, .markUncollectible],
            [.subscribeUnpaid, .confirm], [.subscribeUnpaid, .abandon],
            [.warnOfTrialEnd, .endTrial], [.subscribe, .pauseSubscription, .resume],
        ]
        var heard: Set<String> = []
        for (number, life) in lives.enumerated() {
            if [.endTrial, .endTrialUnpaid, .warnOfTrialEnd].contains(life[0]) {
                try account.act("customer\(number)", .subscribe) { $0.isTrial = true }
            }
            for action in life {
                for event in try account.act("customer\(number)", action) {
                    heard.insert(event.type)
                    switch account.verdict(on: event) {
                    case .announced(let notification, _), .genuine(let notification):
                        #expect(notification.type == event.type)
                    case let verdict: Issue.record("\(event.type): \(verdict)")
                    }
                }
                account.pass(days: 1)
            }
        }
        #expect(heard == Self.eventTypes)
    }

    /// Those of Stripe's list "Types of events" that have to do with subscriptions, payments that
    /// are made once, refunds and disputes.
    private static let eventTypes: Set = [
        "checkout.session.completed", "checkout.session.async_payment_succeeded",
        "checkout.session.async_payment_failed", "checkout.session.expired",
        "customer.subscription.created", "customer.subscription.updated",
        "customer.subscription.deleted", "customer.subscription.paused",
        "customer.subscription.resumed", "customer.subscription.trial_will_end",
        "customer.subscription.pending_update_applied",
        "customer.subscription.pending_update_expired", "customer.deleted", "invoice.created",
        "invoice.paid", "invoice.payment_succeeded", "invoice.payment_failed",
        "invoice.payment_action_required", "invoice.upcoming", "invoice.voided",
        "invoice.marked_uncollectible", "invoice.overpaid",
        "invoice_payment.paid", "charge.refunded", "charge.refund.updated", "refund.created",
        "refund.updated", "refund.failed", "charge.dispute.created", "charge.dispute.updated",
        "charge.dispute.closed", "charge.dispute.funds_withdrawn",
        "charge.dispute.funds_reinstated", "entitlements.active_entitlement_summary.updated",
    ]

    @Test func `an endpoint that has not chosen all events is told of those that matter`() throws {
        let account = try OpenAccount()
        try account.act("anna", .subscribe)
        let told = try account.act("anna", .renew).map(\.type)
        #expect(told == ["invoice.paid", "customer.subscription.updated"])
    }

    @Test func `an event that nobody takes is repeated`() async throws {
        let account = try OpenAccount()
        let events = try account.act("anna", .subscribe)
        // Nothing listens on port 1.
        let url = "http://127.0.0.1:1/webhooks/stripe"
        let delivery = EventDelivery(to: url, account.settings)
        let record = try await delivery.deliver(try #require(events.first), attempts: 2)
        #expect(record.attempts == 2 && record.status == nil && !record.isDelivered)
    }

    /// The period ends with the pause, and what was paid is no trial.
    @Test func `what the seller pauses was paid until then`() async throws {
        let account = try OpenAccount()
        try account.act("anna", .subscribe)
        account.pass(days: 5)
        let told = try account.act("anna", .pauseSubscription)
        #expect(told.map(\.type) == ["customer.subscription.paused"])
        let hint = PurchaseHint.subscription(try account.newest("anna").id)
        let said = try await account.answer(to: account.stripe.purchase(hint, in: .production))
        guard case .stated(let facts) = said else { return }
        let one = try #require(facts.first?.transaction)
        #expect(one.expires == Moment(account.now * 1_000) && !one.isTrial)
        #expect(facts.first?.status?.code == StatusCode.paused.rawValue)
    }

    @Test func `an event counts for five minutes, and under every secret of the account`() throws {
        let account = try OpenAccount { $0.secrets = ["whsec_old", "whsec_new"] }
        let event = try #require(try account.act("anna", .subscribe).first)
        func isGenuine(at moment: Int64) -> Bool {
            switch account.verdict(on: event, at: moment) {
            case .announced, .genuine: true
            default: false
            }
        }
        #expect(isGenuine(at: account.now) && isGenuine(at: account.now + 299))
        #expect(!isGenuine(at: account.now + 301))
        let body = EventDelivery.body(event, account.settings)
        let header = EventDelivery.signature(over: body, account.settings, at: account.now)
        #expect(header.split(separator: ",").count == 3)
    }

    @Test func `who a visit alone names is found by it`() async throws {
        let account = try OpenAccount()
        try account.act("anna", .subscribe) {
            $0.user = "anna-of-the-app"
            $0.naming = .reference
        }
        #expect(try await standing(account).user?.user == UserID("anna-of-the-app"))
        try account.act("bert", .subscribe) { $0.naming = .nowhere }
        #expect(try await standing(account, "bert").user == nil)
    }

    @Test func `credits are bought, paid later, and go back in part and in whole`() async throws {
        let account = try OpenAccount()
        let bought = try #require(try account.act("anna", .buy) { $0.quantity = 3 }.first)
        var fact = try #require(try await account.facts(behind: bought).first)
        #expect(fact.user?.user == UserID("anna") && fact.transaction?.quantity == 3)
        #expect(fact.status?.code == StatusCode.active.rawValue && fact.revocations.isEmpty)
        var shares: [Int64?] = []
        for action in [StripeAction.refundHalf, .refund] {
            account.pass(days: 1)
            let event = try #require(try account.act("anna", action).first)
            fact = try #require(try await account.facts(behind: event).first)
            shares.append(fact.revocations.first?.share)
        }
        #expect(shares == [49_831, 100_000])
        let later = try #require(try account.act("bert", .buyLater).first)
        #expect(
            try await account.facts(behind: later).first?.status?.code
                == StatusCode.pending.rawValue
        )
        let paid = try #require(try account.act("bert", .pay).first)
        #expect(
            try await account.facts(behind: paid).first?.status?.code == StatusCode.active.rawValue
        )
    }

    @Test func `a lost dispute takes the period away, a won one gives it back`() async throws {
        for (end, isRevoked) in [(StripeAction.loseDispute, true), (.winDispute, false)] {
            let account = try OpenAccount()
            try account.act("anna", .subscribe)
            let opened = try #require(try account.act("anna", .dispute).first)
            _ = try await account.facts(behind: opened)
            account.pass(days: 1)
            let closed = try #require(try account.act("anna", end).first)
            let fact = try #require(try await account.facts(behind: closed).first)
            #expect(fact.key.originalID == (try account.newest("anna").id))
            #expect(fact.revocations.contains { $0.revoked != nil } == isRevoked, "\(end)")
        }
    }

    @Test func `what makes no sense is refused`() throws {
        let account = try OpenAccount()
        #expect(throws: StripeRefusal.self) { try account.act("anna", .renew) }
        #expect(throws: StripeRefusal.self) { try account.act("anna", .refund) }
        try account.act("anna", .subscribe)
        let never: [StripeAction] = [
            .keep, .expire, .recover, .giveUp, .unpause, .endTrial, .resume, .loseDispute, .pay,
        ]
        for action in never {
            #expect(throws: StripeRefusal.self, "\(action)") { try account.act("anna", action) }
        }
        #expect(throws: StripeRefusal.self) {
            try account.act("anna", .change) { $0.price = "nothing" }
        }
        try account.act("anna", .cancelNow)
        #expect(throws: StripeRefusal.self) { try account.act("anna", .renew) }
    }
}
