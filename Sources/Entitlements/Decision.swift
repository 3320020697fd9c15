/// The answer to `canRender`, and the part of every status that changes with time.
@frozen
package struct Decision: Hashable, Sendable {
    /// Whether this user may do what was asked about now: render, unless the policy is asked about
    /// another feature.
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
        case pending
        case paused
        case billingRetry = "billing_retry"
        case expired
        case creditsExhausted = "credits_exhausted"
        case neverSubscribed = "never_subscribed"
    }

    /// The status of a subscription.
    package enum Status: String, Sendable {
        case revoked
        case pending
        case cancelled
        case trial
        case subscribed
        case gracePeriod = "grace_period"
        case paused
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
}

extension Answer {
    /// Answers whether the user may do something that costs `cost` credits, and what they are.
    ///
    /// - Parameters:
    ///   - cost: 1 to 10⁹ credits.
    ///   - now: the moment asked about.
    ///   - policy: what products and plans mean.
    ///   - sandboxes: the stores whose sandbox purchases let this user in.
    /// - Returns: the decision, with the first moment after `now` at which it changes.
    @inlinable
    package func decision(
        ofCost cost: Int64,
        at now: Moment,
        under policy: Policy,
        sandboxes: StoreSet
    ) -> Decision {
        if flags.contains(.dated) {
            return dated(under: policy)
                .decision(ofCost: cost, at: now, under: policy, sandboxes: sandboxes)
        }
        let cost = policy.creditsPay ? cost : .max
        let showing = showing(at: now, policy, sandboxes)
        var decision = decision(showing, cost, policy)
        var looks = 0
        decision.nextChange =
            nextChange(after: showing, cost, policy, sandboxes, counting: &looks)
        return decision
    }

    /// The same without the moment at which it changes.
    @inlinable
    package func judgement(
        _ cost: Int64,
        _ now: Moment,
        _ policy: Policy,
        _ sandboxes: StoreSet
    ) -> Decision {
        if flags.contains(.dated) {
            return dated(under: policy).judgement(cost, now, policy, sandboxes)
        }
        let cost = policy.creditsPay ? cost : .max
        return decision(showing(at: now, policy, sandboxes), cost, policy)
    }

    /// The first moment after `now` at which anything in it begins or ends.
    @inlinable
    package func nextMoment(after now: Moment, _ policy: Policy) -> Moment {
        if flags.contains(.dated) { return dated(under: policy).nextMoment(after: now, policy) }
        var next = Moment.distantFuture
        for slot in slots {
            next = min(next, slot.nextMoment(after: now, under: policy))
        }
        for grant in grants {
            if grant.from > now { next = min(next, grant.from) }
            if grant.until > now { next = min(next, grant.until) }
        }
        let begun = balancesBegun(at: now)
        return begun < balances.count ? min(next, balances[begun].from) : next
    }

    @inlinable
    func decision(_ showing: Showing, _ cost: Int64, _ policy: Policy) -> Decision {
        let credits = spendable(at: showing.at)
        let visible = showing.visible(with: credits, cost, policy)
        var decision = Decision()
        decision.canRender = visible.canRender
        decision.state = visible.state
        decision.status = visible.status
        decision.plan = visible.plan
        decision.shown = showing.best?.shown ?? .nothing
        decision.hasAccess = showing.gives
        decision.paysForUnknown = showing.paysForUnknown
        if let render = showing.render {
            decision.via = render.via
        } else if visible.canRender {
            decision.via = showing.isFree(policy) ? .free : .credits
        } else {
            decision.reason = reason(for: decision, showing.isKeptOut)
        }
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
        case .pending: return .pending
        case .paused: return .paused
        case .billingRetry: return .billingRetry
        case .expired: return .expired
        case .cancelled, .trial, .subscribed, .gracePeriod, nil: break
        }
        return flags.contains(.everCredited) ? .creditsExhausted : .neverSubscribed
    }
}
