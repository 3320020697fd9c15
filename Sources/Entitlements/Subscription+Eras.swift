/// A stretch of time in which one transaction is the current one.
///
/// What it is worth at a moment inside is its standing.
package struct Era: Hashable, Sendable {
    /// When the transaction becomes the current one; the first era holds before that too.
    package var from: Moment
    /// The current transaction's product.
    package var productID: String
    /// The end of what is paid, prolonged through announced renewals; nil where nothing was.
    package var paidUntil: Moment?
    /// The end of the store's grace period.
    package var graceUntil: Moment?
    /// What else the rule of access looks at.
    package var marks: EraMarks
}

/// What the rule of access looks at beside moments.
///
/// The raw value is stored.
@frozen
package struct EraMarks: OptionSet, Hashable, Sendable {
    /// The bits.
    package let rawValue: UInt16

    /// The marks with these bits.
    @inlinable
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The current transaction is refunded or withdrawn, or the store's newest word is "revoked".
    @inlinable package static var revoked: Self { Self(rawValue: 1) }
    /// Auto-renewal is off.
    @inlinable package static var renewalOff: Self { Self(rawValue: 2) }
    /// The current transaction is a free trial.
    @inlinable package static var trial: Self { Self(rawValue: 4) }
    /// The store is trying to charge the card.
    @inlinable package static var billingProblem: Self { Self(rawValue: 8) }
    /// The store announced a grace period without an end.
    @inlinable package static var openGrace: Self { Self(rawValue: 16) }
    /// A subscription that renews by itself, and nothing says that it will not.
    @inlinable package static var renews: Self { Self(rawValue: 32) }
    /// The store said that it has expired.
    @inlinable package static var saidExpired: Self { Self(rawValue: 64) }
}

extension Subscription {
    /// The current transaction at `now` (apple.md, section 1.4, step 6): the greatest by (purchase,
    /// signature, id) that has begun, otherwise the earliest to come.
    ///
    /// Upgraded ones are skipped, revoked ones are not.
    package func current(at now: Moment) -> TransactionFact? {
        var begun: TransactionFact?
        var coming: TransactionFact?
        for candidate in transactions where !candidate.isUpgraded {
            if candidate.purchased <= now {
                if begun.map({ $0.isOlder(than: candidate) }) ?? true { begun = candidate }
            } else if coming.map({ candidate.isOlder(than: $0) }) ?? true {
                coming = candidate
            }
        }
        return begun ?? coming
    }

    /// The era at `now`: the full fold, from which a flat answer is made.
    ///
    /// Nil without transactions.
    package func era(at now: Moment) -> Era? {
        guard let current = current(at: now) else { return nil }
        var era = Era(
            from: current.purchased,
            productID: current.productID,
            paidUntil: paidUntil(from: current),
            graceUntil: nil,
            marks: []
        )
        if current.isTrial { era.marks.insert(.trial) }
        if isRevoked(current) { era.marks.insert(.revoked) }
        if renewal?.autoRenew == false { era.marks.insert(.renewalOff) }
        if status?.code == 2 { era.marks.insert(.saidExpired) }
        markBilling(&era)
        let isSilent = era.marks.isDisjoint(with: [.renewalOff, .billingProblem, .saidExpired])
        if current.isAutoRenewable, isSilent { era.marks.insert(.renews) }
        return era
    }

    /// All eras from `now` on: the one that holds now, and one for each transaction to come.
    package func eras(from now: Moment) -> [Era] {
        var starts = transactions.filter { !$0.isUpgraded && $0.purchased > now }.map(\.purchased)
        starts.insert(now, at: 0)
        var eras: [Era] = []
        var last: TransactionFact?
        for start in starts {
            let current = current(at: start)
            // An announced renewal begins an era also where nothing but the transaction's id
            // changes: that it has begun is shown, and told.
            guard current != last, var era = era(at: start) else { continue }
            last = current
            // The first one holds from the beginning of time as far as later moments can tell.
            if eras.isEmpty { era.from = min(era.from, now) }
            eras.append(era)
        }
        // A pack of credits is no subscription, and leaves nothing in the account to look at.
        return eras.contains { $0.paidUntil != nil } ? eras : []
    }

    /// The end of `current`, prolonged through every later unrevoked transaction that begins before
    /// the end reached so far (apple.md, section 1.4, step 7).
    private func paidUntil(from current: TransactionFact) -> Moment? {
        guard var end = current.expires else {
            // Bought for good. Other purchases without an end give nothing by themselves.
            return current.kind == "Non-Consumable" ? .distantFuture : nil
        }
        for later in transactions where current.isOlder(than: later) {
            guard later.purchased > current.purchased, later.purchased <= end else { continue }
            guard !later.isUpgraded, later.revoked == nil, let expires = later.expires else {
                continue
            }
            end = max(end, expires)
        }
        return end
    }

    private func isRevoked(_ current: TransactionFact) -> Bool {
        if current.revoked != nil { return true }
        guard let status, status.code == 5 else { return false }
        return status.version.signed >= current.version.signed
    }

    /// Grace and billing retry (apple.md, section 1.4, step 8).
    ///
    /// A word of the store that the period is over (2, 3, 5) ends a grace announced before it or
    /// with it.
    private func markBilling(_ era: inout Era) {
        let code = status?.code
        let isRetrying = renewal?.isInBillingRetry ?? false
        var statusIsNewer = status != nil
        if let status, let renewal {
            statusIsNewer = status.version.signed >= renewal.version.signed
        }
        let isOver = statusIsNewer && code == 2
        if isRetrying, !isOver { era.marks.insert(.billingProblem) }
        if statusIsNewer, code == 3 || code == 4 { era.marks.insert(.billingProblem) }
        let endsGrace = statusIsNewer && (code == 2 || code == 3 || code == 5)
        if isRetrying, !endsGrace, let until = renewal?.graceUntil {
            era.graceUntil = until
        } else if statusIsNewer || isRetrying, code == 4, renewal?.graceUntil == nil {
            era.marks.insert(.openGrace)
        }
    }
}
