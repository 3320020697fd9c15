import AppStoreSimulator
import JSON

// What happens to customers, and what Stripe tells of it. Moments are seconds since 1970.
extension StripeBooks {
    /// Lets `action` happen to a customer; the events that tell of it, which the books keep, too.
    package mutating func perform(
        _ action: StripeAction,
        _ customer: String,
        _ words: StripeWords,
        at now: Int64
    ) throws(StripeRefusal) -> [KeptEvent] {
        let first = events.count
        switch action {
        case .subscribe: try subscribe(customer, words, at: now)
        case .subscribeUnpaid: try subscribe(customer, words, isPaid: false, at: now)
        case .buy, .buyLater: try buy(customer, words, isPaid: action == .buy, at: now)
        case .leave: try leave(customer, words, at: now)
        case .pay, .failToPay: try settleVisit(of: customer, isPaid: action == .pay, at: now)
        case .refund, .refundHalf, .failRefund: try refund(action, of: customer, at: now)
        case .dispute, .inquire, .contest, .loseDispute, .winDispute, .closeInquiry:
            try dispute(action, of: customer, at: now)
        case .renew, .cancel, .cancelInPortal, .keep, .cancelNow, .expire, .failToRenew, .recover,
            .giveUp, .cancelUnpaid, .pause, .unpause, .endTrial, .endTrialUnpaid, .resume, .change,
            .pauseCollection, .voidInvoice, .warnOfTrialEnd, .deleteCustomer, .confirm, .abandon,
            .proposeChange, .applyChange, .dropChange, .markUncollectible, .overpay,
            .pauseSubscription:
            guard var sold = newest(of: customer) else {
                throw StripeRefusal("\(customer) has no subscription")
            }
            guard sold.isLive else { throw StripeRefusal("\(customer)'s subscription is over") }
            try change(&sold, action, words, at: now)
        }
        return Array(events[first...])
    }

    mutating func tell(_ type: String, _ make: (Bool) -> String, at now: Int64) {
        events.append(
            KeptEvent(
                id: fresh("evt"),
                type: type,
                created: now,
                object: make(settings.writesOldShapes),
                objectNow: make(false)
            )
        )
    }

    private mutating func tell(_ type: String, _ sold: SoldSubscription, at now: Int64) {
        subscriptions[sold.id] = sold
        let settings = settings
        tell("customer.subscription." + type, { text(sold.json(settings, isOld: $0)) }, at: now)
        if ["created", "updated", "deleted"].contains(type) { tellFeatures(of: sold, at: now) }
    }

    private mutating func tell(_ type: String, _ visit: SoldVisit, at now: Int64) {
        visits[visit.id] = visit
        let settings = settings
        tell("checkout.session." + type, { _ in text(visit.json(settings)) }, at: now)
    }

    /// The invoice of the present period of `sold`, not yet charged.
    private mutating func draft(
        of sold: inout SoldSubscription,
        _ reason: String,
        _ status: String,
        at now: Int64
    ) -> SoldInvoice {
        let invoice = SoldInvoice(
            id: fresh("in"),
            subscription: sold.id,
            customer: sold.customer,
            reason: reason,
            created: now,
            start: sold.start,
            end: sold.end,
            price: sold.price,
            user: sold.user,
            status: status,
            payment: nil
        )
        sold.latestInvoice = invoice.id
        return invoice
    }

    /// Bills the present period of `sold`.
    private mutating func bill(
        _ sold: inout SoldSubscription,
        _ reason: String,
        isPaid: Bool,
        at now: Int64
    ) {
        var invoice = draft(of: &sold, reason, "open", at: now)
        if isPaid { pay(&invoice, at: now) }
        tell(isPaid ? "invoice.paid" : "invoice.payment_failed", invoice, at: now)
        if !isPaid, reason == "subscription_create" {
            tellBeside("invoice.payment_action_required", invoice, at: now)
        }
    }

    private mutating func tell(_ type: String, _ invoice: SoldInvoice, at now: Int64) {
        invoices[invoice.id] = invoice
        let settings = settings
        tell(type, { text(invoice.json(settings, isOld: $0)) }, at: now)
        if type == "invoice.paid" { tellPayment(of: invoice, at: now) }
    }

    private mutating func pay(_ invoice: inout SoldInvoice, at now: Int64) {
        invoice.status = "paid"
        invoice.payment = charge(invoice.customer, invoice.price.amount, at: now)
    }

    /// Takes money; the payment's id.
    private mutating func charge(_ customer: String, _ amount: Int64, at now: Int64) -> String {
        let charge = SoldCharge(
            id: fresh("ch"),
            payment: fresh("pi"),
            customer: customer,
            amount: amount,
            created: now
        )
        charges[charge.id] = charge
        return charge.payment
    }

