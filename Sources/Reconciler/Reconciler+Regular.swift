import Entitlements
import Synchronization

/// The regular work.
extension Reconciler {
    /// Walks through the missed notifications, then repeatedly through failed deliveries.
    ///
    /// A walk through everything is repeated as often as the sweep, so that the mark never becomes
    /// older than the store's history.
    func walk(with client: ScopeClient) async {
        guard questions.reach(of: client.scope) != nil else { return }
        var incomplete = 0
        var next = clock.monotonic()
        while !Task.isCancelled {
            let now = clock.monotonic()
            let due = now + seconds(settings.failuresEverySeconds)
            if now < next {
                _ = await walkOnce(with: client, onlyFailures: true)
            } else if let isCompleted = await walkOnce(with: client, onlyFailures: false) {
                incomplete = isCompleted ? 0 : incomplete + 1
                next = now + pause(afterIncomplete: incomplete)
            } else {
                // A walk that a caller started is under way; try again later.
                next = due
            }
            let pause = min(due, max(next, now)) - clock.monotonic()
            guard await rest(pause) else { return }
        }
    }

    /// Asks repeatedly about renewals that are due soon, or were due and brought no message.
    ///
    /// The time of a scan, and of the pause after it, grows with the number of subscriptions.
    /// Between two scans, the subscriptions that were found are asked about, each when it is due.
    ///
    /// Each environment has its own round: where the store's server for tests does not answer, or
    /// refuses the key, those who pay are asked about all the same.
    func listen(in environment: StoreEnvironment) async {
        let (before, silence) = (
            seconds(settings.askBeforeEndSeconds), seconds(settings.askAfterSilenceSeconds)
        )
        let scan = RenewalScan(
            inquiry: inquiry,
            clock: clock,
            environment: environment,
            beforeMilliseconds: before,
            silenceMilliseconds: silence
        )
        var memory = RenewalMemory()
        let bounds = ReconcilerLimits.askPaceMilliseconds
        let shortest = (before > 0 ? min(before, silence) : silence) / 4
        let pace = min(max(shortest, bounds.lowerBound), bounds.upperBound)
        var (next, pause) = (clock.monotonic(), pace)
        // Pause first: the walk that began with the process may bring the answer.
        while await rest(pause) {
            let began = clock.monotonic()
            let found: RenewalScan.Report
            if began >= next {
                found = await scan.run(&memory)
                let took = clock.monotonic() - began
                let rest = max(took * ReconcilerLimits.scanRest, pace)
                next = clock.monotonic() + min(rest, ReconcilerLimits.scanMilliseconds)
            } else {
                found = await scan.ask(&memory)
            }
            note(found)
            if let detail = found.detail {
                report(.silenceUnasked(detail: detail))
                pause = min(pause * 2, max(pace, ReconcilerLimits.askAgainMilliseconds))
            } else {
                pause = pace
            }
        }
    }

    /// Sends missing acknowledgements repeatedly.
    ///
    /// The time of a scan, and of the pause after it, grows with the number of purchases. What the
    /// store took to answer prolongs the pause only if it refused something: a licence tester's
    /// purchase must be acknowledged within minutes, however many others there are.
    func acknowledge() async {
        guard questions.hearsOfPurchases else { return }
        let scan = AcknowledgementScan(inquiry: inquiry, clock: clock)
        let shortest = ReconcilerLimits.askPaceMilliseconds.lowerBound
        var pause = shortest
        var retries = Retries<SubscriptionKey>()
        while await rest(pause) {
            let began = clock.monotonic()
            let found = await scan.run(&retries)
            // A scan that stopped early has not seen all purchases; use its figures only if they
            // are higher than the last ones.
            let isWhole = found.detail == nil
            state.withLock { state in
                if isWhole || found.unheard.untold > state.progress.unheard.untold {
                    state.progress.unheard = found.unheard
                }
            }
            if let detail = found.detail ?? found.refusal {
                report(.acknowledgementsPaused(detail: detail))
            }
            if found.detail != nil {
                pause = min(pause * 2, ReconcilerLimits.askAgainMilliseconds)
            } else {
                let asked = found.refused > 0 ? 0 : found.askedMilliseconds
                let rest = (clock.monotonic() - began - asked) * ReconcilerLimits.scanRest
                pause = min(max(rest, shortest), ReconcilerLimits.acknowledgeMilliseconds)
            }
        }
    }

    /// Asks repeatedly about notifications that came while the store did not answer questions.
    ///
    /// Usually no notification waits, and checking this costs almost nothing.
    func askAnnounced() async {
        guard questions.announces else { return }
        let scan = AnnouncementScan(inquiry: inquiry, clock: clock)
        let shortest = ReconcilerLimits.askPaceMilliseconds.lowerBound
        var pause = shortest
        var retries = Retries<NotificationID>()
        while await rest(pause) {
            let found = await scan.run(&retries)
            state.withLock { $0.progress.applied += found.applied }
            if let detail = found.detail {
                report(.announcementsPaused(detail: detail))
                // Where others were answered, it is not the store.
                pause =
                    found.asked > 0
                    ? shortest : min(pause * 2, ReconcilerLimits.askAgainMilliseconds)
            } else {
                pause = shortest
            }
        }
    }

