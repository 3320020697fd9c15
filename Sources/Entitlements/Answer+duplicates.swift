extension Answer {
    /// Whether two subscriptions of one environment renew: the user pays twice.
    ///
    /// One renews that is paid or in grace and of which nothing says that it ends.
    package func paysTwice(at now: Moment, under policy: Policy) -> Bool {
        var seen: (production: UInt16?, sandbox: UInt16?)
        for index in slots.indices where isCurrent(index, at: now) {
            let slot = slots[index]
            let isOn = slot.marks.contains(.renews) || slot.marks.contains(.billingProblem)
            if slot.marks.contains(.dated) || !isOn || slot.marks.contains(.renewalOff) { continue }
            switch slot.standing(at: now, under: policy) {
            case .active, .grace: break
            case .retry, .lapsed, .revoked, .paused, .pending: continue
            }
            switch slot.environment {
            case .production:
                if let other = seen.production, other != slot.ordinal { return true }
                seen.production = slot.ordinal
            case .sandbox:
                if let other = seen.sandbox, other != slot.ordinal { return true }
                seen.sandbox = slot.ordinal
            }
        }
        return false
    }
}
