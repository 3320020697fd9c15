import Entitlements
import JSON
import Stripe
import Testing

@Suite struct `Subscriptions of Stripe` {
    private let stage: StripeStage

    init() throws { stage = try StripeStage() }

    private func folded(_ shape: SubscriptionShape, at created: Int64) -> Subscription? {
        Subscription(
            of: stage.facts(in: event("customer.subscription.updated", shape.json, at: created))
        )
    }

    /// One state, when it was said, and what it is worth at moments after that.
    struct Case: CustomTestStringConvertible {
        let name: String
        var shape = SubscriptionShape()
        var said = day(0)
        let worth: [(Moment, Standing?)]

        var testDescription: String { name }

        init(
            _ name: String,
            said: Int64 = day(0),
            _ worth: [(Moment, Standing?)],
            _ change: (inout SubscriptionShape) -> Void
        ) {
            self.name = name
            self.said = said
            self.worth = worth
            change(&shape)
        }
    }

    static let cases: [Case] = [
        Case("active", [(moment(0), .active), (moment(30, -1), .active), (moment(30), .lapsed)]) {
            _ in
        },
        Case("in a trial", [(moment(13), .active), (moment(14), .lapsed)]) {
            $0.status = "trialing"
            ($0.end, $0.trialEnd) = (day(14), day(14))
        },
        Case(
            "past due: the new period is not paid, and grace counts from its start",
            said: day(30, 3600),
            [
                (moment(30, 3600), .grace), (moment(37, -1), .grace), (moment(37), .retry),
                (moment(59), .retry), (moment(91), .lapsed),
            ]
        ) {
            $0.status = "past_due"
            ($0.start, $0.end) = (day(30), day(60))
        },
        Case("unpaid", said: day(45), [(moment(45), .lapsed), (moment(59), .lapsed)]) {
            $0.status = "unpaid"
            ($0.start, $0.end) = (day(30), day(60))
        },
        Case("ended at once", said: day(10), [(moment(10), .lapsed), (moment(29), .lapsed)]) {
            $0.status = "canceled"
            ($0.endedAt, $0.canceledAt) = (day(10), day(10))
        },
        Case("ended with its period", said: day(30), [(moment(30), .lapsed)]) {
            $0.status = "canceled"
            ($0.endedAt, $0.canceledAt) = (day(30), day(10))
        },
        Case("not paid yet", [(moment(0), .pending), (moment(29), .pending)]) {
            $0.status = "incomplete"
        },
        Case("never paid", said: day(1), [(moment(1), nil), (moment(29), nil)]) {
            $0.status = "incomplete_expired"
        },
        Case("paused for lack of a card", said: day(14), [(moment(14), .paused)]) {
            $0.status = "paused"
            ($0.end, $0.trialEnd) = (day(14), day(14))
        },
        Case("paused soon after it began", said: day(14), [(moment(14), .paused)]) {
            $0.status = "paused"
            $0.trialEnd = day(14, 60)
        },
        Case("paused by the seller", said: day(5), [(moment(5), .paused), (moment(29), .paused)]) {
            $0.status = "paused"
        },
        Case("an end within the period", [(moment(9), .active), (moment(10), .lapsed)]) {
            ($0.cancelAt, $0.canceledAt) = (day(10), day(0))
        },
        Case("invoices kept as drafts", [(moment(29), .active)]) {
            $0.pause = ["behavior": "keep_as_draft", "resumes_at": .null]
        },
        Case("invoices marked uncollectible", [(moment(29), .active)]) {
            $0.pause = ["behavior": "mark_uncollectible", "resumes_at": .null]
        },
        Case("invoices voided", said: day(5), [(moment(5), .paused), (moment(29), .paused)]) {
            $0.pause = ["behavior": "void", "resumes_at": .integer(day(40))]
        },
    ]

