import Entitlements

/// Finds subscriptions whose renewal is due soon, or was due, without a message, and asks about
/// them: before the end, so that nobody who has paid loses access, and soon after it.
///
/// The end is that of the grace period, where there is one.
struct RenewalScan: Sendable {
    /// The result of a scan.
    struct Report: Hashable, Sendable {
        /// Renewals that were newly found to be missed.
        var missed = 0
        var asked = 0
        var applied = 0
        /// Why the scan stopped early; nil if it was completed.
        var detail: String?
    }

    let inquiry: Inquiry
    let clock: ReconcilerClock
    /// In which environment it asks, about the subscriptions that the store knows there; nil for
    /// all.
    var environment: StoreEnvironment?
    /// How long before the end of a paid period the first question is asked; 0: none before it.
    let beforeMilliseconds: Int64
    /// How long after an end without a message the first question is asked.
    let silenceMilliseconds: Int64

    /// Examines every subscription once, and asks about those that are due to be asked about.
    func run(_ memory: inout RenewalMemory) async -> Report {
        var report = Report()
        var cursor = inquiry.start
        while !Task.isCancelled {
            do throws(BookFailure) {
                let page = try await inquiry.page(after: cursor)
                guard let last = page.last else { break }
                let (wall, now) = (clock.wall(), clock.monotonic())
                for subscription in page { note(subscription, wall, now, &memory) }
                cursor = last.key
            } catch {
                report.detail = error.detail
                return report
            }
        }
        await ask(&memory, &report)
        return report
    }

    /// Asks about the remembered subscriptions that are due to be asked about.
    func ask(_ memory: inout RenewalMemory) async -> Report {
        var report = Report()
        await ask(&memory, &report)
        return report
    }

    /// Notes when to ask about a subscription, if that time may come before the next scan.
    private func note(
        _ subscription: Subscription,
        _ wall: Moment,
        _ now: Int64,
        _ memory: inout RenewalMemory
    ) {
        guard let due = subscription.unheardRenewal(at: wall),
            environment.map({ inquiry.asks(about: subscription.key, in: $0) }) ?? true
        else { return }
        let left = due.milliseconds(since: wall)
        let first =
            beforeMilliseconds > 0 && left > 0
            ? left - beforeMilliseconds
            : subscription.silentFrom(due, silenceMilliseconds, at: wall).milliseconds(since: wall)
        guard first <= ReconcilerLimits.scanMilliseconds else { return }
        memory.expect(
            subscription.key,
            due: due,
            at: now + max(first, 0),
            isLongAgo: left <= -Limits.billingRetryMilliseconds
        )
    }

    private func ask(_ memory: inout RenewalMemory, _ report: inout Report) async {
        let turns = memory.turns(at: clock.monotonic())
        var start = 0
        while report.detail == nil, start < turns.count, !Task.isCancelled {
            let end = min(start + ReconcilerLimits.pageSubscriptions, turns.count)
            await ask(about: Array(turns[start..<end]), &memory, &report)
            start = end
        }
    }

    private func ask(
        about keys: [SubscriptionKey],
        _ memory: inout RenewalMemory,
        _ report: inout Report
    ) async {
        let kept: [Subscription]
        do throws(BookFailure) {
            kept = try await inquiry.intake.book.subscriptions(of: keys)
        } catch {
            report.detail = error.detail
            return
        }
        let (wall, now) = (clock.wall(), clock.monotonic())
        var due: [SubscriptionKey: Moment] = [:]
        for subscription in kept { due[subscription.key] = subscription.unheardRenewal(at: wall) }
        var asked: [Subscription] = []
        for key in keys {
            // It was renewed, cancelled or removed: forget it until the next scan.
            guard let due = due[key], due == memory.due(of: key),
                let subscription = kept.first(where: { $0.key == key })
            else {
                memory.forget(key)
                continue
            }
            let silent = subscription.silentFrom(due, silenceMilliseconds, at: wall)
            if due <= wall, silent > wall {
                memory.rest(key, until: now + silent.milliseconds - wall.milliseconds)
                continue
            }
            if due <= wall, subscription.isMissed(at: wall), memory.miss(key) {
                report.missed += 1
            }
            asked.append(subscription)
        }
        var failures = FailureRun<SubscriptionKey>()
        let (results, detail) = await inquiry.results(about: asked, &failures)
        report.detail = detail ?? report.detail
        for (key, result) in results {
            report.asked += 1
            switch result {
            case .answered(let tally): if tally.applied > 0 { report.applied += 1 }
            case .unknown, .refused: break
            // The same question again, soon: the store did not answer any.
            case .unavailable: if detail != nil { continue }
            }
            guard let due = due[key] else { continue }
            rest(key, due.milliseconds(since: wall), now, &memory)
        }
    }

    /// Notes when to ask again: before the end after half of the remaining time, after the end with
    /// doubling pauses.
    private func rest(
        _ key: SubscriptionKey,
        _ left: Int64,
        _ now: Int64,
        _ memory: inout RenewalMemory
    ) {
        guard left > 0 else { return memory.double(key, at: now, pause: silenceMilliseconds) }
        let half = left / 2
        let isLast = half < max(beforeMilliseconds / ReconcilerLimits.askBeforeParts, 1)
        memory.rest(key, until: now + (isLast ? left + silenceMilliseconds : half))
    }
}
