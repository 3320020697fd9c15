/// What the customer buys.
extension Subscriber {
    /// The first purchase in the group, or one after a lapse: SUBSCRIBED, with INITIAL_BUY or
    /// RESUBSCRIBE.
    ///
    /// With `isFamilyShared` another family member paid, and it carries no token. With `isLegacy`
    /// it is OFFER_REDEEMED in place of SUBSCRIBED, as before 2024-01-23. With `isMonthly` a year
    /// is promised and paid by the month.
    package mutating func subscribe(
        to name: String,
        offer: Offer? = nil,
        isFamilyShared: Bool = false,
        isLegacy: Bool = false,
        isMonthly: Bool = false,
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let (product, period) = try till.settings.subscription(name)
        let isFirst = transactions.isEmpty
        if let status = status(at: till.now), status == 1 || status == 4 {
            throw StoreRefusal("\(self.name) is subscribed")
        }
        let isFree = offer?.discount == .freeTrial
        let length = isFree ? offer?.period ?? period : period
        if isMonthly { try checkCommitment(to: product, offer) }
        var transaction = self.period(
            of: product,
            from: till.now,
            lasting: till.settings.time.milliseconds(isMonthly ? Period(1, .month) : length),
            offer: offer,
            isFamilyShared: isFamilyShared,
            &till
        )
        if isMonthly { transaction.commit(to: product, after: nil, till.settings.time) }
        transactions.append(transaction)
        renewal = RenewalState(productID: product.id, recentStart: till.now)
        renewal?.isCommitmentOn = isMonthly ? true : nil
        let type = isLegacy ? "OFFER_REDEEMED" : "SUBSCRIBED"
        return notice(NoticeKind(type, isFirst ? "INITIAL_BUY" : "RESUBSCRIBE"), transaction, till)
    }

    /// To a higher product, or another of the same rank and period: at once, the old period
    /// replaced.
    ///
    /// DID_CHANGE_RENEWAL_PREF/UPGRADE, or OFFER_REDEEMED/UPGRADE with an offer. A renewal that was
    /// announced and has not begun is replaced, too; only the history tells of it.
    package mutating func upgrade(
        to name: String,
        offer: Offer? = nil,
        isMonthly: Bool = false,
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let (product, period) = try till.settings.subscription(name)
        let (current, _, state) = try paidLine(at: till.now)
        if isMonthly { try checkCommitment(to: product, offer) }
        let isCrossgrade =
            product.rank == current.product.rank && product.period == current.product.period
        guard product.id != current.product.id,
            product.rank > current.product.rank || isCrossgrade
        else { throw StoreRefusal("\(product.id) is no upgrade of \(current.product.id)") }
        for place in transactions.indices
        where transactions[place].purchaseDate >= current.purchaseDate {
            transactions[place].isUpgraded = true
        }
        var transaction = self.period(
            of: product,
            from: till.now,
            lasting: till.settings.time.milliseconds(isMonthly ? Period(1, .month) : period),
            offer: offer,
            isFamilyShared: current.isFamilyShared,
            &till
        )
        if isMonthly { transaction.commit(to: product, after: nil, till.settings.time) }
        transactions.append(transaction)
        renewal = RenewalState(productID: product.id, recentStart: state.recentStart)
        renewal?.isCommitmentOn = isMonthly ? true : nil
        let type = offer == nil ? "DID_CHANGE_RENEWAL_PREF" : "OFFER_REDEEMED"
        return notice(NoticeKind(type, "UPGRADE"), transaction, till)
    }

    /// Something bought once: ONE_TIME_CHARGE.
    package mutating func buyOnce(
        _ name: String,
        quantity: Int64 = 1,
        isFamilyShared: Bool = false,
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let product = try till.settings.product(name)
        guard product.kind != .autoRenewable else {
            throw StoreRefusal("\(product.id) renews by itself; subscribe to it")
        }
        guard (1...10_000).contains(quantity) else { throw StoreRefusal("no such quantity") }
        let id = till.nextNumber()
        let purchase = SimulatedTransaction(
            id: id,
            originalID: id,
            webOrderLineItemID: id,
            product: product,
            purchaseDate: till.now,
            originalPurchaseDate: till.now,
            expiresDate: nil,
            quantity: quantity,
            token: isFamilyShared ? nil : token,
            isFamilyShared: isFamilyShared,
            isRenewal: false,
            price: product.price * quantity,
            offer: nil
        )
        purchases.append(purchase)
        return notice(NoticeKind("ONE_TIME_CHARGE"), purchase, till)
    }

    /// The line while it is paid; refused otherwise.
    func paidLine(
        at now: Int64
    ) throws(StoreRefusal) -> (current: SimulatedTransaction, end: Int64, renewal: RenewalState) {
        let line = try line(at: now)
        guard status(at: now) == 1 else { throw StoreRefusal("\(name) is not subscribed now") }
        return line
    }

    /// A new period of this line, not yet in it.
    func period(
        of product: Product,
        from start: Int64,
        lasting milliseconds: Int64,
        offer: Offer? = nil,
        isFamilyShared: Bool = false,
        isRenewal: Bool = false,
        _ till: inout Till
    ) -> SimulatedTransaction {
        let id = till.nextNumber()
        return SimulatedTransaction(
            id: id,
            originalID: originalID ?? id,
            webOrderLineItemID: till.nextNumber(),
            product: product,
            purchaseDate: start,
            originalPurchaseDate: transactions.first?.originalPurchaseDate ?? start,
            expiresDate: start + milliseconds,
            quantity: 1,
            token: isFamilyShared ? nil : token,
            isFamilyShared: isFamilyShared,
            isRenewal: isRenewal,
            price: offer?.price(of: product) ?? product.price,
            offer: offer
        )
    }
}
