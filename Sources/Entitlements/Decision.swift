/// The answer to `canRender`, and the part of every status that changes with time.
@frozen
package struct Decision: Hashable, Sendable {
    /// Whether this user may do this now.
    package var canRender = false
    /// What lets them, if anything.
    package var via: Via?
    /// The user's state.
    package var state = State.noAccount
    /// Why not, if not.
    package var reason: Reason?
    /// The status of the subscription shown; nil without one.
    package var status: Status?
    /// Whether a subscription or grant gives access.
    package var hasAccess = false
    /// Whether an owned subscription would give access if a plan named its product.
    package var paysForUnknown = false
    /// The plan, as an index of the policy's plans; -1 for no account.
    package var plan = -1
    /// What is shown.
    package var shown = Shown.nothing
    /// The first future moment at which this changes if nothing more is heard.
    package var nextChange: Moment?

    @inlinable package init() {}

    /// What lets a user in.
    package enum Via: String, Sendable {
        case subscription
        case grace
        case grant
        case credits
        /// The plan `free`, which holds without access by subscription or grant.
        case free
    }

    /// The state of a user.
    package enum State: String, Sendable {
        case noAccount = "no_account"
        case trial
        case subscribed
        case freeWithCredits = "free_with_credits"
        case freeNoCredits = "free_no_credits"
    }

    /// Why a user may not.
    package enum Reason: String, Sendable {
        case noAccount = "no_account"
        /// There is access, by a plan that does not name the feature.
        case notInPlan = "not_in_plan"
        /// Something is paid for, and no plan names it.
        case unknownProduct = "unknown_product"
        /// A purchase of the sandbox, which does not let this user in.
        case sandboxNotAdmitted = "sandbox_not_admitted"
        case revoked
        case billingRetry = "billing_retry"
        case expired
        case creditsExhausted = "credits_exhausted"
        case neverSubscribed = "never_subscribed"
    }

    /// The status of a subscription.
    package enum Status: String, Sendable {
        case revoked
        case cancelled
        case trial
        case subscribed
        case gracePeriod = "grace_period"
        case billingRetry = "billing_retry"
        case expired
    }

    /// Which slot or grant is shown, by its place in the answer.
    @frozen
    package enum Shown: Hashable, Sendable {
        case nothing
        case slot(Int)
        case grant(Int)
    }

    /// What `nextChangeAt` looks at: canRender, state, status, plan.
    @inlinable
    package func differsVisibly(from other: Decision) -> Bool {
        canRender != other.canRender || state != other.state || status != other.status
            || plan != other.plan
    }
}

extension Answer {
    /// Answers whether the user may do something that costs `cost` credits, and what they are.
    ///
    /// - Parameters:
    ///   - cost: 1 to 10⁹ credits.
    ///   - now: the moment asked about.
    ///   - policy: what products and plans mean.
    ///   - admitsSandbox: whether sandbox purchases let this user in.
    /// - Returns: the decision, with the first moment after `now` at which it changes.
    @inlinable
    package func decision(
        ofCost cost: Int64,
        at now: Moment,
        under policy: Policy,
        admitsSandbox: Bool
    ) -> Decision {
        var decision = judgement(cost, now, policy, admitsSandbox)
        var moment = now
        for _ in 0..<Limits.nextChangeStepsMax {
            moment = nextMoment(after: moment, policy)
            if moment == .distantFuture { break }
            if judgement(cost, moment, policy, admitsSandbox).differsVisibly(from: decision) {
                decision.nextChange = moment
                break
            }
        }
        return decision
    }

    @inlinable
    package func nextMoment(after now: Moment, _ policy: Policy) -> Moment {
        var next = Moment.distantFuture
        for slot in slots {
            next = min(next, slot.nextMoment(after: now, under: policy))
        }
        for grant in grants {
            if grant.from > now { next = min(next, grant.from) }
            if grant.until > now { next = min(next, grant.until) }
        }
        for lot in lots {
            if lot.from > now { next = min(next, lot.from) }
            if lot.until > now { next = min(next, lot.until) }
        }
        return next
    }

