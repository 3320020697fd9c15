import Entitlements
import JSON
import Stripe
import Testing

@Suite struct `Money that Stripe gave back` {
    private let server = StripeServer(at: moment(10))

    private func stage(_ disputes: StripeRules.Disputes = .lost) throws -> StripeStage {
        try StripeStage(keys: [.production], rules: StripeRules(disputes: disputes))
    }

    private func facts(_ stage: StripeStage, _ id: String = "ch_1") throws -> [Fact] {
        let question = try #require(stage.stripe.purchase(.transaction(id), in: .production))
        guard case .stated(let facts) = try server.answer(to: question) else { return [] }
        return facts
    }

    /// The server knows a subscription that was paid with `pi_1`.
    private func sellSubscription() {
        server["/v1/subscriptions/sub_1"] = SubscriptionShape().json
        server.keep(
            [["id": "inpay_1", "object": "invoice_payment", "invoice": InvoiceShape().json]],
            under: "/v1/invoice_payments",
            "pi_1"
        )
    }

    /// The server knows packs of credits that were paid with `pi_1`.
    private func sellPacks() {
        let visit = CheckoutShape.packs([CheckoutShape.line(1), CheckoutShape.line(2)])
        server["/v1/checkout/sessions/cs_1"] = visit.json
        server.keep([visit.json], under: "/v1/checkout/sessions", "payment_intent=pi_1")
    }

    private func charge(refunded: Int64 = 0, isDisputed: Bool = false, at: Int64 = day(3)) {
        var shape = ChargeShape()
        shape.refunded = refunded
        shape.isDisputed = isDisputed
        if refunded > 0 { shape.refunds = [(at, "succeeded"), (at + 99, "failed")] }
        server["/v1/charges/ch_1"] = shape.json
    }

    @Test func `all of the money for the present period ends access, a part of it does not`() throws
    {
        sellSubscription()
        charge(refunded: 999)
        let part = try facts(try stage())
        #expect(Subscription(of: part)?.standing(at: moment(11)) == .active)
        charge(refunded: 1000)
        let whole = try facts(try stage())
        let fold = try #require(Subscription(of: whole))
        #expect(fold.standing(at: moment(11)) == .revoked)
        #expect(fold.transactions.first?.revoked == moment(3))
        // In any order, and the same after the subscription is told again.
        let again = try facts(try stage(), "sub_1")
        for order in [part + whole + again, again + whole + part, whole + again + part] {
            #expect(Subscription(of: order)?.standing(at: moment(11)) == .revoked)
        }
    }

    /// The first invoice of `sub_1` paid for a pack, too.
    @Test(arguments: [(400, nil, 40_000), (1000, moment(3), 100_000)] as [(Int64, Moment?, Int64)])
    func `money for a first invoice takes from the pack that it paid for, too`(
        refunded: Int64,
        endsAt: Moment?,
        share: Int64
    ) throws {
        let invoice = InvoiceShape(reason: "subscription_create").json
        server.keep([["id": "inpay_1", "invoice": invoice]], under: "/v1/invoice_payments", "pi_1")
        let visit = CheckoutShape.mixed().json
        server["/v1/checkout/sessions/cs_1"] = visit
        server.keep([visit], under: "/v1/checkout/sessions", "subscription=sub_1")
        charge(refunded: refunded)
        let stated = try facts(try stage())
        #expect(stated.map(\.key.originalID) == ["sub_1", "cs_1"])
        #expect(stated.map { $0.revocations.map(\.transactionID) } == [["in_1"], ["cs_1"]])
        #expect(stated.first?.revocations.map(\.revoked) == [endsAt])
        #expect(stated.last?.revocations.map(\.revoked) == [moment(3)])
        #expect(stated.last?.revocations.map(\.share) == [share])
        // Where no visit began it, the subscription alone is asked about.
        server.keep([], under: "/v1/checkout/sessions", "subscription=sub_1")
        server["/v1/subscriptions/sub_1"] = SubscriptionShape().json
        #expect(try facts(try stage()).map(\.key.originalID) == ["sub_1"])
    }

    @Test func `money that did not arrive is not given back`() throws {
        sellSubscription()
        charge(refunded: 1000)
        let given = try facts(try stage())
        charge(refunded: 0)
        let failed = try facts(try stage())
        for order in [given + failed, failed + given] {
            #expect(Subscription(of: order)?.standing(at: moment(11)) == .active)
        }
    }

    @Test func `money for an earlier period changes nothing now`() throws {
        sellSubscription()
        charge(refunded: 1000)
        server["/v1/subscriptions/sub_1"] =
            SubscriptionShape(start: day(30), end: day(60), latestInvoice: "in_2").json
        let fold = try #require(Subscription(of: try facts(try stage())))
        #expect(fold.standing(at: moment(31)) == .active)
    }

    /// A change within the period made a second invoice, `in_2`, which is the newest one.
    @Test(
        arguments: ["subscription_item_details", "invoice_item_details", nil],
        [("in_1", true), ("in_2", false)]
    )
    func `money for the period ends access, money for a change within it does not`(
        parent: String?,
        _ row: (invoice: String, isEnd: Bool)
    ) throws {
        let (invoice, isEnd) = row
        server["/v1/subscriptions/sub_1"] = SubscriptionShape(latestInvoice: "in_2").json
        let isProration = invoice == "in_2"
        let paid = InvoiceShape(
            id: invoice,
            start: day(isProration ? 5 : 0),
            parent: parent,
            isProration: isProration
        )
        server.keep(
            [["id": "inpay_1", "object": "invoice_payment", "invoice": paid.json]],
            under: "/v1/invoice_payments",
            "pi_1"
        )
        charge(refunded: 1000)
        let fold = try #require(Subscription(of: try facts(try stage())))
        #expect(fold.standing(at: moment(11)) == (isEnd ? .revoked : .active))
    }