    private mutating func subscribe(
        _ customer: String,
        _ words: StripeWords,
        isPaid: Bool = true,
        at now: Int64
    ) throws(StripeRefusal) {
        let price = try settings.price(words.price ?? settings.prices.first?.lookupKey ?? "")
        guard price.months > 0 else { throw StripeRefusal("\(price.lookupKey) is bought once") }
        let user = words.user ?? customer
        var sold = SoldSubscription(
            id: fresh("sub"),
            customer: customer,
            price: price,
            user: words.naming == .metadata ? user : nil,
            created: now,
            start: now,
            end: now + settings.seconds(months: words.isTrial ? 1 : price.months),
            status: !isPaid ? "incomplete" : words.isTrial ? "trialing" : "active"
        )
        guard isPaid else {
            bill(&sold, "subscription_create", isPaid: false, at: now)
            tell("created", sold, at: now)
            return
        }
        if words.isTrial { sold.trialEnd = sold.end }
        let visit = SoldVisit(
            id: fresh("cs"),
            customer: customer,
            price: price,
            quantity: 1,
            created: now,
            reference: words.naming == .nowhere ? nil : user,
            user: nil,
            subscription: sold.id,
            payment: nil,
            paymentStatus: words.isTrial ? "no_payment_required" : "paid"
        )
        if !words.isTrial { bill(&sold, "subscription_create", isPaid: true, at: now) }
        tell("created", sold, at: now)
        tell("completed", visit, at: now)
    }

    private mutating func buy(
        _ customer: String,
        _ words: StripeWords,
        isPaid: Bool,
        at now: Int64
    ) throws(StripeRefusal) {
        let usual = settings.prices.first { $0.months == 0 }?.lookupKey
        let price = try settings.price(words.price ?? usual ?? "")
        guard price.months == 0 else {
            throw StripeRefusal("\(price.lookupKey) is no single thing")
        }
        let user = words.user ?? customer
        let amount = price.amount * words.quantity
        let visit = SoldVisit(
            id: fresh("cs"),
            customer: customer,
            price: price,
            quantity: words.quantity,
            created: now,
            reference: words.naming == .nowhere ? nil : user,
            user: words.naming == .metadata ? user : nil,
            payment: isPaid ? charge(customer, amount, at: now) : nil,
            paymentStatus: isPaid ? "paid" : "unpaid"
        )
        tell("completed", visit, at: now)
    }

    private mutating func leave(
        _ customer: String,
        _ words: StripeWords,
        at now: Int64
    ) throws(StripeRefusal) {
        let price = try settings.price(words.price ?? settings.prices.first?.lookupKey ?? "")
        var visit = SoldVisit(
            id: fresh("cs"),
            customer: customer,
            price: price,
            quantity: 1,
            created: now,
            reference: words.user ?? customer,
            user: nil,
            paymentStatus: "unpaid"
        )
        visit.status = "expired"
        tell("expired", visit, at: now)
    }

    private mutating func settleVisit(
        of customer: String,
        isPaid: Bool,
        at now: Int64
    ) throws(StripeRefusal) {
        guard var visit = newestPurchase(of: customer), visit.paymentStatus == "unpaid",
            visit.status == "complete"
        else {
            throw StripeRefusal("\(customer) owes nothing")
        }
        guard isPaid else {
            tell("async_payment_failed", visit, at: now)
            return
        }
        visit.payment = charge(customer, visit.price.amount * visit.quantity, at: now)
        visit.paymentStatus = "paid"
        tell("async_payment_succeeded", visit, at: now)
    }

    private func lastCharge(of customer: String) throws(StripeRefusal) -> SoldCharge {
        guard let charge = newestCharge(of: customer) else {
            throw StripeRefusal("\(customer) has paid nothing")
        }
        return charge
    }

    private mutating func refund(
        _ action: StripeAction,
        of customer: String,
        at now: Int64
    ) throws(StripeRefusal) {
        var charge = try lastCharge(of: customer)
        let settings = settings
        if action == .failRefund {
            guard let last = charge.refunds.indices.last, !charge.refunds[last].hasFailed else {
                throw StripeRefusal("nothing went back")
            }
            charge.refunds[last].hasFailed = true
            charges[charge.id] = charge
            let refund = charge.json(of: charge.refunds[last])
            tell("refund.failed", { _ in text(refund) }, at: now)
            for type in ["refund.updated", "charge.refund.updated"] {
                tellBeside(type, refund, at: now)
            }
            return
        }
        let rest = charge.amount - charge.refunded
        guard rest > 0 else { throw StripeRefusal("all of it went back") }
        let amount = action == .refund ? rest : min(rest, charge.amount / 2)
        let refund = SoldCharge.Refund(id: fresh("re"), amount: amount, created: now)
        charge.refunds.append(refund)
        charges[charge.id] = charge
        let whole = charge.json(settings)
        tell("charge.refunded", { _ in text(whole) }, at: now)
        tellBeside("refund.created", charge.json(of: refund), at: now)
    }

