import AppStoreSimulator

// What happens to customers, and what Google Play tells of it.
extension PlayBooks {
    /// Lets `action` happen to a customer's newest purchase, or begins a new one; what is told.
    package mutating func perform(
        _ action: PlayAction,
        _ customer: String,
        _ words: PlayWords,
        at now: Int64
    ) throws(PlayRefusal) -> [PlayNotice] {
        switch action {
        case .buy, .buyPending:
            return try begin(words, customer, at: now, isPaid: action == .buy)
        case .upgrade, .upgradePending, .downgrade, .resubscribe, .resubscribeOutOfApp, .topUp:
            return try follow(action, customer, words, at: now)
        case .complete, .cancelPending, .renew, .cancel, .restart, .failToRenew, .hold, .recover,
            .pause, .resume, .expire, .revoke, .void, .refund, .refundUnits, .defer, .refundReview,
            .schedulePause, .cancelCommitment, .addItem, .priceChange, .confirmPrice, .priceStepUp:
            let found = newest(of: customer) { action.isAbout($0) }
            guard var purchase = found else {
                throw PlayRefusal("\(customer) has bought nothing")
            }
            var notices = try change(&purchase, action, words, at: now)
            purchases[purchase.token] = purchase
            if action == .complete { notices += replace(purchase.linked) }
            return notices
        }
    }

    /// Ends the purchase whose place another one took.
    private mutating func replace(_ token: String?) -> [PlayNotice] {
        guard let token, var older = purchases[token], older.state != .expired else { return [] }
        (older.state, older.cancellation, older.renews) = (.expired, "replacement", false)
        purchases[token] = older
        return [.subscription(13, token: token)]
    }

    private mutating func begin(
        _ words: PlayWords,
        _ customer: String,
        at now: Int64,
        isPaid: Bool,
        after older: SoldPurchase? = nil
    ) throws(PlayRefusal) -> [PlayNotice] {
        let item: PlayItem
        if let name = words.product {
            item = try settings.item(name)
        } else if let usual = older?.item ?? settings.items.first {
            item = usual
        } else {
            throw PlayRefusal("nothing is sold")
        }
        var made = SoldPurchase(
            token: fresh("token"),
            customer: customer,
            item: item,
            order: fresh("GPA")
        )
        made.accountID = words.accountID ?? older?.accountID
        made.isTest = words.isTest
        made.quantity = words.quantity
        made.linked = older?.token
        if isPaid { pay(&made, at: now, isTrial: words.isTrial) }
        purchases[made.token] = made
        let isSubscription = item.plan != .oneTime
        // A pending subscription is not told before it is paid.
        guard isPaid else { return [] }
        return [
            isSubscription
                ? .subscription(4, token: made.token)
                : .oneTime(1, token: made.token, sku: item.productID)
        ]
    }

    private func pay(_ purchase: inout SoldPurchase, at now: Int64, isTrial: Bool = false) {
        purchase.state = .active
        purchase.started = now
        purchase.payments = 1
        purchase.isTrial = isTrial
        guard purchase.item.plan != .oneTime else { return }
        purchase.expires = now + length(of: purchase.item)
    }

    func length(of item: PlayItem) -> Int64 {
        settings.time.milliseconds(days: 30 * item.months)
    }

    /// What begins with an older purchase.
    private mutating func follow(
        _ action: PlayAction,
        _ customer: String,
        _ words: PlayWords,
        at now: Int64
    ) throws(PlayRefusal) -> [PlayNotice] {
        let found = newest(of: customer) { $0.isSubscription }
        guard let older = found else {
            throw PlayRefusal("\(customer) has no subscription")
        }
        let isLive = older.state != .expired && older.state != .pending
        switch action {
        case .resubscribe, .resubscribeOutOfApp:
            guard !isLive else { throw PlayRefusal("\(customer)'s subscription goes on") }
            var notices = try begin(words, customer, at: now, isPaid: true, after: older)
            guard let told = notices.first?.token, var made = purchases[told] else {
                return notices
            }
            made.isOutOfApp = action == .resubscribeOutOfApp
            if made.isOutOfApp {
                made.formerAccountID = older.accountID ?? older.formerAccountID
                made.accountID = nil
            } else {
                made.linked = nil
            }
            purchases[made.token] = made
            notices = [.subscription(4, token: made.token)]
            return notices
        default:
            guard isLive else { throw PlayRefusal("\(customer)'s subscription is over") }
            guard words.product != nil || action == .topUp else {
                throw PlayRefusal("to which product?")
            }
        }
        let item =
            try words.product.map { (name) throws(PlayRefusal) in try settings.item(name) }
            ?? older.item
        var notices: [PlayNotice]
        if action == .upgradePending {
            var asked = words
            asked.product = "\(item.productID):\(item.basePlanID)"
            return try begin(asked, customer, at: now, isPaid: false, after: older)
        }
        if action == .downgrade {
            notices = [.subscription(4, token: replace(older, atItsEnd: item, of: customer, now))]
        } else {
            var asked = words
            asked.product = "\(item.productID):\(item.basePlanID)"
            notices = try begin(asked, customer, at: now, isPaid: true, after: older)
            if action == .topUp, let told = notices.first?.token, var made = purchases[told],
                let end = older.expires
            {
                made.expires = max(end, now) + length(of: item)
                purchases[made.token] = made
            }
        }
        return notices + replace(older.token)
    }

