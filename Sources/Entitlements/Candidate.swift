/// Something that may be shown and may give access, with what ranks it.
@frozen
package struct Candidate {
    package var shown: Decision.Shown
    package var status: Decision.Status?
    package var gives: Bool
    package var isTrial: Bool
    package var via: Decision.Via
    package var plan: Int
    package var isSandbox: Bool
    package var rank: Int64
    package var end: Moment
    package var isGrant: Bool
    /// Why what is open, because it is paid for or in grace, gives no access all the same.
    package var obstacle: Obstacle?

    /// What stands between a subscription that is open and access.
    package enum Obstacle: Sendable {
        /// No plan names its product.
        case unknownProduct
        /// It is of the sandbox, which does not let this user in.
        case sandbox
    }

    @inlinable
    package init(
        _ slot: Slot,
        _ index: Int,
        _ now: Moment,
        _ policy: Policy,
        _ sandboxes: StoreSet
    ) {
        let standing = slot.standing(at: now, under: policy)
        let isPaid = standing == .active
        shown = .slot(index)
        isTrial = isPaid && slot.marks.contains(.trial)
        isSandbox = slot.environment == .sandbox
        // The one plan that needs no catalog is for subscription products, not for what was bought
        // for good.
        let isOutside = slot.paidUntil == .distantFuture && policy.planOfOthers >= 0
        plan = isOutside ? -1 : policy.plan(ofNumber: slot.product)
        rank = plan >= 0 ? policy.ranks[plan] : -1
        end = slot.paidUntil
        isGrant = false
        via = standing == .grace ? .grace : .subscription
        let isAdmitted =
            isSandbox
            ? policy.acceptsSandbox && sandboxes.holds(slot.store) : policy.acceptsProduction
        let isOpen = slot.givesAccess(standing, under: policy)
        gives = plan >= 0 && isAdmitted && isOpen
        if isOpen, plan < 0 {
            obstacle = .unknownProduct
        } else if isOpen, isSandbox, !isAdmitted {
            obstacle = .sandbox
        }
        switch standing {
        case .revoked: status = .revoked
        case .active:
            status =
                slot.marks.contains(.renewalOff)
                ? .cancelled : slot.marks.contains(.trial) ? .trial : .subscribed
        case .grace: status = .gracePeriod
        case .retry: status = .billingRetry
        case .lapsed: status = .expired
        case .paused: status = .paused
        case .pending: status = .pending
        }
    }

    @inlinable
    package init(_ grant: Grant, _ index: Int, _ policy: Policy) {
        shown = .grant(index)
        status = nil
        isTrial = false
        isSandbox = false
        plan = policy.plan(ofNumber: grant.plan)
        gives = plan >= 0
        rank = plan >= 0 ? policy.ranks[plan] : -1
        end = grant.until
        isGrant = true
        via = .grant
    }

    /// How much there is left of what gives no access.
    @inlinable var life: Int {
        switch status {
        case .subscribed, .trial, .cancelled: 5
        case .gracePeriod, .billingRetry: 4
        case .paused: 3
        case .pending: 2
        case .expired: 1
        case .revoked, nil: 0
        }
    }

    @inlinable
    package func rendersFreely(_ policy: Policy) -> Bool { gives && policy.rendersFreely[plan] }

    /// Shown is the best: giving access first, Production before Sandbox, higher rank, later end,
    /// store before grant.
    ///
    /// Where none gives access, what can be mended comes before the higher rank: a card that is
    /// refused before a subscription that is over.
    @inlinable
    package func isWorse(than other: Candidate) -> Bool {
        if gives != other.gives { return other.gives }
        if isSandbox != other.isSandbox { return isSandbox }
        if gives {
            if rank != other.rank { return rank < other.rank }
        } else if life != other.life {
            return life < other.life
        }
        if end != other.end { return end < other.end }
        return isGrant && !other.isGrant
    }
}
