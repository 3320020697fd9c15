/// Moments that passed and changed what is true of a user, with nothing heard.
///
/// An observation: it changes no account, and a read never waits for it.
package struct Tick: Hashable, Sendable {
    /// One user, and the moment at which their status changed.
    package struct Passing: Hashable, Comparable, Sendable {
        /// Whose status.
        package let user: UserID
        /// When.
        package let due: Moment

        /// The passing of `due` for `user`.
        package init(user: UserID, due: Moment) {
            self.user = user
            self.due = due
        }

        /// The earlier one first; of one moment in the order of users.
        package static func < (left: Passing, right: Passing) -> Bool {
            (left.due, left.user) < (right.due, right.user)
        }
    }

    /// In the order of their moments; never empty.
    package let passings: [Passing]
    /// Whether other moments before them had come and were not told yet: a command was about to
    /// change these users.
    package let isAhead: Bool

    /// The tick of these passings.
    package init(_ passings: [Passing], isAhead: Bool = false) {
        precondition(!passings.isEmpty, "a tick without passings is none")
        self.passings = passings
        self.isAhead = isAhead
    }
}

extension Account {
    /// The first moment after `now` at which what is true of this account may change.
    package func alarm(after now: Moment, under policy: Policy) -> Moment? {
        let next = answer.nextMoment(after: now, policy)
        return next == .distantFuture ? nil : next
    }

    /// Whether what is true of this account changes at `moment`, by time alone.
    package func turns(at moment: Moment, under policy: Policy) -> Bool {
        let admits = policy.sandboxes(of: user)
        let earlier = Moment(moment.milliseconds - 1)
        return answer.judgement(1, earlier, policy, admits)
            != answer.judgement(1, moment, policy, admits)
            || answer.spendable(at: earlier) != answer.spendable(at: moment)
            // A renewal is due: shown, also where the catalog forgives its being late.
            || answer.slots.contains { $0.paidUntil == moment && $0.marks.contains(.renews) }
    }
}
