import Entitlements

/// Which renewals are asked about, and when each is next: none too often.
struct RenewalMemory: Sendable {
    private struct Entry {
        /// The end of what is paid.
        let due: Moment
        /// When to ask next, in monotonic ms.
        var again: Int64
        /// How often it was asked about since the end.
        var times = 0
        /// Whether it was due and silent.
        var isMissed = false
    }

    private var entries: [SubscriptionKey: Entry] = [:]

    /// Whether as many are remembered as may be.
    private var isFull: Bool { entries.count >= ReconcilerLimits.silentRememberedMax }

    /// Notes that the renewal of `key` that is `due` then is to be asked about `again`; keeps what
    /// is noted of that renewal already.
    mutating func expect(_ key: SubscriptionKey, due: Moment, at again: Int64) {
        if let entry = entries[key], entry.due == due { return }
        // Forgetting all costs a question each.
        if isFull, entries[key] == nil { entries = [:] }
        entries[key] = Entry(due: due, again: again)
    }

    /// The renewal that `key` is remembered for.
    func due(of key: SubscriptionKey) -> Moment? { entries[key]?.due }

    /// Those whose turn it is at `now`, the longest overdue first.
    func turns(at now: Int64) -> [SubscriptionKey] {
        entries.filter { $0.value.again <= now }
            .sorted { ($0.value.again, $0.key) < ($1.value.again, $1.key) }
            .map(\.key)
    }

    /// Notes that the renewal is missed; answers whether that is news.
    mutating func miss(_ key: SubscriptionKey) -> Bool {
        guard entries[key]?.isMissed == false else { return false }
        entries[key]?.isMissed = true
        return true
    }

    /// Does not ask before `again`.
    mutating func rest(_ key: SubscriptionKey, until again: Int64) { entries[key]?.again = again }

    /// Notes that the store said something after the end; it may go on saying what is known, so the
    /// pause doubles each time, up to a day.
    mutating func double(_ key: SubscriptionKey, at now: Int64, pause: Int64) {
        guard let times = entries[key]?.times else { return }
        entries[key]?.again = now + min(pause << Int64(min(times, 20)), ReconcilerLimits.day)
        entries[key]?.times = times + 1
    }

    /// Nothing is expected of `key`.
    mutating func forget(_ key: SubscriptionKey) { entries[key] = nil }
}
