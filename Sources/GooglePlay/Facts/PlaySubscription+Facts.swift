import Entitlements

// Turns Google's answer about a subscription into a fact (docs/google-play-facts.md, "States").
extension PlaySubscription {
    /// The fact that this answer states about the purchase `token`; nil if the state is unknown, so
    /// that the stored fact stays until its end.
    ///
    /// Google does not say since when a purchase is pending: it stays what is `kept` of it.
    func fact(
        of token: PurchaseToken,
        _ answer: PlayAnswer,
        after kept: Subscription? = nil
    ) -> Fact? {
        guard let state else { return nil }
        let owned = owned(in: state)
        let isPending = state == .pending || owned.isEmpty && state.isPaid
        let shown = owned.isEmpty ? Array(PlayLineItem.inOrder(items).prefix(1)) : owned
        let code = isPending ? StatusCode.pending : code(in: state, shown, answer)
        let word = AwaitedWord.word(
            stateWord,
            acknowledgement: isUnacknowledged && state.isPaid
        )
        let renewal = renewal(shown, in: state, answer)
        let renews = !isOff(shown, in: state)
        let graceEnd = renewal?.graceUntil
        var fact = Fact(
            snapshotOf: PlayAnswer.key(token, isTest: isTest),
            status: StatusFact(version: answer.version, code, word: word),
            transactions: shown.enumerated()
                .map { number, item in
                    var one = transaction(item, number, of: token, isPending: isPending, answer)
                    // A purchase that was never paid replaces none.
                    if !owned.isEmpty {
                        one.terms.previousOriginalID = (linked ?? former?.token)?.text
                    }
                    if isPending, started == nil, let began = kept?.pendingSince {
                        one.purchased = began
                    }
                    if code == .revoked { one.revoked = answer.asked }
                    if renews, !isPending, item.isEnding { one.kind = TransactionFact.endingKind }
                    // Google shows the end of the grace period, also behind it, in place of the end
                    // of what was paid, which came before.
                    if let graceEnd, let end = one.expires, end <= graceEnd { one.expires = nil }
                    return one
                },
            renewal: renewal,
            renewalDisabled: renews ? nil : disabled
        )
        fact.hasDerivedToken = PlayAnswer.isDerived(fromAccount: accountID ?? former?.accountID)
        return fact
    }

    /// The items that the customer has, in their own order: those for which an order was paid.
    ///
    /// The new product of a deferred replacement is listed before it is owned. Older answers name
    /// only the order of the whole purchase, which then has one item.
    private func owned(in state: SubscriptionState) -> [PlayLineItem] {
        guard state != .pending, state != .pendingPurchaseCanceled else { return [] }
        let paid = items.filter { $0.orderID != nil }
        guard paid.isEmpty, items.count == 1, latestOrderID != nil else {
            return PlayLineItem.inOrder(paid)
        }
        return items
    }

    /// The status of the core for the state of a paid subscription.
    ///
    /// Revoked, charged-back and replaced purchases are also EXPIRED, and their end may still be in
    /// the future.
    private func code(
        in state: SubscriptionState,
        _ shown: [PlayLineItem],
        _ answer: PlayAnswer
    ) -> StatusCode {
        // The clock here may be behind Google's.
        let end = answer.asked.advanced(byMilliseconds: PlayLimits.skewMilliseconds)
        return switch state {
        case .pending: .pending
        case .active, .canceled: .active
        case .inGracePeriod: .grace
        case .onHold: .retry
        case .paused: .paused
        case .pendingPurchaseCanceled: .expired
        case .expired:
            cancellation != .replacement
                && shown.contains { $0.expires.map { $0 > end } ?? false }
                ? .revoked : .expired
        }
    }

    private func transaction(
        _ item: PlayLineItem,
        _ number: Int,
        of token: PurchaseToken,
        isPending: Bool,
        _ answer: PlayAnswer
    ) -> TransactionFact {
        let order = item.orderID ?? latestOrderID ?? token.text
        let payment = OrderID.payment(order)
        var one = TransactionFact(
            id: number == 0 ? order : Self.id(of: item, in: order),
            version: answer.version,
            productID: item.productID,
            purchased: purchased(payment, number, answer)
        )
        one.expires = isPending ? nil : item.expires
        one.kind =
            item.plan == .prepaid ? TransactionFact.prepaidKind : TransactionFact.renewingKind
        // Bought again outside of the app it goes on from the purchase before, whoever has that;
        // Google's word on whose that one was counts only where it is not known.
        let isOfFormer = accountID == nil && former?.token != nil
        one.reason =
            isOfFormer ? TransactionFact.resubscription : payment == 0 ? "PURCHASE" : "RENEWAL"
        one.token = PlayAnswer.token(ofAccount: accountID ?? former?.accountID)
        switch item.phase {
        case .free: (one.offerType, one.offerDiscount) = (1, "FREE_TRIAL")
        case .introductory: (one.offerType, one.offerDiscount) = (1, "INTRODUCTORY_PRICE")
        case .full: break
        }
        one.terms.variant = item.basePlanID
        one.terms.offerID = item.offerID
        one.terms.price = item.phase == .free ? 0 : item.price
        one.terms.currency = item.currency
        one.terms.storefront = region
        return one
    }

