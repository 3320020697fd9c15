import Entitlements

/// Questions about visits to the payment page, payments and charges.
extension StripeAPI {
    /// Asks what was bought in a visit to the payment page.
    ///
    /// - Parameters:
    ///   - id: the visit.
    ///   - returned: the returned money.
    /// - Returns: the question; its answer is the facts to store.
    func checkout(
        _ id: StripeID,
        returned: ReturnedMoney? = nil
    ) -> StoreQuestion<[Fact]> {
        let query = [
            (name: "expand[]", value: "line_items"), (name: "expand[]", value: "subscription"),
        ]
        return asking(get("/v1/checkout/sessions/\(id)", query)) {
            (object, now) throws(ShapeFault) in
            let visit = try StripeCheckout(object)
            var inquiry = CheckoutInquiry(
                visit: visit,
                saying: StripeSaying(object, at: now),
                returned: returned
            )
            switch visit.mode {
            case .subscription:
                guard visit.subscription != nil else { return .answer([]) }
                guard let whole = object.expanded("subscription") else {
                    throw ShapeFault("subscription")
                }
                var subscription = try SubscriptionInquiry(whole, at: now)
                subscription.naming = .asked(visit.user(under: rules.userIDMetadata))
                subscription.returned = returned
                inquiry.subscription = subscription
            case .payment: break
            case .other: return .answer([])
            }
            if let list = object.expanded("line_items") {
                return try inquiry.reading(self, behind: list)
            }
            guard let subscription = inquiry.subscription else { throw ShapeFault("line_items") }
            return subscription.reading(self)
        }
    }

    /// Asks for the next lines of a visit that has many.
    fileprivate func lines(
        _ inquiry: CheckoutInquiry,
        behind last: StripeID
    ) -> StoreQuestion<[Fact]> {
        let query = [
            (name: "limit", value: "100"), (name: "starting_after", value: last.text),
        ]
        return asking(get("/v1/checkout/sessions/\(inquiry.visit.id)/line_items", query)) {
            (list, _) throws(ShapeFault) in
            var next = inquiry
            try next.visit.add(list)
            return try next.reading(self, behind: list)
        }
    }

    /// Asks what a charge paid for, and how much of it was returned.
    func charge(_ id: StripeID) -> StoreQuestion<[Fact]> {
        asking(get("/v1/charges/\(id)", [(name: "expand[]", value: "refunds")])) {
            (object, now) throws(ShapeFault) in
            let inquiry = try ChargeInquiry(object, at: now)
            guard inquiry.charge.isDisputed else { return inquiry.reading(self, disputes: []) }
            return .ask(disputes(inquiry))
        }
    }

    private func disputes(_ inquiry: ChargeInquiry) -> StoreQuestion<[Fact]> {
        let query = [
            (name: "charge", value: inquiry.charge.id.text), (name: "limit", value: "100"),
        ]
        return asking(get("/v1/disputes", query)) { (list, _) throws(ShapeFault) in
            var found: [StripeDispute] = []
            for object in try list.elements() { found.append(try StripeDispute(object)) }
            return inquiry.reading(self, disputes: found)
        }
    }

    /// Asks what a payment paid for, and how much of it was returned.
    func payment(_ id: StripeID) -> StoreQuestion<[Fact]> {
        asking(get("/v1/payment_intents/\(id)")) { (object, now) throws(ShapeFault) in
            guard let charge = try StripePaymentIntent(object).latestCharge else {
                return .ask(bought(with: id, nil))
            }
            return .ask(self.charge(charge))
        }
    }

    /// Asks for the invoices that a payment paid, or, if there are none, the visit in which it was
    /// made.
    fileprivate func paid(
        with payment: StripeID,
        _ returned: ReturnedMoney
    ) -> StoreQuestion<[Fact]> {
        let query = [
            (name: "payment[type]", value: "payment_intent"),
            (name: "payment[payment_intent]", value: payment.text),
            (name: "expand[]", value: "data.invoice"), (name: "limit", value: "100"),
        ]
        return asking(get("/v1/invoice_payments", query)) { (list, _) throws(ShapeFault) in
            for object in try list.elements() {
                guard let whole = object.expanded("invoice") else { throw ShapeFault("invoice") }
                let invoice = try StripeInvoice(whole)
                guard let subscription = invoice.subscription else { continue }
                var returned = returned
                returned.invoice = invoice
                guard invoice.billingReason == "subscription_create" else {
                    return .ask(self.subscription(subscription, returned: returned))
                }
                return .ask(begun(subscription, returned))
            }
            return .ask(bought(with: payment, returned))
        }
    }

