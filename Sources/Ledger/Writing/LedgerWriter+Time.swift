import Entitlements

// What time alone changes, and alarms behind another catalog.
extension LedgerWriter {
    /// Writes the changes that time alone made; then sets the alarms of some accounts anew if a new
    /// catalog requires it.
    func passTime() -> LedgerFailure? {
        isTimeRefused = false
        let unobserved = rearming.hasRoom ? observeTime() : nil
        return rearming.isDone ? unobserved : rearm() ?? unobserved
    }

    /// Writes the changes that time alone made, for a bounded number of alarms before each group.
    private func observeTime() -> LedgerFailure? {
        var count = 0
        do {
            let now = try stamp().now
            if clock.takeSetBack() {
                // Moments that were reported while the clock was ahead are still to come.
                observed = min(state.now, now)
                rearmAll()
                return nil
            }
            observed = max(observed, now)
            while let first = alarm, first.due.milliseconds <= clock.wall,
                count < LedgerLimits.alarmsMax
            {
                count += try pass(from: first, limit: LedgerLimits.alarmsMax - count)
                try noteAlarm()
            }
            return nil
        } catch {
            isTimeRefused = true
            let failure = LedgerFailure(error)
            return failure == .notReady ? nil : failure
        }
    }

    /// Fires some due alarms; returns how many were examined, at least one.
    private func pass(from first: Tick.Passing, limit: Int) throws -> Int {
        let stamp = try self.stamp()
        let (fired, held) = try look {
            try $0.due(at: stamp.now, from: first, limit: limit, under: policy, rearming)
        }
        try fire(fired, at: stamp)
        if let held, let told = rearming.told(of: held.user),
            let due = held.alarm(after: told, under: policy)
        {
            var changes = RowChanges()
            try look { try changes.arm(held, after: told, under: policy, from: $0) }
            show(changes)
            // This alarm is examined next, even if it was set before.
            let next = Tick.Passing(user: held.user, due: due)
            alarm = min(alarm ?? next, next)
        }
        return fired.count + (held == nil ? 0 : 1)
    }

    /// Fires alarms that are due, oldest first, and sets the next ones of their accounts.
    private func fire(_ fired: [FiredAlarm], at stamp: Stamp) throws {
        guard let last = fired.last else { return }
        let turns = fired.filter { $0.account?.turns(at: $0.passing.due, under: policy) ?? false }
        let tick = turns.isEmpty ? [] : [Command.Kind.tick(Tick(turns.map(\.passing)))]
        _ = try keep(tick, passing: fired, at: stamp, catalogVersion: policy.source.version)
        for (passing, _) in fired { rearming.note(passing) }
        // Where flushes take long, more is due by now than when this round began.
        observed = max(observed, last.passing.due)
    }

    /// The accounts that `desk` changes although a moment of theirs has passed and was not
    /// reported, because they wait for their alarms.
    ///
    /// - Returns: these accounts, as they were before.
    func overdue(
        on desk: borrowing Desk,
        at now: Moment,
        from snapshot: Snapshot
    ) throws -> [Account] {
        if rearming.isDone { return [] }
        return try desk.accounts.changed.compactMap { user in
            guard let told = rearming.told(of: user), let account = try snapshot.readable(user),
                let due = account.alarm(after: told, under: policy), due <= now
            else { return nil }
            return account
        }
    }

    /// Reports each moment of `accounts` that has passed and was not reported.
    func passOverdue(_ accounts: [Account]) throws(LedgerFailure) {
        let stamp = try self.stamp()
        var fired: [FiredAlarm] = []
        for account in accounts {
            var told = rearming.told(of: account.user) ?? .distantFuture
            while let due = account.alarm(after: told, under: policy), due <= stamp.now {
                fired.append((Tick.Passing(user: account.user, due: due), account))
                told = due
            }
        }
        fired.sort { $0.passing < $1.passing }
        do {
            try fire(fired, at: stamp)
        } catch {
            throw LedgerFailure(error)
        }
    }

    /// Notes that whoever `desk` changed was told of everything up to `now`: a command itself tells
    /// what it changes, and no clock tells it again.
    func noteChanges(on desk: borrowing Desk, at now: Moment) {
        if rearming.isDone { return }
        for user in desk.accounts.changed { rearming.note(Tick.Passing(user: user, due: now)) }
    }

    /// Sets the alarms of some more accounts anew.
    private func rearm() -> LedgerFailure? {
        do {
            try checkpointer.makeRoom(for: LedgerLimits.rearmedAccountsMax)
            var changes = RowChanges()
            let (done, next) = try look {
                try changes.rearm(rearming, under: policy, from: $0)
            }
            show(changes)
            rearming.advance(done, to: next)
            return nil
        } catch {
            isTimeRefused = true
            return LedgerFailure(error)
        }
    }

    /// Begins to set all alarms anew, if the catalog in force is so recent that it may have added a
    /// future moment to an account whose alarm has already fired.
    ///
    /// Also called at each start, because the previous process may have stopped half way.
    func beginRearming() {
        let reach = max(policy.lateRenewal, policy.graceFallback)
        guard reach > 0, let installed = try? look({ try $0.catalogs().last }),
            clock.wall < installed.from.advanced(byMilliseconds: reach).milliseconds
        else { return }
        rearmAll()
    }

    private func rearmAll() {
        while !rearming.takesMore, rearm() == nil {}
        rearming.begin(after: observed)
    }
}