    @Test(arguments: ["payment_failed", "cancellation_requested"])
    func `what ended unpaid was paid until its last period began`(_ reason: String) throws {
        var shape = SubscriptionShape()
        (shape.start, shape.end, shape.status) = (day(30), day(60), "canceled")
        (shape.endedAt, shape.canceledAt) = (day(45), day(45))
        shape.endReason = reason
        let event = event("customer.subscription.deleted", shape.json, at: day(45))
        let fact = try #require(stage.facts(in: event).first)
        #expect(fact.transaction?.expires == moment(reason == "payment_failed" ? 30 : 45))
        #expect(fact.renewal?.isInBillingRetry == false && fact.renewal?.graceUntil == nil)
    }

    @Test(arguments: cases, [false, true])
    func `a state is worth what Stripe means by it, in both shapes`(one: Case, isOld: Bool) throws {
        var shape = one.shape
        shape.isOld = isOld
        let fold = try #require(folded(shape, at: one.said))
        for (moment, standing) in one.worth {
            #expect(fold.standing(at: moment) == standing, "\(moment)")
        }
    }

    /// Stripe's page "Pause subscriptions": the period ends with the pause, and a trial cannot be
    /// paused.
    @Test(arguments: [nil, -16] as [Int64?])
    func `a subscription that the seller pauses stays paid`(trialEnd: Int64?) throws {
        var shape = SubscriptionShape()
        (shape.status, shape.trialEnd) = ("paused", trialEnd.map { day($0) })
        for end in [30, 5] as [Int64] {
            shape.end = day(end)
            let one = try #require(folded(shape, at: day(5))?.transactions.first)
            #expect(one.expires == moment(end) && !one.isTrial && one.terms.price == 9_990)
        }
    }

    /// `status_details` is written by versions of the API since 2026-09-30.
    @Test(arguments: [
        ("pause_requested", 45, false), ("system", 45, false), ("a_reason_to_come", 45, false),
        ("first_payment_failure", 30, false), ("final_payment_failure", 30, false),
        ("trial_end_without_payment_method", 30, true),
    ])
    func `what a pause says of its reason counts`(
        reason: String,
        paid: Int64,
        isTrial: Bool
    ) throws {
        var shape = SubscriptionShape()
        (shape.status, shape.trialEnd, shape.pauseReason) = ("paused", day(30), reason)
        (shape.start, shape.end) = (day(30), day(45))
        let one = try #require(folded(shape, at: day(45))?.transactions.first)
        #expect(one.expires == moment(paid) && one.isTrial == isTrial)
    }

    @Test(arguments: [3, 14] as [Int64])
    func `a trial that was cancelled was a trial`(ended: Int64) throws {
        var shape = SubscriptionShape()
        (shape.status, shape.end, shape.trialEnd) = ("trialing", day(14), day(14))
        var fold = try #require(folded(shape, at: day(1)))
        (shape.status, shape.endReason) = ("canceled", "cancellation_requested")
        (shape.endedAt, shape.canceledAt) = (day(ended), day(1))
        for fact in stage.facts(
            in: event("customer.subscription.deleted", shape.json, at: day(ended))
        ) { _ = fold.merge(fact) }
        #expect(fold.transactions.count == 1)
        let one = try #require(fold.transactions.first)
        #expect(one.isTrial && one.expires == moment(ended) && one.terms.price == 0)
        #expect(fold.standing(at: moment(ended)) == .lapsed)
        // What was paid after the trial is none.
        (shape.start, shape.end) = (day(14), day(44))
        let paid = try #require(folded(shape, at: day(20))?.transactions.first)
        #expect(!paid.isTrial && paid.terms.price == 9_990)
    }

    @Test(arguments: ["incomplete", "incomplete_expired"])
    func `what was never paid was never owned`(status: String) throws {
        var shape = SubscriptionShape()
        #expect(try #require(folded(shape, at: day(0))).everEntitled)
        shape.status = status
        #expect(try !#require(folded(shape, at: day(0))).everEntitled)
    }

    @Test(arguments: ["past_due", "unpaid", "canceled"])
    func `what goes on behind its first period was paid`(status: String) throws {
        var shape = SubscriptionShape()
        (shape.status, shape.endReason) = (status, "payment_failed")
        (shape.start, shape.end) = (day(30), day(60))
        #expect(try #require(folded(shape, at: day(31))).everEntitled)
        shape.began = day(30)
        #expect(try !#require(folded(shape, at: day(31))).everEntitled)
    }

