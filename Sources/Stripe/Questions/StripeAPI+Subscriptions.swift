import Entitlements

/// Questions about subscriptions.
extension StripeAPI {
    /// Asks for the state of a subscription.
    ///
    /// - Parameters:
    ///   - id: the subscription.
    ///   - isNamed: whether its user is known, so that the buyer need not be asked for.
    ///   - returned: the returned money for one of its invoices.
    /// - Returns: the question; its answer is the facts to store.
    func subscription(
        _ id: StripeID,
        isNamed: Bool = false,
        returned: ReturnedMoney? = nil
    ) -> StoreQuestion<[Fact]> {
        asking(get("/v1/subscriptions/\(id)")) { (object, now) throws(ShapeFault) in
            var inquiry = try SubscriptionInquiry(object, at: now)
            if isNamed { inquiry.naming = .known }
            inquiry.returned = returned
            return inquiry.reading(self)
        }
    }

    /// Asks since when which items of a subscription are unpaid, which its open invoices show.
    fileprivate func unpaid(
        _ inquiry: SubscriptionInquiry
    ) -> StoreQuestion<[Fact]> {
        let query = [
            (name: "subscription", value: inquiry.subscription.id.text),
            (name: "status", value: "open"), (name: "limit", value: "100"),
        ]
        let open: StoreQuestion<[StripeInvoice]> = asking(get("/v1/invoices", query)) {
            (list, _) throws(ShapeFault) in
            try whole(try list.elements()[...], [])
        }
        return open.orElse([]) { invoices in
            var next = inquiry
            next.unpaid = .asked(inquiry.subscription.unpaid(open: invoices))
            return next.reading(self)
        }
    }

    /// Reads these invoices behind those that are read; asks for each one that has more lines than
    /// a list of invoices shows.
    private func whole(
        _ invoices: ArraySlice<StripeObject>,
        _ read: [StripeInvoice]
    ) throws(ShapeFault) -> StoreReading<[StripeInvoice]> {
        guard let first = invoices.first else { return .answer(read) }
        let rest = invoices.dropFirst()
        guard try first.isCut("lines") else {
            return try whole(rest, read + [StripeInvoice(first)])
        }
        return .ask(
            asking(get("/v1/invoices/\(try first.id())")) { (object, _) throws(ShapeFault) in
                try whole(rest, read + [StripeInvoice(object)])
            }
        )
    }

    /// Asks for the user whom the visit that made a subscription names; for a subscription that
    /// names nobody.
    fileprivate func visit(
        _ inquiry: SubscriptionInquiry
    ) -> StoreQuestion<[Fact]> {
        let query = [
            (name: "subscription", value: inquiry.subscription.id.text),
            (name: "limit", value: "1"),
        ]
        let named: StoreQuestion<UserID?> = asking(get("/v1/checkout/sessions", query)) {
            (list, _) throws(ShapeFault) in
            guard let visit = try list.elements().first else { return .answer(nil) }
            return .answer(try StripeCheckout(visit).user(under: rules.userIDMetadata))
        }
        return named.orElse(nil) { user in
            var next = inquiry
            next.naming = .asked(user)
            return next.reading(self)
        }
    }

    /// Asks for a page on which the customer manages a subscription.
    ///
    /// It is valid for a short while, and made anew each time.
    ///
    /// - Parameters:
    ///   - id: the subscription.
    ///   - returnURL: the address to which the page leads back; nil for the portal's configured
    ///     one.
    ///   - idempotencyKey: a different one for each page.
    /// - Returns: the question; its answer is the page's address.
    func portal(
        of id: StripeID,
        returnURL: String?,
        idempotencyKey: String
    ) -> StoreQuestion<String> {
        asking(get("/v1/subscriptions/\(id)")) { (object, _) throws(ShapeFault) in
            guard let customer = try StripeSubscription(object).customer else {
                throw ShapeFault("customer")
            }
            return .ask(portal(ofCustomer: customer, returnURL, idempotencyKey))
        }
    }

    private func portal(
        ofCustomer customer: StripeID,
        _ returnURL: String?,
        _ idempotencyKey: String
    ) -> StoreQuestion<String> {
        let isAccount = customer.text.hasPrefix("acct_")
        var form = [(name: isAccount ? "customer_account" : "customer", value: customer.text)]
        if let returnURL { form.append((name: "return_url", value: returnURL)) }
        let request = post("/v1/billing_portal/sessions", form, idempotencyKey: idempotencyKey)
        return asking(request) { (session, _) throws(ShapeFault) in
            guard let url = try session.text("url"), url.hasPrefix("https://") else {
                throw ShapeFault("url")
            }
            return .answer(url)
        }
    }
}

/// Returned money, and the invoice that it had paid; nil for what was paid without one.
struct ReturnedMoney: Sendable {
    var withdrawal: StripeWithdrawal
    let version: Version
    var invoice: StripeInvoice?
}

/// What the answers so far say about a subscription.
struct SubscriptionInquiry: Sendable {
    let subscription: StripeSubscription
    private let saying: StripeSaying
    var unpaid: Unpaid = .unasked
    var naming: Naming = .unasked
    var returned: ReturnedMoney?

    /// Since when which of its items are unpaid.
    enum Unpaid: Sendable {
        case unasked
        /// Nil if all of them are paid.
        case asked(StripeUnpaid?)
    }

    /// The user whom its visit to the payment page names.
    enum Naming: Sendable {
        case unasked
        /// It need not be asked for.
        case known
        /// Nil if the visit names nobody, or there was none.
        case asked(UserID?)
    }

    /// Begins with Stripe's answer: this subscription.
    init(_ object: StripeObject, at now: Moment) throws(ShapeFault) {
        subscription = try StripeSubscription(object)
        saying = StripeSaying(object, at: now)
    }

    /// The next question, or the facts.
    func reading(_ api: StripeAPI) -> StoreReading<[Fact]> {
        var known: StripeUnpaid?
        switch unpaid {
        case .asked(let answer): known = answer
        case .unasked where subscription.owesPerhaps: return .ask(api.unpaid(self))
        case .unasked: break
        }
        var named: UserID?
        switch naming {
        case .asked(let user): named = user
        case .known: break
        case .unasked:
            if subscription.metadata.user(under: api.rules.userIDMetadata) == nil {
                return .ask(api.visit(self))
            }
        }
        let stated = subscription.fact(
            saying,
            under: api.rules,
            unpaid: known,
            named: named
        )
        guard var fact = stated ?? returned.map({ _ in Fact(key: subscription.key) }) else {
            return .answer([])
        }
        if let returned, let invoice = returned.invoice {
            fact.revocations = returned.withdrawal.facts(
                of: subscription.transactionIDs(paidBy: invoice),
                returned.version
            )
        }
        return .answer([fact])
    }
}
