import Entitlements

/// The facts that a subscription states.
///
/// Stripe's status decides about access, and not only the period: a subscription that was ended
/// immediately has a period that ends later, and one whose payment failed has already moved on to
/// the unpaid period.
extension StripeSubscription {
    /// The key of the subscription.
    package var key: SubscriptionKey {
        SubscriptionKey(store: .stripe, environment: environment, originalID: id.text)
    }

    /// The fact that states the whole subscription.
    ///
    /// - Parameters:
    ///   - saying: the statement that contains it.
    ///   - rules: the configured rules.
    ///   - unpaid: since when something is unpaid, if Stripe was asked, and something is.
    ///   - named: the user whom another object names, if the subscription itself names nobody.
    /// - Returns: the fact; nil for an unknown state, so that the stored facts stay.
    func fact(
        _ saying: StripeSaying,
        under rules: StripeRules,
        unpaid: StripeUnpaid? = nil,
        named: UserID? = nil
    ) -> Fact? {
        guard let code else { return nil }
        let unpaid = unpaid ?? (isUnpaid ? StripeUnpaid(of: self) : nil)
        let version = saying.version(
            rank: status.rank,
            until: items.map(\.periodEnd).max() ?? .distantPast
        )
        let users = metadata.user(under: rules.userIDMetadata) ?? named
        return Fact(
            snapshotOf: key,
            status: StatusFact(version: version, code, word: word),
            transactions: items.indices.map { place in
                transaction(of: items[place], at: place, version, unpaid)
            },
            renewal: renewal(version, under: rules, unpaid),
            renewalDisabled: isOff || items.contains(where: endsAlone) ? canceledAt : nil,
            user: users.map { UserFact(user: $0, version: saying.version()) }
        )
    }

    /// The ids of the transactions whose periods an invoice paid.
    ///
    /// A change within a period makes another invoice, after which the newest one names the period:
    /// what paid for the period counts under both, and what paid for the change alone is none. A
    /// trial costs nothing: the money was for what else is on its invoice.
    func transactionIDs(paidBy invoice: StripeInvoice) -> [String] {
        let lines = invoice.lines.filter { !$0.isProration }
        let isSomethingPaid = lines.contains { $0.amount ?? 0 > 0 }
        // Where lines are missing, money for the invoice is money for the period.
        let isUnclear = invoice.lines.isEmpty || invoice.isCut
        guard isUnclear || !lines.isEmpty else { return [] }
        return items.indices.flatMap { place in
            let item = items[place]
            let own = transactionID(of: item, at: place, invoice: invoice.id.text)
            // An item may have another price since.
            let byItem = lines.filter { $0.item != nil && $0.item == item.id }
            let named =
                byItem.isEmpty ? lines.filter { $0.price?.id == item.price.id } : byItem
            let paid = items.count == 1 && named.isEmpty ? lines : named
            guard !paid.isEmpty else { return isUnclear ? [own] : [] }
            if isSomethingPaid, paid.allSatisfy({ $0.amount == 0 }) { return [] }
            guard let latestInvoice, latestInvoice != invoice.id,
                paid.contains(where: { $0.periodStart == item.periodStart })
            else { return [own] }
            return [own, transactionID(of: item, at: place, invoice: latestInvoice.text)]
        }
    }

    /// The id of an item's transaction.
    ///
    /// The first item has the id of the invoice itself, by which it can be found in Stripe's
    /// dashboard.
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

    /// The state as it is shown: Stripe's word, and the behaviour of a pause if there is one.
    private var word: String { pause.map { "\(statusWord), \($0.behavior)" } ?? statusWord }

    /// Whether the seller withholds the service.
    ///
    /// Collection can be paused in three ways. According to Stripe's page "Pause payment
    /// collection", voided invoices mean that the service is withheld. With the other two,
    /// customers keep the service.
    private var isWithheld: Bool {
        pause?.behavior == "void" && (status == .active || status == .trialing)
    }

    /// Whether it ends with the present period, or has ended.
    ///
    /// If the end is planned for a later period, the subscription still renews until then.
    private var endsWithPeriod: Bool {
        switch status {
        case .canceled, .incompleteExpired: true
        case .incomplete, .trialing, .active, .pastDue, .unpaid, .paused, .unknown:
            // A subscription with items of different periods goes on until none of them renews.
            if let cancelsAt, let end = items.map(\.periodEnd).min() {
                cancelsAt <= end
            } else {
                false
            }
        }
    }