    /// The new token, which has the old product until the period ends.
    private mutating func replace(
        _ older: SoldPurchase,
        atItsEnd next: PlayItem,
        of customer: String,
        _ now: Int64
    ) -> String {
        var made = SoldPurchase(
            token: fresh("token"),
            customer: customer,
            item: older.item,
            order: fresh("GPA")
        )
        made.accountID = older.accountID
        made.linked = older.token
        made.next = next
        (made.state, made.started, made.payments) = (.active, now, 1)
        made.expires = older.expires
        purchases[made.token] = made
        return made.token
    }

    private func change(
        _ purchase: inout SoldPurchase,
        _ action: PlayAction,
        _ words: PlayWords,
        at now: Int64
    ) throws(PlayRefusal) -> [PlayNotice] {
        let token = purchase.token
        func must(_ states: SoldPurchase.State...) throws(PlayRefusal) {
            guard states.contains(purchase.state) else {
                throw PlayRefusal(
                    "\(action.rawValue) makes no sense while \(purchase.state.rawValue)"
                )
            }
        }
        switch action {
        case .complete, .cancelPending:
            try must(.pending)
            return settle(&purchase, isPaid: action == .complete, at: now)
        case .renew:
            try must(.active, .grace)
            renew(&purchase, at: now)
            return [.subscription(2, token: token)]
        case .cancel:
            try must(.active, .grace, .hold, .paused)
            (purchase.state, purchase.renews) = (.canceled, false)
            (purchase.cancellation, purchase.cancelled) = ("user", now)
            return [.subscription(3, token: token)]
        case .restart:
            try must(.canceled)
            (purchase.state, purchase.renews) = (.active, true)
            (purchase.cancellation, purchase.cancelled) = (nil, nil)
            return [.subscription(7, token: token)]
        case .failToRenew:
            try must(.active)
            purchase.state = .grace
            purchase.graceFrom = purchase.expires
            purchase.expires =
                max(purchase.expires ?? now, now)
                + settings.time.milliseconds(days: settings.graceDays)
            return [.subscription(6, token: token)]
        case .hold:
            try must(.active, .grace)
            (purchase.state, purchase.expires) = (.hold, min(purchase.expires ?? now, now))
            return [.subscription(5, token: token)]
        case .recover, .resume:
            try must(.hold, .grace, .paused)
            return resume(&purchase, at: now)
        case .pause:
            try must(.active)
            (purchase.state, purchase.expires) = (.paused, min(purchase.expires ?? now, now))
            purchase.resumes = now + settings.time.milliseconds(days: 30)
            return [.subscription(10, token: token)]
        case .expire:
            try must(.active, .canceled, .grace, .hold, .paused)
            purchase.cancellation = purchase.cancellation ?? "system"
            (purchase.state, purchase.renews) = (.expired, false)
            purchase.expires = min(purchase.expires ?? now, now)
            return [.subscription(13, token: token)]
        case .defer, .schedulePause, .cancelCommitment, .addItem, .priceChange, .confirmPrice,
            .priceStepUp:
            try must(.active)
            return try amend(&purchase, action, words, at: now)
        case .revoke, .void, .refund, .refundUnits, .refundReview:
            return try withdraw(&purchase, action, words, at: now)
        case .buy, .buyPending, .upgrade, .upgradePending, .downgrade, .resubscribe,
            .resubscribeOutOfApp, .topUp:
            return []
        }
    }

    /// Goes on: after a hold or a pause with a period that begins now, in a grace period with one
    /// that begins where the last one ended.
    private func resume(_ purchase: inout SoldPurchase, at now: Int64) -> [PlayNotice] {
        if purchase.state != .grace { purchase.expires = now }
        purchase.resumes = nil
        renew(&purchase, at: now)
        return [.subscription(1, token: purchase.token)]
    }

