/// What the customer decides about the next period.
extension Subscriber {
    /// Renewal is turned off: DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED.
    ///
    /// After a notice of a higher price the subtype is missing.
    package mutating func cancel(
        afterPriceIncrease: Bool = false,
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let (current, _, state) = try line(at: till.now)
        guard state.isOn, state.isCommitmentOn != false else {
            throw StoreRefusal("\(name) has turned renewal off already")
        }
        if state.isCommitmentOn == nil { renewal?.isOn = false } else { turnCommitment(on: false) }
        let subtype = afterPriceIncrease ? nil : "AUTO_RENEW_DISABLED"
        return notice(NoticeKind("DID_CHANGE_RENEWAL_STATUS", subtype), current, till)
    }

    /// Renewal is turned on again: DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED.
    package mutating func resume(_ till: inout Till) throws(StoreRefusal) -> SimulatedNotification {
        let (current, _, state) = try paidLine(at: till.now)
        guard !state.isOn || state.isCommitmentOn == false else {
            throw StoreRefusal("\(name) has not turned renewal off")
        }
        if state.isCommitmentOn == nil { renewal?.isOn = true } else { turnCommitment(on: true) }
        return notice(
            NoticeKind("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED"),
            current,
            till
        )
    }

    /// To a lower product, or one of another period, at the next renewal: nothing changes now.
    ///
    /// DID_CHANGE_RENEWAL_PREF/DOWNGRADE, or OFFER_REDEEMED/DOWNGRADE with an offer. Turns renewal
    /// on.
    package mutating func downgrade(
        to name: String,
        offer: Offer? = nil,
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let (product, period) = try till.settings.subscription(name)
        let (current, _, state) = try paidLine(at: till.now)
        guard state.isCommitmentOn == nil else {
            throw StoreRefusal("\(name) has promised to pay for a year")
        }
        let isCrossgrade =
            product.rank == current.product.rank && period != current.product.period
        guard product.id != current.product.id,
            product.rank < current.product.rank || isCrossgrade
        else { throw StoreRefusal("\(product.id) is no downgrade of \(current.product.id)") }
        renewal?.productID = product.id
        renewal?.isOn = true
        renewal?.offer = offer
        let type = offer == nil ? "DID_CHANGE_RENEWAL_PREF" : "OFFER_REDEEMED"
        return notice(NoticeKind(type, "DOWNGRADE"), current, till)
    }

    /// The downgrade is taken back: DID_CHANGE_RENEWAL_PREF.
    package mutating func cancelDowngrade(
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let (current, _, state) = try paidLine(at: till.now)
        guard state.productID != current.product.id else {
            throw StoreRefusal("\(name) is not about to change products")
        }
        renewal?.productID = current.product.id
        renewal?.offer = nil
        return notice(NoticeKind("DID_CHANGE_RENEWAL_PREF"), current, till)
    }

    /// An offer for the next period of the same product: OFFER_REDEEMED.
    package mutating func redeem(
        _ offer: Offer,
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let current = try paidLine(at: till.now).current
        renewal?.offer = offer
        renewal?.isOn = true
        return notice(NoticeKind("OFFER_REDEEMED"), current, till)
    }

    /// A higher price: PRICE_INCREASE, PENDING until the customer agrees, or ACCEPTED.
    package mutating func raisePrice(
        isAccepted: Bool,
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let current = try line(at: till.now).current
        renewal?.priceIncrease = isAccepted ? 1 : 0
        return notice(
            NoticeKind("PRICE_INCREASE", isAccepted ? "ACCEPTED" : "PENDING"),
            current,
            till
        )
    }
}