    /// Whether an item ends with its present period while others go on.
    private func endsAlone(_ item: Item) -> Bool {
        !endsWithPeriod && (cancelsAt.map { $0 <= item.periodEnd } ?? false)
    }

    /// Whether somebody turned renewal off; what ended for another reason was not turned off.
    private var isOff: Bool {
        endsWithPeriod && (status != .canceled || endReason == "cancellation_requested")
    }

    private func transaction(
        of item: Item,
        at place: Int,
        _ version: Version,
        _ unpaid: StripeUnpaid?
    ) -> TransactionFact {
        // Without an invoice, as in a trial that was started by hand, the subscription's own id is
        // used.
        let invoice = latestInvoice?.text ?? id.text
        var fact = TransactionFact(
            id: transactionID(of: item, at: place, invoice: invoice),
            version: version,
            productID: item.price.product.text,
            purchased: item.periodStart
        )
        fact.expires = paidUntil(of: item, unpaid)
        fact.kind = endsAlone(item) ? TransactionFact.endingKind : TransactionFact.renewingKind
        fact.quantity = item.quantity
        fact.reason = item.periodStart <= started ? "PURCHASE" : "RENEWAL"
        let isTrial = isTrial(item)
        if isTrial {
            fact.offerType = 1
            fact.offerDiscount = "FREE_TRIAL"
        }
        fact.terms.variant = item.price.id.text
        fact.terms.lookupKey = item.price.lookupKey
        if let amount = item.price.amount, let currency = item.price.currency {
            let (total, overflow) = amount.multipliedReportingOverflow(by: item.quantity)
            fact.terms.price =
                isTrial ? 0 : overflow ? nil : StripeMoney.thousandths(total, of: currency)
            fact.terms.currency = currency.uppercased()
        }
        return fact
    }

    /// Whether the present period of an item is a free trial.
    ///
    /// The status alone does not say so: a trial that was cancelled has ended, and `paused` is what
    /// was paid, too. The period after a trial begins when that ends, or later.
    private func isTrial(_ item: Item) -> Bool {
        switch status {
        case .trialing: true
        case .paused where pauseReason == .trialEnd: true
        case .paused, .canceled: trialEnds.map { item.periodStart < $0 } ?? false
        case .incomplete, .incompleteExpired, .active, .pastDue, .unpaid, .unknown: false
        }
    }

    /// Whether the state says that something is not paid: Stripe is still trying, or gave up.
    var isUnpaid: Bool {
        switch status {
        case .pastDue: true
        case .canceled: endReason == "payment_failed"
        case .paused: pauseReason == .firstFailure || pauseReason == .finalFailure
        case .incomplete, .incompleteExpired, .trialing, .active, .unpaid, .unknown: false
        }
    }

    /// Whether only the open invoices show what is unpaid.
    ///
    /// A subscription that is past due may be cancelled or paused, and its state no longer says
    /// that it owes something. What Stripe ended for that reason says so itself.
    var owesPerhaps: Bool {
        switch status {
        case .pastDue: true
        case .canceled: endReason != "payment_failed" && !items.contains { isTrial($0) }
        case .paused: !items.contains { isTrial($0) }
        case .incomplete, .incompleteExpired, .trialing, .active, .unpaid, .unknown: false
        }
    }

    /// Until when the present period is paid; nil if nothing was ever paid.
    ///
    /// Of several items one may be paid ahead while another one is past due. A subscription that is
    /// left past due goes on to periods that nobody pays: what is paid ends before them.
    private func paidUntil(of item: Item, _ unpaid: StripeUnpaid?) -> Moment? {
        let end = max(
            item.periodStart,
            min(item.periodEnd, cancelsAt ?? .distantFuture, endedAt ?? .distantFuture)
        )
        switch status {
        case .trialing, .active: return end
        case .canceled where isTrial(item), .paused where isTrial(item):
            return max(item.periodStart, min(end, trialEnds ?? item.periodStart))
        case .pastDue, .canceled, .paused: return min(end, unpaid?.since(item) ?? end)
        case .unpaid: return min(end, item.periodStart)
        case .incomplete, .incompleteExpired, .unknown: return nil
        }
    }

    private func renewal(
        _ version: Version,
        under rules: StripeRules,
        _ unpaid: StripeUnpaid?
    ) -> RenewalFact {
        var fact = RenewalFact(version: version)
        fact.autoRenew = !endsWithPeriod
        if status == .pastDue, let start = unpaid?.earliest {
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
