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
            (name: "expand[]", value: "payment_intent.latest_charge"),
        ]
        return asking(get("/v1/checkout/sessions/\(id)", query)) {
            (object, now) throws(ShapeFault) in
            let visit = try StripeCheckout(object)
            var inquiry = CheckoutInquiry(
                visit: visit,
                saying: StripeSaying(object, at: now),
                returned: returned
            )
            let list = object.expanded("line_items")
            switch visit.mode {
            case .subscription:
                guard let id = visit.subscription else { return .answer([]) }
                guard let whole = object.expanded("subscription"), try !whole.isCut("items") else {
                    return .ask(self.subscription(id, of: inquiry, list))
                }
                try inquiry.take(whole, at: now, under: rules)
            case .payment: break
            case .other: return .answer([])
            }
            return try inquiry.begin(self, list)
        }
    }

    /// Asks for the subscription that was made in a visit, if it did not come with it.
    private func subscription(
        _ id: StripeID,
        of inquiry: CheckoutInquiry,
        _ list: StripeObject?
    ) -> StoreQuestion<[Fact]> {
        asking(get("/v1/subscriptions/\(id)")) { (whole, now) throws(ShapeFault) in
            var next = inquiry
            try next.take(whole, at: now, under: rules)
            return try next.begin(self, list)
        }
    }

    /// Asks for the next lines of a visit that has many; for the first ones if they did not come
    /// with it.
    fileprivate func lines(
        _ inquiry: CheckoutInquiry,
        behind last: StripeID?
    ) -> StoreQuestion<[Fact]> {
        var query = [(name: "limit", value: "100")]
        if let last { query.append((name: "starting_after", value: last.text)) }
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
            return .ask(disputes(of: inquiry.charge) { inquiry.reading(self, disputes: $0) })
        }
    }

    private func disputes(
        of charge: StripeCharge,
        _ use: @escaping @Sendable ([StripeDispute]) -> StoreReading<[Fact]>
    ) -> StoreQuestion<[Fact]> {
        let query = [(name: "charge", value: charge.id.text), (name: "limit", value: "100")]
        let disputes: StoreQuestion<[StripeDispute]> = asking(get("/v1/disputes", query)) {
            (list, _) throws(ShapeFault) in
            var found: [StripeDispute] = []
            for object in try list.elements() { found.append(try StripeDispute(object)) }
            return .answer(found)
        }
        return disputes.orElse([], use)
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
            try reading(try list.elements()[...], of: payment, returned)
        }
    }

    /// The next question about the first of these invoices that is a subscription's; if there is
    /// none, about the visit in which the payment was made.
    private func reading(
        _ payments: ArraySlice<StripeObject>,
        of payment: StripeID,
        _ returned: ReturnedMoney
    ) throws(ShapeFault) -> StoreReading<[Fact]> {
        guard let first = payments.first else { return .ask(bought(with: payment, returned)) }
        let rest = payments.dropFirst()
        if let whole = first.expanded("invoice"), try !whole.isCut("lines") {
            let invoice = try StripeInvoice(whole)
            guard let subscription = invoice.subscription else {
                return try reading(rest, of: payment, returned)
            }
            return .ask(paid(invoice, of: subscription, returned))
        }
        guard let id = try first.reference("invoice") else { throw ShapeFault("invoice") }
        return .ask(
            asking(get("/v1/invoices/\(id)")) { (whole, _) throws(ShapeFault) in
                let invoice = try StripeInvoice(whole)
                guard let subscription = invoice.subscription else {
                    return try reading(rest, of: payment, returned)
                }
                return .ask(paid(invoice, of: subscription, returned))
            }
        )
    }

    /// Asks what an invoice paid for, of which money was returned; first for its other payments, if
    /// it has some.
    private func paid(
        _ invoice: StripeInvoice,
        of subscription: StripeID,
        _ returned: ReturnedMoney
    ) -> StoreQuestion<[Fact]> {
        var returned = returned
        returned.invoice = invoice
        guard let paid = invoice.amountPaid, returned.withdrawal.charged < paid else {
            return sold(to: subscription, by: invoice, returned)
        }
        let query = [
            (name: "invoice", value: invoice.id.text), (name: "limit", value: "100"),
            (name: "expand[]", value: "data.payment.payment_intent.latest_charge"),
        ]
        let request = get("/v1/invoice_payments", query)
        return asking(request) { [returned] (list, _) throws(ShapeFault) in
            var others: Set<StripeCharge> = []
            for object in try list.elements() {
                let intent = try object.object("payment")?.expanded("payment_intent")
                guard let charge = intent?.expanded("latest_charge") else { continue }
                others.insert(try StripeCharge(charge))
            }
            let rest = others.filter { $0.id != returned.withdrawal.id }
                .sorted { $0.id.text < $1.id.text }
            return whole(returned, of: paid, beside: rest[...], []) {
                .ask(sold(to: subscription, by: invoice, $0))
            }
        }
    }

    /// Adds up what was returned of an invoice: beside what is known and these `parts`, of these
    /// charges; of those that are disputed it asks how that stands.
    private func whole(
        _ known: ReturnedMoney,
        of paid: Int64,
        beside others: ArraySlice<StripeCharge>,
        _ parts: [Int64],
        _ use: @escaping @Sendable (ReturnedMoney) -> StoreReading<[Fact]>
    ) -> StoreReading<[Fact]> {
        guard let first = others.first else {
            var returned = known
            returned.withdrawal = known.withdrawal.of(paid, beside: parts)
            return use(returned)
        }
        let rest = others.dropFirst()
        guard first.isDisputed else {
            return whole(known, of: paid, beside: rest, parts + [first.amountRefunded], use)
        }
        return .ask(
            disputes(of: first) { disputes in
                let isTaken = disputes.contains { rules.takesAway($0.status) }
                let returned = isTaken ? first.amount : first.amountRefunded
                return whole(known, of: paid, beside: rest, parts + [returned], use)
            }
        )
    }

    /// Asks what was sold by the invoice of a subscription.
    private func sold(
        to subscription: StripeID,
        by invoice: StripeInvoice,
        _ returned: ReturnedMoney
    ) -> StoreQuestion<[Fact]> {
        guard invoice.billingReason == "subscription_create" else {
            return self.subscription(subscription, returned: returned)
        }
        return begun(subscription, returned)
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
    private var subscription: SubscriptionInquiry?

    init(visit: StripeCheckout, saying: StripeSaying, returned: ReturnedMoney?) {
        self.visit = visit
        self.saying = saying
        self.returned = returned
    }

    /// Takes the subscription that was made in the visit.
    fileprivate mutating func take(
        _ whole: StripeObject,
        at now: Moment,
        under rules: StripeRules
    ) throws(ShapeFault) {
        var inquiry = try SubscriptionInquiry(whole, at: now)
        inquiry.naming = .asked(visit.user(under: rules.userIDMetadata))
        inquiry.returned = returned
        subscription = inquiry
    }

    /// Reads `list`, the first lines; asks for them if they did not come with the visit.
    fileprivate func begin(
        _ api: StripeAPI,
        _ list: StripeObject?
    ) throws(ShapeFault) -> StoreReading<[Fact]> {
        guard let list else { return .ask(api.lines(self, behind: nil)) }
        return try reading(api, behind: list)
    }

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