    /// Asks for the visit that began a subscription, since its first invoice may have paid for
    /// more; without one, for the subscription alone.
    private func begun(
        _ subscription: StripeID,
        _ returned: ReturnedMoney
    ) -> StoreQuestion<[Fact]> {
        let query = [(name: "subscription", value: subscription.text), (name: "limit", value: "1")]
        let visit: StoreQuestion<StripeID?> = asking(get("/v1/checkout/sessions", query)) {
            (list, _) throws(ShapeFault) in
            .answer(try list.elements().first?.id())
        }
        return visit.settled { answer in
            guard case .success(let visit?) = answer else {
                return .ask(self.subscription(subscription, returned: returned))
            }
            return .ask(checkout(visit, returned: returned))
        }
    }

    private func bought(
        with payment: StripeID,
        _ returned: ReturnedMoney?
    ) -> StoreQuestion<[Fact]> {
        let query = [(name: "payment_intent", value: payment.text), (name: "limit", value: "1")]
        return asking(get("/v1/checkout/sessions", query)) { (list, _) throws(ShapeFault) in
            guard let visit = try list.elements().first else { return .answer([]) }
            return .ask(checkout(try visit.id(), returned: returned))
        }
    }
}

/// What the answers so far say about a visit.
struct CheckoutInquiry: Sendable {
    var visit: StripeCheckout
    let saying: StripeSaying
    let returned: ReturnedMoney?
    /// The subscription that was made in it.
    var subscription: SubscriptionInquiry?

    /// The question for the next lines, or the facts; `list` is the part of the lines that came
    /// last.
    fileprivate func reading(
        _ api: StripeAPI,
        behind list: StripeObject
    ) throws(ShapeFault) -> StoreReading<[Fact]> {
        if try list.flag("has_more") == true, let last = visit.lines?.last,
            visit.lines?.count ?? 0 < StripeLimits.linesMax
        {
            return .ask(api.lines(self, behind: last.id))
        }
        let user = subscription?.subscription.metadata.user(under: api.rules.userIDMetadata)
        var fact = visit.purchase(saying, under: api.rules, named: user)
        if let returned {
            fact?.revocations = returned.withdrawal.packFacts(
                of: visit.transactionIDs,
                returned.version
            )
        }
        let facts = fact.map { [$0] } ?? []
        guard let subscription else { return .answer(facts) }
        switch subscription.reading(api) {
        case .answer(let stated): return .answer(stated + facts)
        case .ask(let question): return .ask(question.then { .answer($0 + facts) })
        }
    }
}

/// What the answers so far say about a charge.
struct ChargeInquiry: Sendable {
    let charge: StripeCharge
    private let saying: StripeSaying
    private let refundedAt: Moment

    /// Begins with Stripe's answer: this charge, with its refunds.
    init(_ object: StripeObject, at now: Moment) throws(ShapeFault) {
        charge = try StripeCharge(object)
        saying = StripeSaying(object, at: now)
        var last = charge.created
        for refund in try object.list("refunds") ?? [] {
            let status = try StripeRefund(refund).status
            guard status != "failed", status != "canceled" else { continue }
            if let made = try refund.moment("created") { last = max(last, made) }
        }
        refundedAt = last
    }

    /// The next question.
    fileprivate func reading(
        _ api: StripeAPI,
        disputes: [StripeDispute]
    ) -> StoreReading<[Fact]> {
        guard let payment = charge.paymentIntent else { return .answer([]) }
        let withdrawal = StripeWithdrawal(
            of: charge,
            disputes: disputes,
            refundedAt: refundedAt,
            under: api.rules
        )
        return .ask(
            api.paid(
                with: payment,
                ReturnedMoney(withdrawal: withdrawal, version: saying.version())
            )
        )
    }
}
