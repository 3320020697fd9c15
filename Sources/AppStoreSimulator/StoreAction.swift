/// What can happen to a customer, by name; for command lines and tables.
package enum StoreAction: String, CaseIterable, Sendable {
    case subscribe
    case resubscribe
    case renew
    case renewEarly = "renew-early"
    case cancel
    case resume
    case failToRenew = "fail-to-renew"
    case recover
    case graceExpires = "grace-expires"
    case expire
    case upgrade
    case downgrade
    case cancelDowngrade = "cancel-downgrade"
    case redeemOffer = "redeem-offer"
    case priceIncrease = "price-increase"
    case refund
    case refundItem = "refund-item"
    case refundDeclined = "refund-declined"
    case refundReversed = "refund-reversed"
    case consumptionRequest = "consumption-request"
    case extend
    case extendFailed = "extend-failed"
    case revoke
    case buy
    case metadataUpdate = "metadata-update"
    case migrate
    case priceChange = "price-change"
}

extension Subscriber {
    /// Does `action`, and yields the notification of it.
    package mutating func perform(
        _ action: StoreAction,
        _ words: ActionWords = ActionWords(),
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let before = transactions + purchases
        let notification = try carryOut(action, words, &till)
        stampChanges(since: before, at: notification.signedDate)
        return notification
    }

    private mutating func carryOut(
        _ action: StoreAction,
        _ words: ActionWords,
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        switch action {
        case .subscribe, .resubscribe: return try subscribe(action, words, &till)
        case .upgrade:
            return try upgrade(
                to: product(words),
                offer: words.offer,
                isMonthly: words.isMonthly,
                &till
            )
        case .downgrade:
            return try downgrade(to: product(words), offer: words.offer, &till)
        case .cancelDowngrade: return try cancelDowngrade(&till)
        case .redeemOffer:
            return try redeem(words.offer ?? Offer(.code, .payAsYouGo, Period(1, .month)), &till)
        case .cancel: return try cancel(afterPriceIncrease: words.isAfterPriceIncrease, &till)
        case .resume: return try resume(&till)
        case .priceIncrease: return try raisePrice(isAccepted: words.isAccepted, &till)
        case .renew: return try renew(&till)
        case .renewEarly: return try renewEarly(&till)
        case .failToRenew:
            return try failToRenew(
                hasGrace: !words.hasNoGrace,
                namesGraceEnd: !words.hasOpenGrace,
                &till
            )
        case .graceExpires: return try graceExpires(&till)
        case .recover: return try recover(&till)
        case .expire: return try expire(words.reason ?? likelyReason, &till)
        case .extend: return try extend(days: words.days, &till)
        case .extendFailed: return try failToExtend(&till)
        case .refund, .refundDeclined, .refundReversed, .consumptionRequest, .revoke:
            return try takeBack(action, words, &till)
        case .buy:
            return try buyOnce(
                product(words),
                quantity: words.quantity,
                isFamilyShared: words.isFamilyShared,
                &till
            )
        case .refundItem: return try refundItem(&till)
        case .metadataUpdate: return try updateMetadata(displayName: words.displayName, &till)
        case .migrate: return try migrate(&till)
        case .priceChange: return try changePrice(to: words.price, &till)
        }
    }

    private mutating func subscribe(
        _ action: StoreAction,
        _ words: ActionWords,
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        if action == .resubscribe, transactions.isEmpty {
            throw StoreRefusal("\(name) was never subscribed")
        }
        let first = till.settings.products.first { $0.kind == .autoRenewable }
        guard let product = words.product ?? renewal?.productID ?? first?.id else {
            throw StoreRefusal("no subscription is sold")
        }
        return try subscribe(
            to: product,
            offer: words.trial.map { .trial($0) } ?? words.offer,
            isFamilyShared: words.isFamilyShared,
            isLegacy: words.isLegacy,
            isMonthly: words.isMonthly,
            &till
        )
    }

    private mutating func takeBack(
        _ action: StoreAction,
        _ words: ActionWords,
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let choice = words.transaction
        switch action {
        case .refund:
            return try refund(
                choice,
                percentage: words.percentage,
                units: words.units,
                &till
            )
        case .refundReversed: return try reverseRefund(choice, &till)
        case .refundDeclined: return try declineRefund(choice, &till)
        case .consumptionRequest:
            return try requestConsumption(choice, reason: words.consumptionReason, &till)
        case .revoke: return try revoke(choice, &till)
        default: preconditionFailure("only what takes back comes here")
        }
    }

    /// Why it would end as things stand.
    private var likelyReason: RenewalState.Intent {
        if renewal?.isInBillingRetry == true { return .billingError }
        return renewal?.isOn == true ? .other : .cancelled
    }

    private func product(_ words: ActionWords) throws(StoreRefusal) -> String {
        guard let product = words.product else { throw StoreRefusal("the product is missing") }
        return product
    }
}
