import Entitlements
import JSON
import Stripe
import Testing

/// Invoices that several payments paid, and those that have lines which cost nothing.
@Suite struct `Money that was paid in parts` {
    private let server = StripeServer(at: moment(10))

    private func facts(_ charge: String) throws -> [Fact] {
        let stage = try StripeStage(keys: [.production], rules: StripeRules(disputes: .lost))
        let question = try #require(stage.stripe.purchase(.transaction(charge), in: .production))
        guard case .stated(let facts) = try server.answer(to: question) else { return [] }
        return facts
    }

    private func charge(
        _ name: String,
        amount: Int64,
        refunded: Int64,
        isDisputed: Bool = false
    ) -> JSONValue {
        var shape = ChargeShape()
        shape.isDisputed = isDisputed
        shape.id = "ch_\(name)"
        shape.paymentIntent = "pi_\(name)"
        shape.amount = amount
        shape.refunded = refunded
        if refunded > 0 { shape.refunds = [(day(3), "succeeded")] }
        return shape.json
    }

    /// `in_1` was paid with 600 and with 400, of which so much went back.
    private func sell(
        returning first: Int64,
        _ second: Int64,
        isFirstDisputed: Bool = false
    ) throws {
        let charges = [
            "a": charge("a", amount: 600, refunded: first, isDisputed: isFirstDisputed),
            "b": charge("b", amount: 400, refunded: second),
        ]
        var invoice = try #require(InvoiceShape().json.object)
        invoice["amount_paid"] = 1000
        server["/v1/subscriptions/sub_1"] = SubscriptionShape().json
        var payments: [JSONValue] = []
        for (name, charge) in charges.sorted(by: { $0.key < $1.key }) {
            server["/v1/charges/ch_\(name)"] = charge
            server.keep(
                [["id": "inpay", "object": "invoice_payment", "invoice": .object(invoice)]],
                under: "/v1/invoice_payments",
                "pi_\(name)"
            )
            let intent: JSONValue = [
                "id": .string("pi_\(name)"), "object": "payment_intent", "latest_charge": charge,
            ]
            payments.append(
                [
                    "id": "inpay", "object": "invoice_payment",
                    "payment": ["type": "payment_intent", "payment_intent": intent],
                ]
            )
        }
        server.keep(payments, under: "/v1/invoice_payments", "invoice=in_1")
    }

    /// How much of either payment went back, and whether that is all of it.
    @Test(arguments: [(0, 400, false), (600, 0, false), (600, 399, false), (600, 400, true)])
    func `all of an invoice went back when all of its payments did`(
        first: Int64,
        second: Int64,
        isAll: Bool
    ) throws {
        try sell(returning: first, second)
        for order in [["ch_a", "ch_b"], ["ch_b", "ch_a"], ["ch_a"], ["ch_b"]] {
            let said = try order.flatMap { try facts($0) }
            let fold = try #require(Subscription(of: said))
            #expect(fold.standing(at: moment(11)) == (isAll ? .revoked : .active), "\(order)")
        }
    }

    /// What the bank says of the first payment, how much of the other went back, and whether that
    /// is all of it.
    @Test(arguments: [("lost", 400, true), ("won", 400, false), ("lost", 0, false)])
    func `what was lost in a dispute about another payment went back, too`(
        status: String,
        refunded: Int64,
        isAll: Bool
    ) throws {
        try sell(returning: 0, refunded, isFirstDisputed: true)
        let dispute: JSONValue = [
            "id": "dp_1", "object": "dispute", "livemode": true, "charge": "ch_a",
            "status": .string(status),
            "amount": 600, "created": .integer(day(2)),
        ]
        server.keep([dispute], under: "/v1/disputes", "charge=ch_a")
        for order in [["ch_a", "ch_b"], ["ch_b", "ch_a"], ["ch_a"], ["ch_b"]] {
            let said = try order.flatMap { try facts($0) }
            let fold = try #require(Subscription(of: said))
            #expect(fold.standing(at: moment(11)) == (isAll ? .revoked : .active), "\(order)")
        }
    }

    /// What was bought beside a trial was paid, and the trial was not.
    @Test func `money for a pack beside a trial leaves the trial`() throws {
        var invoice = try #require(InvoiceShape().json.object)
        var lines = try #require(invoice["lines"]?["data"]?.array?.first?.object)
        lines["amount"] = 0
        var pack = lines
        pack["amount"] = 1000
        pack["pricing"] = [
            "type": "price_details",
            "price_details": ["price": "price_pack", "product": "prod_pack"],
        ]
        invoice["lines"] = ["object": "list", "data": [.object(lines), .object(pack)]]
        server["/v1/charges/ch_1"] = charge("1", amount: 1000, refunded: 1000)
        server["/v1/subscriptions/sub_1"] = SubscriptionShape(status: "trialing").json
        server.keep(
            [["id": "inpay", "object": "invoice_payment", "invoice": .object(invoice)]],
            under: "/v1/invoice_payments",
            "pi_1"
        )
        let fold = try #require(Subscription(of: try facts("ch_1")))
        #expect(fold.standing(at: moment(11)) == .active)
        #expect(fold.transactions.last?.terms.price == 0)
    }

    /// Stripe gives whole objects only where it is asked to, and a key may not be.
    @Test func `an invoice that is only named is asked for`() throws {
        server["/v1/charges/ch_1"] = charge("1", amount: 1000, refunded: 1000)
        server["/v1/subscriptions/sub_1"] = SubscriptionShape().json
        server["/v1/invoices/in_1"] = InvoiceShape().json
        server.keep(
            [["id": "inpay", "object": "invoice_payment", "invoice": "in_1"]],
            under: "/v1/invoice_payments",
            "pi_1"
        )
        let fold = try #require(Subscription(of: try facts("ch_1")))
        #expect(fold.standing(at: moment(11)) == .revoked)
    }

    @Test func `a visit that only names its subscription and its lines is asked for them`() throws {
        let stage = try StripeStage(keys: [.production])
        var visit = CheckoutShape.mixed()
        let whole = visit.subscription
        visit.subscription = "sub_1"
        let lines = try #require(visit.lines)
        visit.lines = nil
        server["/v1/checkout/sessions/cs_1"] = visit.json
        server["/v1/subscriptions/sub_1"] = whole
        server.keep(lines, under: "/v1/checkout/sessions/cs_1/line_items")
        let question = try #require(
            stage.stripe.purchase(.checkoutSession("cs_1"), in: .production)
        )
        guard case .stated(let facts) = try server.answer(to: question) else {
            Issue.record("nothing is stated")
            return
        }
        #expect(Set(facts.map(\.key.originalID)) == ["sub_1", "cs_1"])
    }
}