    /// Sweeps repeatedly.
    func sweepRegularly() async {
        var failures = 0
        while !Task.isCancelled {
            let now = clock.wall()
            var pause: Int64 = 0
            if let last = marks.marks.sweep, last.isCompleted {
                let due = last.startedAt.advanced(
                    byMilliseconds: seconds(settings.sweepEverySeconds)
                )
                // A clock that was set back must not delay the sweep for years.
                pause = min(
                    due.milliseconds(since: now),
                    seconds(settings.sweepEverySeconds)
                )
            }
            if pause <= 0 {
                let isCompleted = await sweepOnce() ?? true
                failures = isCompleted ? 0 : failures + 1
                pause = isCompleted ? 1_000 : Self.sweepAgain.pause(after: failures, chance: 1)
            }
            guard await rest(pause) else { return }
        }
    }

    /// Makes one walk; returns whether it was completed, or nil if another is under way.
    ///
    /// For a store without such a history the walk counts as completed.
    func walkOnce(with client: ScopeClient, onlyFailures: Bool) async -> Bool? {
        let scope = client.scope
        guard let reach = questions.reach(of: scope) else { return true }
        return await once(.walk(scope)) {
            let now = clock.wall()
            let marks = marks.marks
            let last = marks.walks[scope]
            let mark = onlyFailures ? marks.failureWalks[scope] ?? last : last
            let window = NotificationWalk.window(since: mark, reach, at: now)
            let first = questions.missed(in: window, onlyFailures: onlyFailures, of: scope)
            guard let first else {
                // A store that has a history may not know what it could not deliver.
                self.marks.change { $0.failureWalks[scope] = now }
                state.withLock {
                    $0.progress.walks[scope, default: .init()].failuresCompletedAt = now
                }
                return true
            }
            let walk = NotificationWalk(
                client: client,
                intake: intake,
                onlyFailures: onlyFailures
            )
            let found = await walk.run(first, window) { report in
                state.withLock { $0.progress.walks[scope]?.present = report }
            }
            if found.isCompleted {
                self.marks.change { marks in
                    if onlyFailures {
                        marks.failureWalks[scope] = now
                    } else {
                        marks.walks[scope] = now
                    }
                }
            }
            note(found, of: scope, at: now)
            return found.isCompleted
        }
    }

    /// Continues the sweep, or begins one; returns whether it was completed, or nil if another is
    /// under way.
    func sweepOnce() async -> Bool? {
        await once(.sweep) {
            let now = clock.wall()
            let every = seconds(settings.sweepEverySeconds)
            marks.change { marks in
                // One that cannot go on, because the part that is left is refused, ends when the
                // next is due.
                let isOver = marks.sweep.map {
                    $0.isCompleted || now.milliseconds(since: $0.startedAt) >= every
                }
                if isOver ?? true {
                    marks.sweep = Marks.Sweep(startedAt: now, cursor: nil, isCompleted: false)
                }
            }
            var found = SweepReport(startedAt: marks.marks.sweep?.startedAt ?? now)
            show(found, isSweeping: true)
            let sweep = Sweep(inquiry: inquiry, marks: marks, clock: clock)
            let detail = await sweep.run(&found) { show($0, isSweeping: true) }
            show(found, isSweeping: false)
            state.withLock { state in
                state.progress.applied += found.applied
                state.progress.refused += found.refused
                state.progress.sweepDetail = detail
                if detail == nil { state.progress.sweptAt = clock.wall() }
            }
            if let detail {
                report(.sweepPaused(found, detail: detail))
            } else {
                report(.sweepCompleted(found))
            }
            return detail == nil
        }
    }

    private static let sweepAgain = Backoff(first: 60_000, longest: 3_600_000)

    private func pause(afterIncomplete count: Int) -> Int64 {
        guard count > 0 else { return seconds(settings.sweepEverySeconds) }
        let again = Backoff(
            first: seconds(settings.failuresEverySeconds),
            longest: max(
                ReconcilerLimits.walkAgainMilliseconds,
                seconds(settings.failuresEverySeconds)
            )
        )
        return again.pause(after: count, chance: 1)
    }

    private func show(_ report: SweepReport, isSweeping: Bool) {
        state.withLock { state in
            state.progress.sweep = report
            state.progress.isSweeping = isSweeping
        }
    }

    private func note(_ found: WalkReport, of scope: StoreScope, at start: Moment) {
        state.withLock { state in
            var walks = state.progress.walks[scope] ?? .init()
            walks.present = nil
            walks.detail = found.isCompleted ? nil : found.detail
            if found.isCompleted {
                walks.completed += 1
                if found.onlyFailures {
                    walks.failuresCompletedAt = start
                } else {
                    walks.completedAt = start
                }
            } else {
                walks.incomplete += 1
            }
            state.progress.walks[scope] = walks
            state.progress.applied += found.applied
            state.progress.refused += found.refused
        }
        report(
            found.isCompleted
                ? .walkCompleted(scope, found) : .walkIncomplete(scope, found)
        )
    }

    private func note(_ found: RenewalScan.Report) {
        let now = clock.wall()
        let missed = state.withLock { state -> Int? in
            for _ in 0..<found.missed { state.alarm.miss() }
            state.progress.renewalsMissed = state.alarm.missed
            state.progress.silentAsked += found.asked
            state.progress.applied += found.applied
            let wasSilent = state.progress.storeIsSilent
            state.progress.storeIsSilent = state.alarm.isSilent(at: now)
            return state.progress.storeIsSilent && !wasSilent ? state.alarm.missed : nil
        }
        if let missed { report(.storeSilent(renewalsDue: missed)) }
    }

    /// Waits; returns false if the task was cancelled.
    private func rest(_ milliseconds: Int64) async -> Bool {
        do throws(StoreAPIFailure) {
            try await clock.rest(max(milliseconds, 1))
            return true
        } catch {
            return false
        }
    }

    private func seconds(_ count: Int) -> Int64 { Int64(count) * 1_000 }
}