    /// Another invoice within the period does not give back what was refunded, and what the seller
    /// takes back of a refund is taken back under every invoice's name.
    @Test func `a refund of the period is the same before and behind the next invoice`() throws {
        sellSubscription()
        charge(refunded: 1000)
        let before = try facts(try stage())
        server["/v1/subscriptions/sub_1"] = SubscriptionShape(latestInvoice: "in_2").json
        let second = try facts(try stage(), "sub_1")
        let behind = try facts(try stage())
        server["/v1/subscriptions/sub_1"] = SubscriptionShape(latestInvoice: "in_3").json
        charge(refunded: 0)
        let undone = try facts(try stage())
        for order in [before + second, second + before, before + behind, behind + before, behind] {
            let fold = try #require(Subscription(of: order))
            #expect(fold.standing(at: moment(11)) == .revoked)
            let again = try #require(Subscription(of: order + undone))
            #expect(again.standing(at: moment(11)) == .active)
        }
    }

    /// Two items were paid by `in_1`; then one of them got another price, at once or for what is
    /// left of the period.
    @Test(arguments: ["in_1", "in_2"], ["subscription_item_details", nil])
    func `money for a period ends access also where an item has another price since`(
        latest: String,
        parent: String?
    ) throws {
        var invoice = InvoiceShape(parent: parent)
        invoice.item = "si_1"
        invoice.beside = [(item: "si_2", price: "price_beside")]
        server.keep(
            [["id": "inpay_1", "object": "invoice_payment", "invoice": invoice.json]],
            under: "/v1/invoice_payments",
            "pi_1"
        )
        let beside = SubscriptionShape.Item(
            id: "si_2",
            product: "prod_beside",
            price: "price_beside"
        )
        var shape = SubscriptionShape()
        shape.items.append(beside)
        charge(refunded: 1000)
        server["/v1/subscriptions/sub_1"] = shape.json
        let before = try facts(try stage())
        shape.items = [SubscriptionShape.Item(product: "prod_2", price: "price_2"), beside]
        shape.latestInvoice = latest
        server["/v1/subscriptions/sub_1"] = shape.json
        let changed = try facts(try stage(), "sub_1")
        let behind = try facts(try stage())
        for order in [before + changed, changed + before, before + behind, behind + before, behind]
        {
            let fold = try #require(Subscription(of: order))
            let standings = fold.standings(at: moment(11)).map(\.standing)
            #expect(standings == [.revoked, .revoked])
        }
    }

    /// How a dispute stands, and whether it takes access away under either rule.
    @Test(arguments: [
        ("warning_needs_response", false, false), ("warning_closed", false, false),
        ("prevented", false, false), ("needs_response", true, false),
        ("under_review", true, false), ("a_word_to_come", true, false), ("won", false, false),
        ("lost", true, true), ("appeal_under_review", true, true),
    ])
    func `a dispute takes access away as the configuration says`(
        status: String,
        whenCreated: Bool,
        whenLost: Bool
    ) throws {
        sellSubscription()
        charge(isDisputed: true)
        server.keep([dispute(status)], under: "/v1/disputes", "charge=ch_1")
        for (rule, takes) in [(StripeRules.Disputes.created, whenCreated), (.lost, whenLost)] {
            let fold = try #require(Subscription(of: try facts(try stage(rule))))
            #expect(fold.standing(at: moment(11)) == (takes ? .revoked : .active), "\(rule)")
        }
    }

    @Test func `a dispute that is won gives access back`() throws {
        sellSubscription()
        charge(isDisputed: true)
        server.keep([dispute("needs_response")], under: "/v1/disputes", "charge=ch_1")
        let open = try facts(try stage(.created))
        server.keep([dispute("won")], under: "/v1/disputes", "charge=ch_1")
        let won = try facts(try stage(.created))
        for order in [open + won, won + open] {
            #expect(Subscription(of: order)?.standing(at: moment(11)) == .active)
        }
    }

    @Test func `a part of the money for packs takes a part of each`() throws {
        sellPacks()
        charge(refunded: 333)
        let fact = try #require(try facts(try stage()).first)
        #expect(fact.revocations.map(\.transactionID) == ["pi_1", "pi_1:li_2"])
        #expect(fact.revocations.map(\.share) == [33_300, 33_300])
        let fold = try #require(Subscription(of: [fact]))
        #expect(fold.transactions.map(\.revokedShare) == [33_300, 33_300])
        charge(refunded: 1000)
        let all = try #require(Subscription(of: try facts(try stage())))
        #expect(all.transactions.map(\.revokedShare) == [100_000, 100_000])
    }

    @Test func `a payment is asked about by its charge`() throws {
        sellPacks()
        charge(refunded: 1000)
        server["/v1/payment_intents/pi_1"] = [
            "id": "pi_1", "object": "payment_intent", "latest_charge": "ch_1",
        ]
        let key = SubscriptionKey(store: .stripe, environment: .production, originalID: "pi_1")
        let question = try #require(
            try stage().stripe.state(of: key, kept: nil, in: .production)
        )
        let fact = try #require(try server.answer(to: question).facts.first)
        #expect(fact.key == key)
        #expect(fact.revocations.count == 2)
    }

    @Test func `a charge for something else says nothing`() throws {
        charge(refunded: 1000)
        #expect(try facts(try stage()).isEmpty)
        var bare = ChargeShape()
        bare.paymentIntent = nil
        server["/v1/charges/ch_1"] = bare.json
        #expect(try facts(try stage()).isEmpty)
    }
}