    private mutating func dispute(
        _ action: StripeAction,
        of customer: String,
        at now: Int64
    ) throws(StripeRefusal) {
        var charge = try lastCharge(of: customer)
        let isBegin = action == .dispute || action == .inquire
        let states: [String?] =
            switch action {
            case .dispute: [nil, "warning_needs_response"]
            case .inquire: [nil]
            case .contest: ["needs_response"]
            case .closeInquiry: ["warning_needs_response"]
            default: ["needs_response", "under_review"]
            }
        guard states.contains(charge.dispute) else {
            throw StripeRefusal(isBegin ? "it was disputed before" : "no open dispute")
        }
        let isNew = charge.dispute == nil
        charge.dispute =
            switch action {
            case .dispute: "needs_response"
            case .inquire: "warning_needs_response"
            case .contest: "under_review"
            case .closeInquiry: "warning_closed"
            case .loseDispute: "lost"
            default: "won"
            }
        if isNew { charge.disputed = now }
        charges[charge.id] = charge
        let dispute = charge.disputeJSON(settings)
        let type = isNew ? "created" : isBegin || action == .contest ? "updated" : "closed"
        tell("charge.dispute." + type, { _ in text(dispute) }, at: now)
        switch action {
        case .dispute: tellBeside("charge.dispute.funds_withdrawn", dispute, at: now)
        case .winDispute: tellBeside("charge.dispute.funds_reinstated", dispute, at: now)
        default: break
        }
    }

    private func demand(
        _ condition: Bool,
        _ sold: SoldSubscription,
        _ what: String
    ) throws(StripeRefusal) {
        if !condition { throw StripeRefusal("\(sold.customer)'s subscription \(what)") }
    }

    private mutating func change(
        _ sold: inout SoldSubscription,
        _ action: StripeAction,
        _ words: StripeWords,
        at now: Int64
    ) throws(StripeRefusal) {
        let goesOn = sold.status == "active" || sold.status == "trialing"
        switch action {
        case .renew, .failToRenew:
            try demand(sold.status == "active" && !sold.isEnding, sold, "does not renew")
            begin(&sold, isPaid: action == .renew, at: now)
        case .cancel, .cancelInPortal:
            try demand(goesOn && !sold.isEnding, sold, "does not go on")
            sold.cancelAtPeriodEnd = action == .cancel
            sold.cancelAt = sold.end
            sold.canceledAt = now
            sold.endReason = "cancellation_requested"
            tell("updated", sold, at: now)
        case .keep:
            try demand(sold.isEnding, sold, "has no end")
            (sold.cancelAtPeriodEnd, sold.cancelAt) = (false, nil)
            (sold.canceledAt, sold.endReason) = (nil, nil)
            tell("updated", sold, at: now)
        case .cancelNow: end(&sold, "cancellation_requested", at: now)
        case .expire:
            try demand(sold.isEnding, sold, "has no end")
            end(&sold, "cancellation_requested", at: now)
        case .pause, .pauseCollection, .unpause:
            try demand((sold.pause == nil) == (action != .unpause), sold, "cannot do that now")
            sold.pause =
                switch action {
                case .pause: "void"
                case .pauseCollection: "keep_as_draft"
                default: nil
                }
            tell("updated", sold, at: now)
        case .warnOfTrialEnd:
            try demand(sold.status == "trialing", sold, "is no trial")
            tell("trial_will_end", sold, at: now)
        case .deleteCustomer:
            end(&sold, "cancellation_requested", at: now)
            let customer: JSONObject = [
                "id": .string("cus_" + sold.customer), "object": "customer", "deleted": true,
            ]
            tell("customer.deleted", { _ in text(customer) }, at: now)
        case .change, .proposeChange:
            try demand(goesOn, sold, "does not go on")
            let price = try settings.price(words.price ?? "premium")
            try demand(price.months > 0 && price != sold.price, sold, "cannot change to that")
            if action == .proposeChange {
                sold.proposed = price
            } else {
                sold.price = price
            }
            tell("updated", sold, at: now)
        case .applyChange, .dropChange:
            guard let price = sold.proposed else { throw StripeRefusal("nothing was proposed") }
            if action == .applyChange { sold.price = price }
            sold.proposed = nil
            let type = action == .applyChange ? "pending_update_applied" : "pending_update_expired"
            tell(type, sold, at: now)
        default: try settle(&sold, action, at: now)
        }
    }

