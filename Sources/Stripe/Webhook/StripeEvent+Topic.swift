import Entitlements

/// The subject of an event, as far as it matters here.
enum StripeTopic: Hashable, Sendable {
    /// The state of a subscription.
    case subscription(StripeID)
    /// A visit to the payment page.
    case checkout(StripeID)
    /// A charge that was or may be returned.
    case charge(StripeID)
    /// The same, where only the payment is named.
    case payment(StripeID)
    /// Nothing that matters here.
    case nothing
}

extension StripeEvent {
    /// The event types that matter here.
    ///
    /// An endpoint needs no others, and `/v1/events` is asked for these.
    package static let types = [
        "customer.subscription.created", "customer.subscription.updated",
        "customer.subscription.deleted", "customer.subscription.paused",
        "customer.subscription.resumed", "customer.subscription.pending_update_applied",
        "checkout.session.completed", "checkout.session.async_payment_succeeded",
        "checkout.session.async_payment_failed", "invoice.paid", "invoice.payment_failed",
        "invoice.voided", "invoice.marked_uncollectible", "charge.refunded",
        "charge.refund.updated", "refund.failed", "charge.dispute.created",
        "charge.dispute.updated", "charge.dispute.closed",
    ]

    /// The subject of the event; throws if an object of a known type does not name it.
    func topic() throws(ShapeFault) -> StripeTopic {
        switch type {
        case "customer.subscription.created", "customer.subscription.updated",
            "customer.subscription.deleted", "customer.subscription.paused",
            "customer.subscription.resumed", "customer.subscription.trial_will_end",
            "customer.subscription.pending_update_applied",
            "customer.subscription.pending_update_expired":
            return .subscription(try object.id())
        case "checkout.session.completed", "checkout.session.async_payment_succeeded",
            "checkout.session.async_payment_failed":
            return .checkout(try object.id())
        case "invoice.paid", "invoice.payment_succeeded", "invoice.payment_failed",
            "invoice.voided", "invoice.marked_uncollectible":
            return try StripeInvoice(object).subscription.map { .subscription($0) } ?? .nothing
        case "charge.refunded": return .charge(try object.id())
        case "refund.created", "refund.updated", "refund.failed", "charge.refund.updated":
            let refund = try StripeRefund(object)
            return Self.money(refund.charge, refund.paymentIntent)
        case "charge.dispute.created", "charge.dispute.updated", "charge.dispute.closed",
            "charge.dispute.funds_withdrawn", "charge.dispute.funds_reinstated":
            let dispute = try StripeDispute(object)
            return Self.money(dispute.charge, dispute.paymentIntent)
        default: return .nothing
        }
    }

    private static func money(_ charge: StripeID?, _ payment: StripeID?) -> StripeTopic {
        if let charge { return .charge(charge) }
        if let payment { return .payment(payment) }
        return .nothing
    }

    /// The facts that the event's object states by itself, for use without an API key.
    ///
    /// Only a subscription states its status. An invoice and a visit only name its user. Refunds
    /// and disputes name neither a subscription nor a one-time purchase.
    func facts(under rules: StripeRules) throws(ShapeFault) -> [Fact] {
        let isFirst = type == "customer.subscription.created"
        let saying = StripeSaying(object, at: created, isFirst: isFirst)
        switch try topic() {
        case .subscription:
            if object.kind == "invoice" {
                return [try StripeInvoice(object).naming(saying, under: rules)].compactMap { $0 }
            }
            return [try StripeSubscription(object).fact(saying, under: rules)].compactMap { $0 }
        case .checkout:
            return [try StripeCheckout(object).naming(saying, under: rules)].compactMap { $0 }
        case .charge, .payment, .nothing: return []
        }
    }
}

extension StripeInvoice {
    /// The fact that names the user of the billed subscription, as the subscription's metadata
    /// named them.
    func naming(_ saying: StripeSaying, under rules: StripeRules) -> Fact? {
        guard let subscription, let user = metadata?.user(under: rules.userIDMetadata) else {
            return nil
        }
        var fact = Fact(
            key: SubscriptionKey(
                store: .stripe,
                environment: environment,
                originalID: subscription.text
            )
        )
        fact.user = UserFact(user: user, version: saying.version())
        return fact
    }
}
