import Entitlements
import Journal

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
                backlog.forget(behind: observed)
                rearmAll()
                return nil
            }
            observed = max(observed, now)
            while let first = alarm, first.due.milliseconds <= clock.wall,
                count < LedgerLimits.alarmsMax || !backlog.hasRoom
            {
                count += try pass(from: first, limit: LedgerLimits.alarmsMax)
                try noteAlarm()
            }
            backlog.forget(before: alarm)
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
            try $0.due(
                at: stamp.now,
                from: first,
                limit: limit,
                under: policy,
                rearming,
                told: told
            )
        }
        try fire(fired, at: stamp, isAhead: !rearming.isDone)
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

    /// Up to when everything was told of the user of an alarm, as far as anything says that.
    private func told(_ alarm: Tick.Passing, _ account: Account?) throws -> Moment {
        let told = backlog.told(at: alarm) ?? .distantPast
        guard let account else { return told }
        return try self.told(of: account, atLeast: told, at: alarm.due)
    }

    /// The same for an account of which it is known up to `told`, and of which something is due.
    ///
    /// It may be later where the process before has changed it: the command told what was true
    /// then, and an alarm from before may still be there.
    private func told(of account: Account, atLeast told: Moment, at due: Moment) throws -> Moment {
        guard due <= backlog.resumed, let entry = try journal.entry(account.lastSeq) else {
            return told
        }
        let changed = try EntryBody.content(of: entry).now
        return max(told, min(changed, backlog.resumed))
    }

    /// Fires alarms that are due, oldest first, and sets the next ones of their accounts.
    ///
    /// `isAhead`: alarms before them may have not fired.
    private func fire(_ fired: [FiredAlarm], at stamp: Stamp, isAhead: Bool) throws {
        guard let last = fired.last else { return }
        let turns = fired.filter { alarm in
            guard !alarm.isTold, let account = alarm.account else { return false }
            return account.turns(at: alarm.passing.due, under: policy)
        }
        let tick = turns.isEmpty ? nil : Tick(turns.map(\.passing), isAhead: isAhead)
        let kinds = tick.map { [Command.Kind.tick($0)] } ?? []
        _ = try keep(kinds, passing: fired, at: stamp, catalogVersion: policy.source.version)
        for alarm in fired { rearming.note(alarm.passing) }
        // Where flushes take long, more is due by now than when this round began.
        observed = max(observed, last.passing.due)
    }

    /// An account of which something has come that was not told, and up to when everything was.
    typealias Overdue = (account: Account, told: Moment)

    /// The accounts that `desk` changes although a moment of theirs has passed and was not
    /// reported: because they wait for their alarms, or because more alarms are due than have
    /// fired.
    ///
    /// - Returns: these accounts, as they were before.
    func overdue(
        on desk: borrowing Desk,
        at now: Moment,
        from snapshot: Snapshot
    ) throws -> [Overdue] {
        // Usually no alarm is due.
        var first = hasDue(at: now) ? try snapshot.nextAlarm(from: alarm) : nil
        if let found = first, found.due > now { first = nil }
        if rearming.isDone, first == nil { return [] }
        return try desk.accounts.changed.compactMap { user in
            let reached = first.map { backlog.told(of: user, before: $0) }
            guard var told = rearming.told(of: user, upTo: reached ?? .distantFuture) ?? reached,
                let account = try snapshot.readable(user)
            else { return nil }
            if let due = first?.due {
                told = try self.told(of: account, atLeast: told, at: due)
            }
            guard let due = account.alarm(after: told, under: policy), due <= now
            else { return nil }
            return (account, told)
        }
    }

    private func hasDue(at now: Moment) -> Bool { alarm.map { $0.due <= now } ?? false }

    /// Reports each moment of `accounts` that has passed and was not reported.
    func passOverdue(_ accounts: [Overdue]) throws(LedgerFailure) {
        let stamp = try self.stamp()
        var fired: [FiredAlarm] = []
        for (account, told) in accounts {
            var told = told
            while let due = account.alarm(after: told, under: policy), due <= stamp.now {
                let passing = Tick.Passing(user: account.user, due: due)
                fired.append(FiredAlarm(passing: passing, account: account, told: told))
                told = due
            }
        }
        fired.sort { $0.passing < $1.passing }
        do {
            try fire(fired, at: stamp, isAhead: true)
        } catch {
            throw LedgerFailure(error)
        }
        for (account, _) in accounts { backlog.note(account.user, upTo: stamp.now) }
    }

    /// Notes that whoever `desk` changed was told of everything up to `now`: a command itself tells
    /// what it changes, and no clock tells it again.
    func noteChanges(on desk: borrowing Desk, at now: Moment) {
        let isLate = hasDue(at: now)
        if rearming.isDone, !isLate { return }
        for user in desk.accounts.changed {
            rearming.note(Tick.Passing(user: user, due: now))
            if isLate { backlog.note(user, upTo: now) }
        }
    }

    /// Writes all that time alone changed under the catalog in force, however much it is.
    func passAllTime() throws(LedgerFailure) {
        while !rearming.isDone || hasDue(at: Moment(clock.wall)) {
            if let failure = passTime() { throw failure }
            if isTimeRefused { return }
        }
    }

    /// Writes what is due under the catalog in force, as much as callers may wait for.
    func passDueTime() throws(LedgerFailure) {
        for _ in 0..<LedgerLimits.installRoundsMax where hasDue(at: Moment(clock.wall)) {
            if let failure = passTime() { throw failure }
            if isTimeRefused { return }
        }
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
            // It is stored with the next group, and with it or before it all that was set.
            if rearming.isDone { state.armed = state.catalog?.version ?? 0 }
            return nil
        } catch {
            isTimeRefused = true
            return LedgerFailure(error)
        }
    }

    /// Begins to set all alarms anew, if the catalog in force may have added a moment that was not
    /// observed yet to an account whose alarm has already fired.
    ///
    /// Also called at each start, before time is observed: the previous process may have stopped
    /// half way, and moments may have passed since. A start after one that had finished sets none.
    func beginRearming() {
        let reach = max(policy.lateRenewal, policy.graceFallback)
        guard reach > 0 || policy.hasDays, let installed = try? look({ try $0.catalogs().last })
        else { return }
        if state.armed == installed.stamp.version { return }
        // What was bought for a number of days may end at any time.
        if policy.hasDays || observed < installed.from.advanced(byMilliseconds: reach) {
            rearmAll()
        }
    }

    private func rearmAll() {
        state.armed = 0
        while !rearming.takesMore, rearm() == nil {}
        rearming.begin(after: observed)
    }
}