    @inlinable
    package func judgement(
        _ cost: Int64,
        _ now: Moment,
        _ policy: Policy,
        _ admitsSandbox: Bool
    ) -> Decision {
        var decision = Decision()
        var best: Candidate?
        var render: Candidate?
        var isKeptOut = false
        for index in slots.indices where isCurrent(index, at: now) {
            // Nothing that lasts: a pack of credits is not shown as an expired subscription.
            if slots[index].paidUntil == .distantPast { continue }
            let candidate = Candidate(slots[index], index, now, policy, admitsSandbox)
            switch candidate.obstacle {
            case .unknownProduct: decision.paysForUnknown = true
            case .sandbox: isKeptOut = true
            case nil: break
            }
            if best.map({ $0.isWorse(than: candidate) }) ?? true { best = candidate }
            guard candidate.rendersFreely(policy) else { continue }
            if render.map({ $0.isWorse(than: candidate) }) ?? true { render = candidate }
        }
        for (index, grant) in grants.enumerated() where grant.from <= now && now < grant.until {
            let candidate = Candidate(grant, index, policy)
            guard candidate.gives else { continue }
            if best.map({ $0.isWorse(than: candidate) }) ?? true { best = candidate }
            guard candidate.rendersFreely(policy) else { continue }
            if render.map({ $0.isWorse(than: candidate) }) ?? true { render = candidate }
        }
        decision.shown = best?.shown ?? .nothing
        decision.status = best?.status
        decision.hasAccess = best?.gives ?? false
        decision.plan = decision.hasAccess ? best?.plan ?? 0 : 0
        if let render {
            decision.canRender = true
            decision.via = render.via
        } else if !decision.hasAccess, policy.rendersFreely[0] {
            decision.canRender = true
            decision.via = .free
        } else if spendable(at: now) >= cost {
            decision.canRender = true
            decision.via = .credits
        }
        if let best, best.gives {
            decision.state = best.isTrial ? .trial : .subscribed
        } else {
            decision.state = spendable(at: now) > 0 ? .freeWithCredits : .freeNoCredits
        }
        if !decision.canRender { decision.reason = reason(for: decision, isKeptOut) }
        return decision
    }

    /// Why this decision is no.
    ///
    /// First match wins: access by a plan without the feature, a product that no plan names, a
    /// purchase of the sandbox that does not count, what the subscription shown has come to,
    /// credits that are spent, nothing at all.
    @inlinable
    func reason(for decision: Decision, _ isKeptOut: Bool) -> Decision.Reason {
        if decision.hasAccess { return .notInPlan }
        if decision.paysForUnknown { return .unknownProduct }
        if isKeptOut { return .sandboxNotAdmitted }
        switch decision.status {
        case .revoked: return .revoked
        case .billingRetry: return .billingRetry
        case .expired: return .expired
        case .cancelled, .trial, .subscribed, .gracePeriod, nil: break
        }
        return flags.contains(.everCredited) ? .creditsExhausted : .neverSubscribed
    }

    /// Whether this slot is the one of its subscription that holds at `now`.
    @inlinable
    package func isCurrent(_ index: Int, at now: Moment) -> Bool {
        let slot = slots[index]
        let isFirst = index == 0 || slots[index - 1].ordinal != slot.ordinal
        if !isFirst, slot.from > now { return false }
        let next = index + 1
        return
            !(next < slots.count && slots[next].ordinal == slot.ordinal
            && slots[next].from <= now)
    }
}

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
    package init(_ slot: Slot, _ index: Int, _ now: Moment, _ policy: Policy, _ admitsSandbox: Bool)
    {
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
            isSandbox ? policy.acceptsSandbox && admitsSandbox : policy.acceptsProduction
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

    @inlinable
    package func rendersFreely(_ policy: Policy) -> Bool { gives && policy.rendersFreely[plan] }

    /// Shown is the best: giving access first, Production before Sandbox, higher rank, later end,
    /// store before grant.
    @inlinable
    package func isWorse(than other: Candidate) -> Bool {
        if gives != other.gives { return other.gives }
        if isSandbox != other.isSandbox { return isSandbox }
        if rank != other.rank { return rank < other.rank }
        if end != other.end { return end < other.end }
        return isGrant && !other.isGrant
    }
}
