import Entitlements

extension Subscription {
    /// The latest moment at which the store signed something about it.
    var heard: Moment {
        var heard = Moment.distantPast
        for transaction in transactions { heard = max(heard, transaction.version.signed) }
        if let renewal { heard = max(heard, renewal.version.signed) }
        if let status { heard = max(heard, status.version.signed) }
        return heard
    }

    /// Whether the sweep asks about it at `now`: it renews automatically, and is active or ended so
    /// recently that the message of a renewal may have been lost.
    func isSwept(at now: Moment) -> Bool {
        guard let era = era(at: now), let paidUntil = era.paidUntil,
            current(at: now)?.isAutoRenewable == true
        else { return false }
        var end = paidUntil.advanced(byMilliseconds: Self.lapsedMilliseconds)
        let isOpen = !era.marks.isDisjoint(with: [.billingProblem, .renews, .openGrace])
        if isOpen { end = paidUntil.advanced(byMilliseconds: Limits.billingRetryMilliseconds) }
        if let grace = era.graceUntil { end = max(end, grace) }
        return now < end
    }

    /// When it ends unless it renews; nil if no renewal is expected, or the end is too long ago.
    ///
    /// No renewal is expected if the store said that it will not renew, or that the payment failed.
    /// A subscription in a grace period without a stated end is asked about.
    func unheardRenewal(at now: Moment) -> Moment? {
        guard let era = era(at: now), let due = era.paidUntil,
            due != .distantFuture, !era.marks.isDisjoint(with: [.renews, .openGrace]),
            !era.marks.contains(.revoked)
        else { return nil }
        let given = due.advanced(byMilliseconds: Limits.billingRetryMilliseconds)
        return now < given ? due : nil
    }

    /// From when on the renewal due at `due` counts as silent.
    func silentFrom(_ due: Moment, _ silence: Int64) -> Moment {
        max(due, heard).advanced(byMilliseconds: silence)
    }

    /// How long the sweep still asks after an announced end, because renewal may have been turned
    /// on again without a message.
    private static var lapsedMilliseconds: Int64 { 3 * ReconcilerLimits.day }
}