    /// Pays the newest invoice of a subscription, which goes on with it.
    private mutating func payNewest(of sold: inout SoldSubscription, at now: Int64) {
        sold.status = "active"
        if var invoice = invoices[sold.latestInvoice] {
            pay(&invoice, at: now)
            tell("invoice.paid", invoice, at: now)
        }
        tell("updated", sold, at: now)
    }

    /// The ends of trials, and what becomes of invoices that were not paid.
    private mutating func settle(
        _ sold: inout SoldSubscription,
        _ action: StripeAction,
        at now: Int64
    ) throws(StripeRefusal) {
        switch action {
        case .recover:
            let owes = sold.status == "past_due" || sold.status == "unpaid"
            try demand(owes, sold, "owes nothing")
            payNewest(of: &sold, at: now)
        case .confirm:
            try demand(sold.status == "incomplete", sold, "waits for nothing")
            payNewest(of: &sold, at: now)
        case .abandon:
            try demand(sold.status == "incomplete", sold, "waits for nothing")
            sold.status = "incomplete_expired"
            sold.endedAt = now
            tell("updated", sold, at: now)
        case .voidInvoice, .markUncollectible:
            try demand(sold.status == "past_due", sold, "owes nothing")
            guard var invoice = invoices[sold.latestInvoice] else { return }
            invoice.status = action == .voidInvoice ? "void" : "uncollectible"
            let type = action == .voidInvoice ? "voided" : "marked_uncollectible"
            tell("invoice." + type, invoice, at: now)
            sold.status = "active"
            tell("updated", sold, at: now)
        case .overpay:
            guard let invoice = invoices[sold.latestInvoice], invoice.status == "paid" else {
                throw StripeRefusal("nothing is paid")
            }
            tell("invoice.overpaid", invoice, at: now)
        case .giveUp:
            try demand(sold.status == "past_due", sold, "owes nothing")
            sold.status = "unpaid"
            tell("updated", sold, at: now)
        case .cancelUnpaid:
            let owes = sold.status == "past_due" || sold.status == "unpaid"
            try demand(owes, sold, "owes nothing")
            end(&sold, "payment_failed", at: now)
        case .endTrial:
            try demand(sold.status == "trialing", sold, "is no trial")
            sold.status = "active"
            begin(&sold, isPaid: true, at: now)
        case .endTrialUnpaid:
            try demand(sold.status == "trialing", sold, "is no trial")
            sold.status = "paused"
            tell("paused", sold, at: now)
        case .pauseSubscription:
            try demand(["active", "past_due"].contains(sold.status), sold, "is not served")
            (sold.status, sold.end) = ("paused", max(sold.start, min(sold.end, now)))
            tell("paused", sold, at: now)
        case .resume:
            try demand(sold.status == "paused", sold, "is not paused")
            sold.status = "active"
            sold.start = now
            sold.end = now + settings.seconds(months: sold.price.months)
            bill(&sold, "subscription_update", isPaid: true, at: now)
            tell("resumed", sold, at: now)
        default: throw StripeRefusal("\(action.rawValue) happens to no subscription")
        }
    }

    /// The next period: an invoice, and the subscription behind it.
    private mutating func begin(
        _ sold: inout SoldSubscription,
        isPaid: Bool,
        at now: Int64
    ) {
        tellUpcoming(of: sold, at: now)
        // Periods that nobody billed, as while collection was paused, are over.
        let length = settings.seconds(months: sold.price.months)
        sold.start = sold.end + max(0, (now - sold.end) / length) * length
        sold.end = sold.start + length
        if isPaid {
            bill(&sold, "subscription_cycle", isPaid: true, at: now)
        } else {
            failToBill(&sold, at: now)
        }
        tell("updated", sold, at: now)
    }

    /// A renewal is active for an hour, while its invoice is a draft; then the card is charged.
    private mutating func failToBill(_ sold: inout SoldSubscription, at now: Int64) {
        let begun = min(now, max(sold.start, now - settings.draftSeconds))
        var invoice = draft(of: &sold, "subscription_cycle", "draft", at: begun)
        tellBeside("invoice.created", invoice, at: begun)
        tell("updated", sold, at: begun)
        invoice.status = "open"
        sold.status = "past_due"
        tell("invoice.payment_failed", invoice, at: now)
    }

    private mutating func end(_ sold: inout SoldSubscription, _ reason: String, at now: Int64) {
        sold.status = "canceled"
        sold.canceledAt = sold.canceledAt ?? now
        sold.endedAt = now
        sold.endReason = reason
        tell("deleted", sold, at: now)
    }
}
