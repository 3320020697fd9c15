import Entitlements

/// Looks for subscriptions whose renewal is due and of which nothing was heard, and asks about
/// them.
struct SilenceScan: Sendable {
    /// Which subscriptions were asked about, so that none is asked about too often.
    ///
    /// The store may go on saying what is known: the pause doubles each time, up to a day.
    struct Memory: Sendable {
        private struct Entry {
            /// The renewal that was due.
            var due: Moment
            var times: Int
            /// In monotonic ms.
            var again: Int64
        }

        private var entries: [SubscriptionKey: Entry] = [:]

        /// Notes that the renewal of `key` that was due then is missed; answers whether that is
        /// news.
        mutating func miss(_ key: SubscriptionKey, due: Moment, at now: Int64) -> Bool {
            if let entry = entries[key], entry.due == due { return false }
            // Forgetting all costs a question each.
            if entries.count >= ReconcilerLimits.silentRememberedMax { entries = [:] }
            entries[key] = Entry(due: due, times: 0, again: now)
            return true
        }

        /// Whether `key`, which is missed, may be asked about at `now`.
        func isDue(_ key: SubscriptionKey, at now: Int64) -> Bool {
            entries[key].map { now >= $0.again } ?? false
        }

        /// Notes that the store said something about `key`.
        mutating func asked(_ key: SubscriptionKey, at now: Int64, pause: Int64) {
            guard var entry = entries[key] else { return }
            let longest = ReconcilerLimits.day
            entry.again = now + min(pause << Int64(min(entry.times, 20)), longest)
            entry.times += 1
            entries[key] = entry
        }
    }

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
    let book: any ReconciledBook
    let clock: ReconcilerClock
    let silenceMilliseconds: Int64

    /// Looks at every subscription once.
    func run(_ memory: inout Memory) async -> Report {
        var report = Report()
        var cursor: SubscriptionKey?
        while report.detail == nil, !Task.isCancelled {
            let page: [Subscription]
            do throws(BookFailure) {
                page = try await book.subscriptions(
                    after: cursor,
                    limit: ReconcilerLimits.pageSubscriptions
                )
            } catch {
                report.detail = error.detail
                return report
            }
            guard let last = page.last else { return report }
            await look(at: page, &memory, &report)
            cursor = last.key
        }
        return report
    }

    private func look(
        at page: [Subscription],
        _ memory: inout Memory,
        _ report: inout Report
    ) async {
        let (wall, now) = (clock.wall(), clock.monotonic())
        var keys: [SubscriptionKey] = []
        for subscription in page {
            let silence = silenceMilliseconds
            guard let due = subscription.silentRenewal(at: wall, silence: silence) else { continue }
            if memory.miss(subscription.key, due: due, at: now) { report.missed += 1 }
            if memory.isDue(subscription.key, at: now) { keys.append(subscription.key) }
        }
        for (key, result) in await inquiry.results(about: keys) {
            report.asked += 1
            switch result {
            case .answered(let tally): if tally.applied > 0 { report.applied += 1 }
            case .unknown, .refused: break
            case .unavailable(let failure):
                report.detail = failure.description
                continue
            }
            memory.asked(key, at: now, pause: silenceMilliseconds)
        }
    }
}
