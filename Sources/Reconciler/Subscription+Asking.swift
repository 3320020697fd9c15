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
    /// recently that the message of a renewal may have been lost; or it waits for its payment; or a
    /// transaction is missing.
    func isSwept(at now: Moment) -> Bool {
        if let began = pendingSince {
            return now < began.advanced(byMilliseconds: Self.pendingMilliseconds)
        }
        if isNamedAlone || missing(at: now) != nil { return true }
        guard let era = era(at: now), var paidUntil = era.paidUntil,
            let current = current(at: now), current.isAutoRenewable
        else { return false }
        // What was taken back ended then, though its end stays where it was.
        if let revoked = current.revoked { paidUntil = min(paidUntil, revoked) }
        var end = paidUntil.advanced(byMilliseconds: Self.lapsedMilliseconds)
        let isOpen = !era.marks.isDisjoint(with: [.billingProblem, .renews, .openGrace])
        if isOpen {
            // However long ago it ended, where nothing was said since: see `unheardRenewal`.
            let isSilent = !isHeardOf(since: paidUntil) && !era.marks.contains(.revoked)
            let given = paidUntil.advanced(byMilliseconds: Limits.billingRetryMilliseconds)
            end = isSilent ? .distantFuture : given
        }
        if era.marks.contains(.paused) {
            end = paidUntil.advanced(byMilliseconds: Self.pausedMilliseconds)
        }
        if let grace = era.graceUntil { end = max(end, grace) }
        return now < end
    }

    /// When it ends unless it renews; nil if no renewal is expected, or the end is too long ago.
    ///
    /// No renewal is expected if the store said that it will not renew, or that it has expired.
    /// However long ago it ended, it may go on where the store has said nothing of its state since:
    /// an app may show the first of many periods.
    /// Where the payment failed, the end is that of the grace period: until then, and as long as
    /// the store tries to charge the card afterwards, it may be paid, and that message be lost.
    /// Where a transaction is missing, it has been due since the store spoke of what follows from
    /// it.
    func unheardRenewal(at now: Moment) -> Moment? {
        if let since = missing(at: now) { return since }
        guard let era = era(at: now), let paidUntil = era.paidUntil,
            paidUntil != .distantFuture,
            !era.marks.isDisjoint(with: [.renews, .openGrace, .billingProblem]),
            !era.marks.contains(.revoked)
        else { return nil }
        guard isRecent(paidUntil, at: now) || !isHeardOf(since: paidUntil) else { return nil }
        return max(paidUntil, era.graceUntil ?? paidUntil)
    }

    private func isRecent(_ end: Moment, at now: Moment) -> Bool {
        now < end.advanced(byMilliseconds: Limits.billingRetryMilliseconds)
    }

    /// Whether the store has said in which state it is since `end`.
    private func isHeardOf(since end: Moment) -> Bool {
        status.map { $0.version.signed >= end } ?? false
    }

    /// Whether the absence of a message at its end shows that one was lost.
    ///
    /// Where the store tries to charge the card without a grace period, it has told of the end, and
    /// may have nothing more to tell for weeks. What else is missing is no renewal that was due,
    /// and what ended long ago was shown late.
    func isMissed(at now: Moment) -> Bool {
        guard missing(at: now) == nil, let era = era(at: now), let paidUntil = era.paidUntil,
            isRecent(paidUntil, at: now)
        else { return false }
        return !era.marks.contains(.billingProblem) || era.marks.contains(.openGrace)
            || era.graceUntil != nil
    }

    /// From when on the renewal due at `due` counts as silent.
    ///
    /// What is dated long after `now` was said while this host's clock was ahead.
    func silentFrom(_ due: Moment, _ silence: Int64, at now: Moment) -> Moment {
        let latest = now.advanced(byMilliseconds: ReconcilerLimits.clockLeadMilliseconds)
        return (heard > latest ? due : max(due, heard)).advanced(byMilliseconds: silence)
    }

    /// Whether nothing is known of it but that a later purchase names it: the message about it was
    /// lost, and it may say whose that one is.
    private var isNamedAlone: Bool { isOfSnapshots && status == nil && !successors.isEmpty }

    /// Since when a transaction is missing that the store must know of; nil if none is, or for so
    /// long that the store does not seem to tell of it.
    private func missing(at now: Moment) -> Moment? {
        guard let since = missingSince(at: now),
            now < since.advanced(byMilliseconds: Self.missingMilliseconds)
        else { return nil }
        return since
    }

    /// When it was begun, if nothing is paid yet, of a subscription or of anything else: nothing is
    /// known of it that has an end, and the message that it was paid may have been lost.
    private var pendingSince: Moment? {
        guard status?.code == StatusCode.pending.rawValue else { return nil }
        return transactions.last?.purchased ?? heard
    }

    /// How long a missing transaction is asked for: longer than the longest period that it may be
    /// of.
    private static var missingMilliseconds: Int64 { 400 * ReconcilerLimits.day }

    /// How long a payment is waited for; bank transfers take days, and some stores weeks.
    private static var pendingMilliseconds: Int64 { 30 * ReconcilerLimits.day }

    /// How long after its end a paused subscription may go on; Google allows three months.
    private static var pausedMilliseconds: Int64 { 100 * ReconcilerLimits.day }

    /// How long the sweep still asks after an announced end, because renewal may have been turned
    /// on again without a message.
    private static var lapsedMilliseconds: Int64 { 3 * ReconcilerLimits.day }
}
