import Entitlements
import JSON
import Stripe
import Testing

@Suite struct `Events of Stripe` {
    /// With a key of the API: what each type leads to.
    static let hints: [(String, JSONValue, PurchaseHint?)] = [
        ("customer.subscription.created", SubscriptionShape().json, .subscription("sub_1")),
        ("customer.subscription.updated", SubscriptionShape().json, .subscription("sub_1")),
        ("customer.subscription.deleted", SubscriptionShape().json, .subscription("sub_1")),
        ("customer.subscription.paused", SubscriptionShape().json, .subscription("sub_1")),
        ("customer.subscription.resumed", SubscriptionShape().json, .subscription("sub_1")),
        ("customer.subscription.trial_will_end", SubscriptionShape().json, .subscription("sub_1")),
        ("checkout.session.completed", CheckoutShape().json, .checkoutSession("cs_1")),
        (
            "checkout.session.async_payment_succeeded", CheckoutShape().json,
            .checkoutSession("cs_1")
        ),
        ("checkout.session.expired", CheckoutShape().json, nil),
        ("invoice.paid", InvoiceShape().json, .subscription("sub_1")),
        ("invoice.paid", InvoiceShape(parent: nil).json, .subscription("sub_1")),
        ("invoice.payment_failed", InvoiceShape().json, .subscription("sub_1")),
        ("invoice.upcoming", ["object": "invoice"], nil),
        ("charge.refunded", ChargeShape().json, .transaction("ch_1")),
        ("charge.succeeded", ChargeShape().json, nil),
        ("refund.created", refund("pending"), .transaction("ch_1")),
        ("refund.failed", refund("failed", charge: nil), .transaction("pi_1")),
        ("charge.dispute.created", dispute("needs_response"), .transaction("ch_1")),
        ("charge.dispute.closed", dispute("lost", charge: nil), .transaction("pi_1")),
        ("customer.created", ["id": "cus_1", "object": "customer"], nil),
        ("something.to.come", ["object": "thing"], nil),
    ]

    @Test(arguments: hints)
    func `with a key of the API an event says what to ask`(
        type: String,
        object: JSONValue,
        hint: PurchaseHint?
    ) throws {
        let stage = try StripeStage(keys: [.production])
        switch stage.verdict(on: event(type, object, at: day(0))) {
        case .announced(let notification, let found):
            #expect(found == hint)
            #expect(notification.type == type)
            #expect(notification.facts.isEmpty)
        case .genuine(let notification):
            #expect(hint == nil)
            #expect(notification.facts.isEmpty)
        case let verdict: Issue.record("\(verdict)")
        }
    }

    @Test func `a key of one mode asks nothing about the other`() throws {
        let stage = try StripeStage(keys: [.production])
        var shape = SubscriptionShape()
        shape.isLive = false
        let json = event("customer.subscription.updated", shape.json, at: day(0), isLive: false)
        #expect(stage.facts(in: json).count == 1)
    }

    @Test func `an event is known again by its id, and each mode has its own`() throws {
        let stage = try StripeStage()
        func id(_ json: JSONValue) -> NotificationID? {
            if case .genuine(let notification) = stage.verdict(on: json) { return notification.id }
            return nil
        }
        let one = event("customer.created", ["object": "customer"], id: "evt_1", at: day(0))
        let other = event("customer.created", ["object": "customer"], id: "evt_2", at: day(0))
        #expect(id(one) != nil)
        #expect(id(one) == id(one))
        #expect(id(one) != id(other))
        // Whatever moment a repeat names.
        let later = event("customer.created", ["object": "customer"], id: "evt_1", at: day(1))
        #expect(id(one) == id(later))
    }

    @Test func `without a secret nothing is judged, and with two headers nothing is believed`()
        throws
    {
        let bare = Stripe(signatures: WebhookSignatures(live: [], test: []))
        guard case .undecided = bare.verdict(on: StoreDelivery(body: []), at: moment(0)) else {
            Issue.record("judged")
            return
        }
        let stage = try StripeStage()
        let body = event("customer.created", ["object": "customer"], at: day(0)).bytes
        let header = signature(over: body, with: StripeStage.live, at: moment(0))
        let field = HTTPField("STRIPE-SIGNATURE", header)
        guard
            case .genuine = stage.stripe.verdict(
                on: StoreDelivery(body: body, fields: [field]),
                at: moment(0)
            )
        else {
            Issue.record("one header is not believed")
            return
        }
        guard
            case .refused(.signature, _) = stage.stripe.verdict(
                on: StoreDelivery(body: body, fields: [field, field]),
                at: moment(0)
            )
        else {
            Issue.record("two headers are believed")
            return
        }
    }

    /// An event of API v2, which names what was changed in brackets.
    @Test(arguments: [
        ("v2.core.account[configuration.customer].updated", true),
        ("v2.core.event_destination.ping", true), ("v2.core.account\"", false), ("[]", false),
    ])
    func `a thin event is another one's, whatever part it is about`(
        type: String,
        isEvent: Bool
    )
        throws
    {
        let thin: JSONValue = [
            "id": "evt_1", "object": "v2.core.event", "type": .string(type), "livemode": true,
            "related_object": ["id": "acct_1", "type": "v2.core.account"],
        ]
        switch try StripeStage().verdict(on: thin) {
        case .foreign(let found): #expect(isEvent && found == type)
        case .malformed: #expect(!isEvent)
        case let verdict: Issue.record("\(verdict)")
        }
        // Types of API v1 have no brackets.
        let json = event("customer[x].updated", ["object": "customer"], at: day(0))
        guard case .malformed = try StripeStage().verdict(on: json) else {
            Issue.record("taken for an event")
            return
        }
    }

    @Test func `what was bought once is not known without the API`() throws {
        let stage = try StripeStage()
        let shape = CheckoutShape.packs([CheckoutShape.line(1)])
        let json = event("checkout.session.completed", shape.json, at: day(0))
        #expect(stage.facts(in: json).isEmpty)
    }
}