    /// What changes while it is active.
    private func amend(
        _ purchase: inout SoldPurchase,
        _ action: PlayAction,
        _ words: PlayWords,
        at now: Int64
    ) throws(PlayRefusal) -> [PlayNotice] {
        let token = purchase.token
        switch action {
        case .defer:
            purchase.expires = (purchase.expires ?? now) + settings.time.milliseconds(days: 7)
            return [.subscription(9, token: token)]
        case .schedulePause: return [.subscription(11, token: token)]
        case .cancelCommitment:
            purchase.endsWithCommitment = true
            return [.subscription(18, token: token)]
        case .addItem:
            guard let name = words.product else { throw PlayRefusal("which product?") }
            purchase.added = try settings.item(name)
            return [.subscription(17, token: token)]
        case .confirmPrice: return [.subscription(8, token: token)]
        case .priceStepUp: return [.subscription(22, token: token)]
        default: return [.subscription(19, token: token)]
        }
    }

    /// A payment that was waited for comes, or does not.
    private func settle(
        _ purchase: inout SoldPurchase,
        isPaid: Bool,
        at now: Int64
    ) -> [PlayNotice] {
        let (token, sku) = (purchase.token, purchase.item.productID)
        let isOnce = purchase.item.plan == .oneTime
        guard isPaid else {
            purchase.state = .pendingCanceled
            return [isOnce ? .oneTime(2, token: token, sku: sku) : .subscription(20, token: token)]
        }
        pay(&purchase, at: now)
        return [isOnce ? .oneTime(1, token: token, sku: sku) : .subscription(4, token: token)]
    }

    /// Money is given back, or may be.
    private func withdraw(
        _ purchase: inout SoldPurchase,
        _ action: PlayAction,
        _ words: PlayWords,
        at now: Int64
    ) throws(PlayRefusal) -> [PlayNotice] {
        let (token, order) = (purchase.token, purchase.orderID)
        let isSubscription = purchase.item.plan != .oneTime
        func voided(isPartial: Bool = false) -> PlayNotice {
            .voided(
                token: token,
                order: order,
                isSubscription: isSubscription,
                isPartial: isPartial
            )
        }
        switch action {
        case .revoke:
            guard isSubscription, [.active, .canceled, .grace].contains(purchase.state) else {
                throw PlayRefusal("there is nothing to revoke")
            }
            (purchase.state, purchase.renews) = (.expired, false)
            purchase.cancellation = "developer"
            purchase.voids.append(.init(orderID: order, at: now, reason: 0))
            return [.subscription(12, token: token), voided()]
        case .refund:
            guard purchase.payments > 0, purchase.paidBack == nil, !purchase.isVoided else {
                throw PlayRefusal("there is no money to give back")
            }
            purchase.paidBack = now
            return []
        case .refundUnits:
            let left = purchase.refundable
            guard left > words.quantity else {
                throw PlayRefusal(
                    "refund-units refunds fewer units than are left, and there are \(left): "
                        + "void takes back all of them"
                )
            }
            purchase.voids.append(
                .init(orderID: order, at: now, reason: 1, quantity: words.quantity)
            )
            return [voided(isPartial: true)]
        case .refundReview: return [.refundReview(order: order)]
        default:
            guard purchase.payments > 0 else { throw PlayRefusal("nothing is paid") }
            purchase.voids.append(.init(orderID: order, at: now, reason: 7))
            return [voided()]
        }
    }

    /// One more period is paid; a deferred replacement takes place.
    private func renew(_ purchase: inout SoldPurchase, at now: Int64) {
        let paidUntil = purchase.state == .grace ? purchase.graceFrom : nil
        purchase.state = .active
        purchase.payments += 1
        purchase.isTrial = false
        if let next = purchase.next { (purchase.item, purchase.next) = (next, nil) }
        let start = paidUntil ?? max(purchase.expires ?? now, now)
        purchase.expires = start + length(of: purchase.item)
    }
}

extension PlayAction {
    /// Whether it may happen to `purchase`: most things happen to subscriptions alone.
    ///
    /// Nothing happens any more to what was cancelled before it was paid.
    fileprivate func isAbout(_ purchase: SoldPurchase) -> Bool {
        guard purchase.state != .pendingCanceled else { return false }
        return switch self {
        case .complete, .cancelPending, .void, .refund, .refundReview: true
        case .refundUnits: purchase.item.plan == .oneTime
        default: purchase.item.plan != .oneTime
        }
    }
}

extension PlayNotice {
    /// The purchase that it names.
    package var token: String? {
        switch self {
        case .subscription(_, let token), .oneTime(_, let token, _): token
        case .voided(let token, _, _, _): token
        case .refundReview, .test: nil
        }
    }
}
