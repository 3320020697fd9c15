import Entitlements

/// Looks for subscriptions whose renewal is due soon, or was due, and was not heard of, and asks
/// about them: before the end, so that nobody who paid is cut off, and soon after it.
struct RenewalScan: Sendable {
    /// What a scan found.
    struct Report: Hashable, Sendable {
        /// Renewals found missed that were not before.
        var missed = 0
        var asked = 0
        var applied = 0
        /// Why it was broken off; nil where it came to the end.
        var detail: String?
    }

    let inquiry: Inquiry
    let clock: ReconcilerClock
    /// How long before an end the first question is; 0: none is before it.
    let beforeMilliseconds: Int64
    /// How long after an end without a word the first question is.
    let silenceMilliseconds: Int64

    /// Looks at every subscription once, and asks about those whose turn it is.
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

    /// Asks about those whose turn it is, of those that were found.
    func ask(_ memory: inout RenewalMemory) async -> Report {
        var report = Report()
        await ask(&memory, &report)
        return report
    }

    /// Notes when a subscription is to be asked about, where its end comes before the next scan can
    /// find it in time.
    private func note(
        _ subscription: Subscription,
        _ wall: Moment,
        _ now: Int64,
        _ memory: inout RenewalMemory
    ) {
        guard let due = subscription.unheardRenewal(at: wall) else { return }
        let left = due.milliseconds - wall.milliseconds
        let first =
            beforeMilliseconds > 0 && left > 0
            ? left - beforeMilliseconds
            : subscription.silentFrom(due, silenceMilliseconds).milliseconds - wall.milliseconds
        guard first <= ReconcilerLimits.scanMilliseconds else { return }
        memory.expect(subscription.key, due: due, at: now + max(first, 0))
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
            // It renewed, was cancelled, or is gone: the next scan looks at it again.
            guard let due = due[key], due == memory.due(of: key),
                let subscription = kept.first(where: { $0.key == key })
            else {
                memory.forget(key)
                continue
            }
            let silent = subscription.silentFrom(due, silenceMilliseconds)
            if due <= wall, silent > wall {
                memory.rest(key, until: now + silent.milliseconds - wall.milliseconds)
                continue
            }
            if due <= wall, memory.miss(key) { report.missed += 1 }
            asked.append(subscription)
        }
        for (key, result) in await inquiry.results(about: asked) {
            report.asked += 1
            switch result {
            case .answered(let tally): if tally.applied > 0 { report.applied += 1 }
            case .unknown, .refused: break
            case .unavailable(let failure):
                report.detail = failure.description
                continue
            }
            guard let due = due[key] else { continue }
            rest(key, due.milliseconds - wall.milliseconds, now, &memory)
        }
    }

    /// When to ask again: before the end when half of what is left has gone by, after it with
    /// pauses that double.
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
