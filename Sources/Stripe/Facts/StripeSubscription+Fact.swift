import Entitlements

/// What a subscription says, in the words of the core.
///
/// Stripe's state decides about access, not its periods alone: a subscription that was ended at
/// once has a period that ends later, and one whose payment failed has moved on to the period that
/// nobody has paid.
extension StripeSubscription {
    /// How it is known.
    package var key: SubscriptionKey {
        SubscriptionKey(store: .stripe, environment: environment, originalID: id.text)
    }

    /// The whole state.
    ///
    /// - Parameters:
    ///   - saying: when and by what it was said.
    ///   - rules: what the configuration says.
    ///   - unpaidSince: since when something is not paid, where that is known; else it is the start
    ///     of the present period.
    ///   - named: whom something else names, where the subscription itself names nobody.
    /// - Returns: nil where it is a state that is not known here: then what is kept stays.
    func fact(
        _ saying: StripeSaying,
        under rules: StripeRules,
        unpaidSince: Moment? = nil,
        named: UserID? = nil
    ) -> Fact? {
        guard let code else { return nil }
        let version = saying.version(
            rank: status.rank,
            until: items.map(\.periodEnd).max() ?? .distantPast
        )
        let users = metadata.user(under: rules.userIDMetadata) ?? named
        return Fact(
            snapshotOf: key,
            status: StatusFact(version: version, code, word: word),
            transactions: items.indices.map { place in
                transaction(of: items[place], at: place, version, unpaidSince: unpaidSince)
            },
            renewal: renewal(version, under: rules, unpaidSince: unpaidSince),
            renewalDisabled: endsWithPeriod && status != .canceled ? canceledAt : nil,
            user: users.map { UserFact(user: $0, version: saying.version()) }
        )
    }

    /// The ids of the transactions that `fact` states, and that pay for the same invoice.
    ///
    /// The first item has the id of the invoice alone, by which Stripe's pages know it.
    func transactionIDs(of invoice: StripeID) -> [String] {
        items.indices.map { transactionID(of: items[$0], at: $0, invoice: invoice.text) }
    }

    private func transactionID(of item: Item, at place: Int, invoice: String) -> String {
        guard place > 0 else { return invoice }
        return invoice + ":" + (item.id?.text ?? String(place))
    }

    /// What Stripe's state means; nil for one that is not known here.
    private var code: StatusCode? {
        if isWithheld { return .paused }
        return switch status {
        case .trialing, .active: .active
        case .pastDue: .grace
        case .unpaid, .canceled, .incompleteExpired: .expired
        case .incomplete: .pending
        case .paused: .paused
        case .unknown: nil
        }
    }

    /// How the state is shown: Stripe's word, and what else there is to it.
    private var word: String { pause.map { "\(statusWord), \($0.behavior)" } ?? statusWord }

    /// Whether the seller withholds the service.
    ///
    /// Of the three ways in which collection is paused, Stripe's page "Pause payment collection"
    /// means one for that: invoices are voided. With the others customers keep the service.
    private var isWithheld: Bool {
        pause?.behavior == "void" && (status == .active || status == .trialing)
    }

    /// Whether it ends with the present period, or has ended.
    ///
    /// An end that is planned for later does not keep it from renewing until then.
    private var endsWithPeriod: Bool {
        switch status {
        case .canceled, .incompleteExpired: true
        case .incomplete, .trialing, .active, .pastDue, .unpaid, .paused, .unknown:
            if let cancelsAt, let end = items.map(\.periodEnd).max() {
                cancelsAt <= end
            } else {
                false
            }
        }
    }

    private func transaction(
        of item: Item,
        at place: Int,
        _ version: Version,
        unpaidSince: Moment?
    ) -> TransactionFact {
        // Before there is any invoice, as in a trial that was begun by hand, it is about itself.
        let invoice = latestInvoice?.text ?? id.text
        var fact = TransactionFact(
            id: transactionID(of: item, at: place, invoice: invoice),
            version: version,
            productID: item.price.product.text,
            purchased: item.periodStart
        )
        fact.expires = paidUntil(of: item, unpaidSince: unpaidSince)
            .map { max(item.periodStart, $0) }
        fact.kind = TransactionFact.renewingKind
        fact.quantity = item.quantity
        fact.reason = item.periodStart <= started ? "PURCHASE" : "RENEWAL"
        if status == .trialing || status == .paused {
            fact.offerType = 1
            fact.offerDiscount = "FREE_TRIAL"
        }
        fact.terms.variant = item.price.id.text
        fact.terms.lookupKey = item.price.lookupKey
        if let amount = item.price.amount, let currency = item.price.currency {
            let (total, overflow) = amount.multipliedReportingOverflow(by: item.quantity)
            fact.terms.price = overflow ? nil : StripeMoney.thousandths(total, of: currency)
            fact.terms.currency = currency.uppercased()
        }
        return fact
    }

    /// Until when the present period is paid; nil where nothing ever was.
    private func paidUntil(of item: Item, unpaidSince: Moment?) -> Moment? {
        let end = min(item.periodEnd, cancelsAt ?? .distantFuture, endedAt ?? .distantFuture)
        switch status {
        case .trialing, .active, .canceled: return end
        case .paused: return min(end, trialEnds ?? item.periodStart)
        case .pastDue, .unpaid: return min(end, unpaidSince ?? item.periodStart)
        case .incomplete, .incompleteExpired, .unknown: return nil
        }
    }

    private func renewal(
        _ version: Version,
        under rules: StripeRules,
        unpaidSince: Moment?
    ) -> RenewalFact {
        var fact = RenewalFact(version: version)
        fact.autoRenew = !endsWithPeriod
        if status == .pastDue, let start = unpaidSince ?? items.map(\.periodStart).max() {
            fact.isInBillingRetry = true
            let grace = start.advanced(byMilliseconds: rules.pastDueGraceMilliseconds)
            fact.graceUntil = min(grace, cancelsAt ?? .distantFuture)
        }
        if let pause { fact.terms.resumes = pause.resumesAt }
        if !endsWithPeriod { fact.renewalDate = items.map(\.periodEnd).min() }
        switch endReason {
        case "cancellation_requested": fact.expirationIntent = 1
        case "payment_failed", "payment_disputed": fact.expirationIntent = 2
        default: break
        }
        return fact
    }
}
