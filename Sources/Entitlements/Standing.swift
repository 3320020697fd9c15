/// What a subscription is worth at a moment.
package enum Standing: Hashable, Sendable {
    /// Paid, or late in a way that the catalog forgives.
    case active
    /// The store is trying to charge, and access goes on.
    case grace
    /// The store is trying to charge, outside a grace period.
    case retry
    /// Over.
    case lapsed
    /// Refunded or withdrawn.
    case revoked
    /// The customer has paused it, or it waits for a way to pay.
    case paused
    /// Nothing is paid yet.
    case pending
}

extension Slot {
    /// What this era is worth at `now` (docs/app-store-facts.md, "Merging", 8).
    ///
    /// First match wins: revoked, pending, grace without anything paid, paused, paid, grace,
    /// billing retry, late renewal, lapsed.
    @inlinable
    package func standing(at now: Moment, under policy: Policy) -> Standing {
        if marks.isSpecial, let standing = specialStanding(at: now) { return standing }
        if now < paidUntil { return .active }
        if paidUntil == .distantPast { return .lapsed }
        if now < graceUntil { return .grace }
        let openGraceEnds = paidUntil.advanced(byMilliseconds: policy.graceFallback)
        if marks.contains(.openGrace), now < openGraceEnds { return .grace }
        if marks.contains(.billingProblem) {
            return now < retryEnds ? .retry : .lapsed
        }
        if marks.contains(.renews), now < paidUntil.advanced(byMilliseconds: policy.lateRenewal) {
            return .active
        }
        return .lapsed
    }

    /// What the marks alone decide, or moments that most eras do not have; nil for nothing.
    @usableFromInline
    func specialStanding(at now: Moment) -> Standing? {
        if marks.contains(.revoked) { return .revoked }
        if marks.contains(.dated) { return nil }
        if marks.contains(.pending) { return .pending }
        if marks.contains(.inGrace), now < graceUntil { return .grace }
        // Whatever is paid: the seller withholds the service.
        if marks.contains(.paused) { return .paused }
        return nil
    }

    @inlinable package var retryEnds: Moment {
        paidUntil.advanced(byMilliseconds: Limits.billingRetryMilliseconds)
    }

    /// Whether this standing lets the user in.
    @inlinable
    package func givesAccess(_ standing: Standing, under policy: Policy) -> Bool {
        switch standing {
        case .active, .grace: true
        case .retry: policy.billingRetryAccess && store.mayRetryWithAccess
        case .lapsed, .revoked, .paused, .pending: false
        }
    }

    /// The first moment after `now` at which this era's standing may change.
    @inlinable
    package func nextMoment(after now: Moment, under policy: Policy) -> Moment {
        var next = Moment.distantFuture
        func consider(_ moment: Moment) {
            if moment > now, moment < next { next = moment }
        }
        consider(from)
        consider(paidUntil)
        consider(graceUntil)
        if paidUntil == .distantPast { return next }
        if marks.contains(.openGrace) {
            consider(paidUntil.advanced(byMilliseconds: policy.graceFallback))
        }
        if marks.contains(.billingProblem) { consider(retryEnds) }
        if marks.contains(.renews) {
            consider(paidUntil.advanced(byMilliseconds: policy.lateRenewal))
        }
        return next
    }
}