    /// The id of an item after the first one, with which it shares the order.
    private static func id(of item: PlayLineItem, in order: String) -> String {
        let id = "\(order):\(item.productID)"
        return id.utf8.count <= PlayLimits.wordBytesMax
            ? id : String(id.suffix(PlayLimits.wordBytesMax))
    }

    /// The beginning of a payment's period.
    ///
    /// Google's answer contains only the beginning of the first period.
    ///
    /// Each later payment is placed one more second after it, so that periods are distinct and in
    /// order, regardless of the order in which answers arrive. The first item is the latest.
    private func purchased(_ payment: Int64, _ number: Int, _ answer: PlayAnswer) -> Moment {
        (started ?? answer.asked)
            .advanced(byMilliseconds: payment * 1_000 - Int64(number))
    }

    private func renewal(
        _ shown: [PlayLineItem],
        in state: SubscriptionState,
        _ answer: PlayAnswer
    ) -> RenewalFact? {
        guard let first = shown.first, state != .pending else { return nil }
        var renewal = RenewalFact(version: answer.version)
        guard first.plan != .prepaid else { return renewal }
        let end = end(of: shown, in: state, answer)
        renewal.autoRenew = !isOff(shown, in: state)
        // One answer for all items: of those that change, the first.
        renewal.nextProductID = shown.lazy.compactMap(\.nextProductID).first
        if renewal.autoRenew == true { renewal.renewalDate = end }
        if isUnpaid(until: end, in: state, answer) { renewal.graceUntil = end }
        if first.endsWithCommitment { renewal.terms.commitmentRenews = false }
        renewal.terms.resumes = resumes
        return renewal
    }

    /// The end that is next: of the items that end before the others, or have ended.
    private func end(
        of shown: [PlayLineItem],
        in state: SubscriptionState,
        _ answer: PlayAnswer
    ) -> Moment? {
        let ends = shown.compactMap(\.expires)
        let past = ends.filter { $0 <= answer.asked }
        // In account hold an item may be paid for longer than those that could not be charged.
        if state == .onHold { return past.max() ?? ends.min() }
        return ends.filter { $0 > answer.asked }.min() ?? past.max()
    }

    /// Whether the end that Google shows may be that of a grace period behind what was paid.
    ///
    /// So it is in account hold, and where Google gave up after it.
    private func isUnpaid(
        until end: Moment?,
        in state: SubscriptionState,
        _ answer: PlayAnswer
    ) -> Bool {
        switch state {
        case .inGracePeriod, .onHold: true
        case .canceled, .expired:
            cancellation == .system && end.map { $0 <= answer.asked } ?? false
        case .active, .pending, .paused, .pendingPurchaseCanceled: false
        }
    }

    /// Whether it will not renew; Google omits `autoRenewEnabled` if it is false.
    ///
    /// Of several items one may have been removed from the end of its period on.
    private func isOff(_ shown: [PlayLineItem], in state: SubscriptionState) -> Bool {
        switch state {
        case .canceled, .expired, .pendingPurchaseCanceled: true
        case .pending: false
        case .active, .inGracePeriod, .onHold, .paused:
            shown.contains { $0.plan == .autoRenewing(isOn: false) }
                && !shown.contains { $0.plan == .autoRenewing(isOn: true) }
        }
    }

    /// When auto-renewal was turned off, which Google says only if the customer did it.
    ///
    /// The time of an answer would not do: another answer has another one, and each would look like
    /// a change. That it is off stands in the renewal.
    private var disabled: Moment? {
        let isPrepaid = items.contains { $0.plan == .prepaid }
        guard !isPrepaid, case .user(let time?) = cancellation else { return nil }
        return PlayTime.moment(time)
    }
}

extension SubscriptionState {
    /// Whether something was paid in this state.
    var isPaid: Bool {
        switch self {
        case .active, .paused, .inGracePeriod, .onHold, .canceled: true
        case .pending, .expired, .pendingPurchaseCanceled: false
        }
    }
}

extension Subscription {
    /// Since when it is known to be pending.
    fileprivate var pendingSince: Moment? {
        status?.code == StatusCode.pending.rawValue ? transactions.last?.purchased : nil
    }
}
