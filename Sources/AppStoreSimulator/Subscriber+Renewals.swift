/// What happens at the end of a period.
extension Subscriber {
    /// The next period, which begins where the present one ends: DID_RENEW.
    ///
    /// As with Apple it may be announced before it begins; then its `purchaseDate` is to come.
    package mutating func renew(_ till: inout Till) throws(StoreRefusal) -> SimulatedNotification {
        let (current, end, state) = try line(at: till.now)
        guard current.revocation == nil else { throw StoreRefusal("\(name)'s period is refunded") }
        guard state.isOn else { throw StoreRefusal("\(name) has turned renewal off") }
        guard state.isInBillingRetry != true else {
            throw StoreRefusal("\(name)'s card is refused; the word is recover")
        }
        guard state.expirationIntent == nil else { throw StoreRefusal("\(name) has expired") }
        return try addPeriod(from: end, current, state, NoticeKind("DID_RENEW"), &till)
    }

    /// The same, only while the present period lasts: the new one is certainly to come.
    package mutating func renewEarly(
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        guard try line(at: till.now).end > till.now else {
            throw StoreRefusal("\(name)'s period has ended")
        }
        return try renew(&till)
    }

    /// The card is refused at the end of the period: DID_FAIL_TO_RENEW, with GRACE_PERIOD or not.
    ///
    /// With `hasGrace` access goes on for the store's grace period, whose end is named unless
    /// `namesGraceEnd` says otherwise: that was seen in production.
    package mutating func failToRenew(
        hasGrace: Bool,
        namesGraceEnd: Bool = true,
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let (current, end) = try endedLine(at: till.now)
        guard renewal?.isOn == true else { throw StoreRefusal("\(name) has turned renewal off") }
        renewal?.isInBillingRetry = true
        renewal?.expirationIntent = .billingError
        if hasGrace, namesGraceEnd {
            renewal?.graceUntil =
                end + till.settings.time.milliseconds(days: till.settings.graceDays)
        }
        renewal?.isGraceOpen = hasGrace && !namesGraceEnd
        let kind = NoticeKind("DID_FAIL_TO_RENEW", hasGrace ? "GRACE_PERIOD" : nil)
        return notice(kind, current, till)
    }

    /// The grace period ended unpaid; the store goes on trying: GRACE_PERIOD_EXPIRED.
    package mutating func graceExpires(
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let (current, _, state) = try line(at: till.now)
        guard state.isGraceOpen || state.graceUntil != nil else {
            throw StoreRefusal("\(name) is in no grace period")
        }
        if let graceUntil = state.graceUntil, till.now < graceUntil {
            throw StoreRefusal("\(name)'s grace period lasts until \(graceUntil)")
        }
        renewal?.graceUntil = nil
        renewal?.isGraceOpen = false
        return notice(NoticeKind("GRACE_PERIOD_EXPIRED"), current, till)
    }

    /// The card works again: DID_RENEW/BILLING_RECOVERY.
    ///
    /// Within grace the old cycle is kept; after it a new one begins today.
    package mutating func recover(
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let (current, end, state) = try line(at: till.now)
        guard state.isInBillingRetry == true else {
            throw StoreRefusal("\(name)'s card is not refused")
        }
        let isInGrace = status(at: till.now) == 4
        let kind = NoticeKind("DID_RENEW", "BILLING_RECOVERY")
        return try addPeriod(from: isInGrace ? end : till.now, current, state, kind, &till)
    }

    /// It is over: EXPIRED, with the reason as subtype.
    package mutating func expire(
        _ reason: RenewalState.Intent,
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let (current, _) = try endedLine(at: till.now)
        switch reason {
        case .cancelled where renewal?.isOn == true:
            throw StoreRefusal("\(name) has not turned renewal off")
        case .billingError where renewal?.isInBillingRetry != true:
            throw StoreRefusal("\(name)'s card is not refused")
        case .cancelled, .billingError, .priceIncrease, .notForSale, .other: break
        }
        renewal?.forgetTrouble()
        renewal?.isInBillingRetry = false
        renewal?.expirationIntent = reason
        renewal?.isOn = false
        return notice(NoticeKind("EXPIRED", reason.subtype), current, till)
    }

    /// The present period is made longer: RENEWAL_EXTENDED.
    package mutating func extend(
        days: Int64,
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        guard (1...Int64(SimulatorLimits.extensionDaysMax)).contains(days) else {
            throw StoreRefusal("an extension is 1 to \(SimulatorLimits.extensionDaysMax) days")
        }
        let (current, end, _) = try paidLine(at: till.now)
        let last = transactions.last { $0.expiresDate == end && !$0.isUpgraded } ?? current
        extensions = (extensions ?? []) + [till.now]
        change(last.id) { $0.expiresDate = end + till.settings.time.milliseconds(days: days) }
        return notice(NoticeKind("RENEWAL_EXTENDED"), try transaction(last.id), till)
    }

    /// Why the App Store would not extend this customer's period; nil where it would.
    func extensionFailure(_ till: Till) -> APIFailure? {
        guard let current = current(at: till.now), status(at: till.now) == 1,
            current.offer?.discount != .freeTrial
        else { return .notExtendable }
        guard !current.isFamilyShared else { return .familyExtension }
        let year = till.settings.time.milliseconds(days: SimulatorLimits.extensionYearDays)
        let recent = (extensions ?? []).filter { till.now - $0 < year }
        return recent.count < SimulatorLimits.extensionsMax ? nil : .manyExtensions
    }

    /// An extension for all left this one out: RENEWAL_EXTENSION/FAILURE.
    package mutating func failToExtend(
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let current = try line(at: till.now).current
        return notice(NoticeKind("RENEWAL_EXTENSION", "FAILURE"), current, till)
    }

    /// The line once its period is over; refused before.
    private func endedLine(
        at now: Int64
    ) throws(StoreRefusal) -> (current: SimulatedTransaction, end: Int64) {
        let (current, end, _) = try line(at: now)
        guard current.revocation == nil else { throw StoreRefusal("\(name)'s period is refunded") }
        guard end <= now else { throw StoreRefusal("\(name)'s period lasts until \(end)") }
        return (current, end)
    }

    private mutating func addPeriod(
        from start: Int64,
        _ current: SimulatedTransaction,
        _ state: RenewalState,
        _ kind: NoticeKind,
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let (product, period) = try till.settings.subscription(state.productID)
        let isFree = state.offer?.discount == .freeTrial
        let isMonthly = state.isCommitmentOn != nil
        let paid = isMonthly ? Period(1, .month) : period
        let usual = isFree ? state.offer?.period ?? paid : paid
        let length = till.settings.time.milliseconds(usual)
        // Whole cycles that were missed are not charged: the one that holds now is.
        let missed = max(0, (till.now - start) / length)
        let last = lastCommitted?.commitment
        var transaction = self.period(
            of: product,
            from: start + missed * length,
            lasting: length,
            offer: state.offer,
            isFamilyShared: current.isFamilyShared,
            isRenewal: true,
            &till
        )
        if isMonthly { transaction.commit(to: product, after: last, till.settings.time) }
        transactions.append(transaction)
        renewal?.forgetTrouble()
        renewal?.offer = nil
        if let isOn = state.isCommitmentOn { turnCommitment(on: isOn) }
        return notice(kind, transaction, till)
    }
}