    @Test func `both shapes, and expanded objects, say the same`() throws {
        for one in Self.cases {
            var expanded = one.shape
            expanded.isExpanded = true
            var folds: [Subscription] = []
            for shape in [one.shape, one.shape.old, expanded, expanded.old] {
                var fold = try #require(folded(shape, at: one.said))
                // The digest of what was said breaks ties, and differs.
                fold = fold.withoutVersions
                folds.append(fold)
            }
            for fold in folds.dropFirst() { #expect(fold == folds[0], "\(one.name)") }
        }
    }

    @Test(arguments: [false, true])
    func `a scheduled end is seen in both ways of writing it`(isOld: Bool) throws {
        var flag = SubscriptionShape()
        flag.isOld = isOld
        (flag.cancelAtPeriodEnd, flag.canceledAt) = (true, day(3))
        var moment = flag
        moment.cancelAtPeriodEnd = false
        moment.cancelAt = flag.end
        for shape in [flag, moment] {
            let fold = try #require(folded(shape, at: day(3)))
            #expect(fold.renewal?.autoRenew == false)
            #expect(fold.renewalDisabled == Moment(day(3) * 1000))
            #expect(fold.standing(at: Moment(day(30, -1) * 1000)) == .active)
            #expect(fold.standing(at: Moment(day(30) * 1000)) == .lapsed)
        }
        // Only the flag, as the Dashboard may set it.
        var bare = flag
        bare.cancelAt = nil
        let only = try #require(folded(bare, at: day(3)))
        #expect(only.renewal?.autoRenew == false)
        // An end behind the period: it renews until then.
        moment.cancelAt = day(90)
        let later = try #require(folded(moment, at: day(3)))
        #expect(later.renewal?.autoRenew == true)
        #expect(later.renewalDisabled == nil)
        #expect(later.standing(at: Moment(day(30, -1) * 1000)) == .active)
    }

    @Test(arguments: [false, true])
    func `beside a year that ends with it, a month renews until then`(isYearFirst: Bool) throws {
        var shape = SubscriptionShape.items(month: 0, isYearFirst: isYearFirst)
        (shape.cancelAt, shape.canceledAt) = (day(365), day(3))
        let fold = try #require(folded(shape, at: day(3)))
        #expect(fold.renewal?.autoRenew == true)
        let off = fold.statedLives.filter { $0.era.marks.contains(.renewalOff) }
        #expect(off.map(\.transaction.productID) == ["prod_year"])
        #expect(fold.renewalDisabled == moment(3))
        let on = fold.statedLives.filter { $0.era.marks.contains(.renews) }
        #expect(on.map(\.transaction.productID) == ["prod_1"])
        // The month's renewal is waited for.
        #expect(fold.era(at: moment(3))?.marks.contains(.renews) == true)
        var last = SubscriptionShape.items(month: 340, isYearFirst: isYearFirst)
        (last.cancelAt, last.canceledAt) = (day(365), day(3))
        #expect(try #require(folded(last, at: day(341))).renewal?.autoRenew == false)
    }

    @Test func `a transaction names product, price, lookup key, quantity and money`() throws {
        var shape = SubscriptionShape()
        shape.items[0].quantity = 3
        shape.start = day(30)
        shape.end = day(60)
        shape.latestInvoice = "in_2"
        let one = try #require(folded(shape, at: day(30))?.transactions.first)
        #expect(one.id == "in_2")
        #expect(one.productID == "prod_1")
        #expect(one.terms.variant == "price_1")
        #expect(one.terms.lookupKey == "monthly")
        #expect(one.quantity == 3)
        #expect(one.terms.price == 29_970)
        #expect(one.terms.currency == "EUR")
        #expect(one.reason == "RENEWAL")
        #expect(one.purchased == Moment(day(30) * 1000))
        #expect(!one.isTrial)
        shape.status = "trialing"
        #expect(try #require(folded(shape, at: day(30))?.transactions.first).isTrial)
        shape.latestInvoice = nil
        #expect(try #require(folded(shape, at: day(30))?.transactions.first).id == "sub_1")
    }

    @Test func `an item of quantity 0 gives nothing beside others`() throws {
        var shape = SubscriptionShape()
        shape.items.append(
            SubscriptionShape.Item(id: "si_2", product: "prod_2", price: "price_2", lookupKey: nil)
        )
        shape.items[1].quantity = 0
        let products = try #require(folded(shape, at: day(1))?.transactions.map(\.productID))
        #expect(products == ["prod_1"])
        // What is billed by use has no quantity, or 0.
        shape.items[1].usage = "metered"
        let metered = try #require(folded(shape, at: day(1))?.transactions)
        #expect(metered.map(\.productID) == ["prod_1", "prod_2"])
        #expect(metered.map(\.quantity) == [1, 1])
        shape.items[1].usage = "licensed"
        shape.items.removeFirst()
        #expect(folded(shape, at: day(1))?.transactions.map(\.productID) == ["prod_2"])
    }

    @Test func `items that are sold together are owned together, each until its own end`() throws {
        var shape = SubscriptionShape()
        shape.items.append(
            SubscriptionShape.Item(
                id: "si_2",
                product: "prod_2",
                price: "price_2",
                lookupKey: nil,
                end: day(10)
            )
        )
        let fold = try #require(folded(shape, at: day(0)))
        #expect(Set(fold.transactions.map(\.id)) == ["in_1", "in_1:si_2"])
        let ends = fold.transactions.map { ($0.productID, $0.expires) }
        #expect(ends.contains { $0 == ("prod_1", moment(30)) })
        #expect(ends.contains { $0 == ("prod_2", moment(10)) })
    }

    /// Without an API key the item is unpaid whose period began last.
    @Test(arguments: [false, true])
    func `an item that is paid ahead stays when another one is past due`(isFirst: Bool) throws {
        var shape = SubscriptionShape.items(month: 61, isYearFirst: isFirst)
        shape.status = "past_due"
        for said in [day(61, 3600), day(70)] {
            let fold = try #require(folded(shape, at: said))
            #expect(fold.renewal?.graceUntil == moment(68))
            for (now, month) in [
                (moment(62), Standing.grace), (moment(68), .retry), (moment(130), .lapsed),
            ] {
                let met = fold.standings(at: now)
                #expect(met.map(\.product) == ["prod_year", "prod_1"])
                #expect(met.map(\.standing) == [.active, month], "\(now)")
            }
            #expect(fold.standings(at: moment(365)).map(\.standing) == [.lapsed, .lapsed])
        }
        // Items that began together are unpaid together.
        shape.items[0].start = day(61)
        shape.items[1].start = day(61)
        let fold = try #require(folded(shape, at: day(61, 3600)))
        #expect(fold.standings(at: moment(62)).map(\.standing) == [.grace, .grace])
        #expect(fold.standings(at: moment(68)).map(\.standing) == [.retry, .retry])
    }

    @Test func `the user is whom the metadata names under the key of the configuration`() throws {
        var shape = SubscriptionShape()
        shape.metadata = ["user_id": "alice", "uid": "bob", "email": "c@example.com"]
        let json = event("customer.subscription.created", shape.json, at: day(0))
        #expect(stage.facts(in: json).first?.user?.user == UserID("alice"))
        let other = try StripeStage(rules: StripeRules(userIDMetadata: "uid"))
        #expect(other.facts(in: json).first?.user?.user == UserID("bob"))
        shape.metadata = ["user_id": "", "email": "c@example.com"]
        let nobody = event("customer.subscription.created", shape.json, at: day(0))
        #expect(stage.facts(in: nobody).first?.user == nil)
    }

    @Test func `live mode and test mode never meet`() throws {
        var shape = SubscriptionShape()
        shape.isLive = false
        let json = event("customer.subscription.created", shape.json, at: day(0), isLive: false)
        #expect(stage.facts(in: json).first?.key.environment == .sandbox)
    }

    @Test func `a state that is not known changes nothing`() {
        var shape = SubscriptionShape()
        shape.status = "hibernating"
        let json = event("customer.subscription.updated", shape.json, at: day(0))
        guard case .genuine(let notification) = stage.verdict(on: json) else {
            Issue.record("not genuine")
            return
        }
        #expect(notification.facts.isEmpty)
    }

    /// The members on which something depends, and values that Stripe never writes there.
    static let wrong: [(String, JSONValue)] = [
        ("id", ""), ("id", 1), ("id", "../customers"), ("id", .null),
        ("object", "customer"), ("livemode", "true"),
        ("status", .null), ("status", 1), ("status", ""), ("customer", 5), ("customer", ["x": 1]),
        ("cancel_at_period_end", 1), ("cancel_at", "tomorrow"), ("cancel_at", -1),
        ("cancel_at", 1_800_000_000_000), ("ended_at", true), ("canceled_at", [1]),
        ("trial_end", "x"), ("pause_collection", "void"), ("latest_invoice", 7),
        ("created", "now"), ("metadata", "alice"), ("items", .null), ("items", []),
        ("items", ["data": []]), ("items", ["data": ["si_1"]]),
        ("items", ["data": [["id": "si_1"]]]),
        ("items", ["data": [["id": "si_1", "price": ["id": "price_1"]]]]),
        (
            "items",
            [
                "data": [
                    [
                        "id": "si_1", "price": ["id": "price_1", "product": "prod_1"],
                        "current_period_start": 2, "current_period_end": 1,
                    ]
                ]
            ]
        ),
    ]

    @Test func `what an object leaves out is as its event says`() throws {
        var object = try #require(SubscriptionShape().json.object)
        let whole = event("customer.subscription.updated", .object(object), at: day(0))
        for member in ["livemode", "created", "start_date"] { object[member] = nil }
        let short = event("customer.subscription.updated", .object(object), at: day(0))
        let (said, meant) = (stage.facts(in: short), stage.facts(in: whole))
        #expect(said.first?.key == meant.first?.key)
        #expect(said.first?.transaction?.expires == meant.first?.transaction?.expires)
        #expect(said.first?.status?.code == meant.first?.status?.code)
    }

    /// Who asked for the end asked when they did, also once it has come.
    @Test func `what was cancelled stays cancelled on that day once it has ended`() throws {
        var shape = SubscriptionShape()
        (shape.cancelAtPeriodEnd, shape.canceledAt) = (true, day(3))
        shape.endReason = "cancellation_requested"
        let before = event("customer.subscription.updated", shape.json, at: day(3))
        #expect(stage.facts(in: before).first?.renewalDisabled == moment(3))
        (shape.status, shape.endedAt) = ("canceled", day(30))
        let after = event("customer.subscription.deleted", shape.json, at: day(30))
        #expect(stage.facts(in: after).first?.renewalDisabled == moment(3))
        shape.endReason = "payment_failed"
        let unpaid = event("customer.subscription.deleted", shape.json, at: day(30))
        #expect(stage.facts(in: unpaid).first?.renewalDisabled == nil)
    }

    @Test(arguments: wrong)
    func `what is not as documented is not guessed`(member: String, value: JSONValue) throws {
        var object = try #require(SubscriptionShape().json.object)
        object[member] = value
        let json = event("customer.subscription.updated", .object(object), at: day(0))
        guard case .unreadable(let type, let detail, _) = stage.verdict(on: json) else {
            Issue.record("\(stage.verdict(on: json))")
            return
        }
        #expect(type == "customer.subscription.updated")
        #expect(detail.hasSuffix("is not as documented"))
    }
}

extension Subscription {
    /// The same, as if everything had been said by one and the same object.
    var withoutVersions: Subscription {
        var copy = Subscription(key: key)
        for one in transactions {
            let version = Version(signed: one.version.signed, digest: Digest256(0, 0, 0, 0))
            var transaction = one
            transaction.version = version
            var renewal = renewal
            renewal?.version = version
            let status = StatusFact(
                version: version,
                code: status?.code ?? 0,
                word: status?.word ?? ""
            )
            _ = copy.merge(
                Fact(
                    snapshotOf: key,
                    status: status,
                    transactions: [transaction],
                    renewal: renewal,
                    renewalDisabled: renewalDisabled
                )
            )
        }
        return copy
    }
}
