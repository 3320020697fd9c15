/// What of an answer is shown at a moment, and what lets the user render.
@frozen
package struct Showing {
    /// The moment.
    package let at: Moment
    /// The best of all that holds.
    package var best: Candidate?
    /// The best of what gives unlimited rendering.
    package var render: Candidate?
    /// Whether something is paid for that no plan names.
    package var paysForUnknown = false
    /// Whether something of the sandbox would give access if it let this user in.
    package var isKeptOut = false

    @inlinable
    init(at moment: Moment) { at = moment }

    /// Whether a subscription or grant gives access.
    @inlinable package var gives: Bool { best?.gives ?? false }

    /// What callers see of it, and what `nextChangeAt` looks at.
    @frozen
    package struct Visible: Hashable, Sendable {
        package let canRender: Bool
        package let state: Decision.State
        package let status: Decision.Status?
        package let plan: Int

        @inlinable
        init(
            canRender: Bool,
            state: Decision.State,
            status: Decision.Status?,
            plan: Int
        ) {
            self.canRender = canRender
            self.state = state
            self.status = status
            self.plan = plan
        }
    }

    /// What is seen where `credits` can be spent and something costs `cost`.
    @inlinable
    package func visible(with credits: Int64, _ cost: Int64, _ policy: Policy) -> Visible {
        let state: Decision.State
        if let best, best.gives {
            state = best.isTrial ? .trial : .subscribed
        } else {
            state = credits > 0 ? .freeWithCredits : .freeNoCredits
        }
        return Visible(
            canRender: render != nil || isFree(policy) || credits >= cost,
            state: state,
            status: best?.status,
            plan: gives ? best?.plan ?? 0 : 0
        )
    }

    /// Whether the plan `free` applies and has unlimited rendering.
    @inlinable
    package func isFree(_ policy: Policy) -> Bool { !gives && policy.rendersFreely[0] }

    @inlinable
    mutating func take(_ candidate: Candidate, _ policy: Policy) {
        if best.map({ $0.isWorse(than: candidate) }) ?? true { best = candidate }
        guard candidate.rendersFreely(policy) else { return }
        if render.map({ $0.isWorse(than: candidate) }) ?? true { render = candidate }
    }

    /// Whether something visible may change when `candidate` begins to hold beside what is shown.
    @inlinable
    func mayGiveWay(to candidate: Candidate, _ policy: Policy) -> Bool {
        guard let best else { return true }
        // Of two that rank alike the first in the account is shown.
        if !candidate.isWorse(than: best) { return true }
        return render == nil && candidate.rendersFreely(policy)
    }
}

extension Slot {
    /// Whether nothing of it lasts: a pack of credits is not shown as a subscription, also where it
    /// was bought for good.
    @inlinable
    package func isOfPack(_ policy: Policy) -> Bool {
        if paidUntil == .distantPast { return !marks.isPending }
        return paidUntil == .distantFuture && policy.isPack(ofNumber: product)
    }
}

extension Answer {
    /// Looks at every slot and grant once.
    @inlinable
    package func showing(at now: Moment, _ policy: Policy, _ sandboxes: StoreSet) -> Showing {
        var showing = Showing(at: now)
        for index in slots.indices where isCurrent(index, at: now) {
            if slots[index].isOfPack(policy) { continue }
            let candidate = Candidate(slots[index], index, now, policy, sandboxes)
            switch candidate.obstacle {
            case .unknownProduct: showing.paysForUnknown = true
            case .sandbox: showing.isKeptOut = true
            case nil: break
            }
            showing.take(candidate, policy)
        }
        for index in grants.indices where grants[index].from <= now && now < grants[index].until {
            let candidate = Candidate(grants[index], index, policy)
            if candidate.gives { showing.take(candidate, policy) }
        }
        return showing
    }

    /// Until when `showing` holds: up to then no other slot or grant is shown, and none begins or
    /// ceases to render.
    ///
    /// The rank of a candidate falls with time and rises only when it begins. So another one comes
    /// first only where one that is shown falls, or where one begins that outranks it.
    @inlinable
    func end(of showing: Showing, _ policy: Policy, _ sandboxes: StoreSet) -> Moment {
        var end = min(
            fall(of: showing.best, showing, policy),
            fall(of: showing.render, showing, policy)
        )
        for index in slots.indices {
            let slot = slots[index]
            guard slot.from > showing.at, slot.from < end, slot.paidUntil != .distantPast else {
                continue
            }
            if slot.isOfPack(policy) { continue }
            guard !isCurrent(index, at: showing.at), isCurrent(index, at: slot.from) else {
                continue
            }
            let candidate = Candidate(slot, index, slot.from, policy, sandboxes)
            if showing.mayGiveWay(to: candidate, policy) { end = slot.from }
        }
        for index in grants.indices {
            let grant = grants[index]
            guard grant.from > showing.at, grant.from < end, grant.from < grant.until else {
                continue
            }
            let candidate = Candidate(grant, index, policy)
            if candidate.gives, showing.mayGiveWay(to: candidate, policy) { end = grant.from }
        }
        return end
    }

    /// The first moment at which something about `candidate`, which is shown, may change.
    @inlinable
    func fall(of candidate: Candidate?, _ showing: Showing, _ policy: Policy) -> Moment {
        switch candidate?.shown {
        case .slot(let index):
            let next = slots[index].nextMoment(after: showing.at, under: policy)
            let successor = index + 1
            guard successor < slots.count, slots[successor].ordinal == slots[index].ordinal,
                !slots[successor].isBeside(slots[index])
            else { return next }
            return min(next, slots[successor].from)
        case .grant(let index): return grants[index].until
        case .nothing, nil: return .distantFuture
        }
    }

    /// Whether this slot is the one of its subscription that holds at `now`, or one of those that
    /// hold side by side.
    @inlinable
    package func isCurrent(_ index: Int, at now: Moment) -> Bool {
        let slot = slots[index]
        let isFirst = index == 0 || slots[index - 1].ordinal != slot.ordinal
        if !isFirst, slot.from > now { return false }
        let next = index + 1
        return
            !(next < slots.count && slots[next].ordinal == slot.ordinal
            && slots[next].from <= now && !slots[next].isBeside(slot))
    }
}
