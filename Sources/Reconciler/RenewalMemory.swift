import Entitlements

/// The renewals that are asked about, and when each is next, so that none is asked about too often.
struct RenewalMemory: Sendable {
    private struct Entry {
        /// The end of the paid period.
        let due: Moment
        /// When to ask next, in monotonic ms.
        var again: Int64
        /// How often it was asked about since the end.
        var times = 0
        /// Whether it was due and no message came.
        var isMissed = false
        /// Whether it was due so long ago that the sweep may ask as well.
        let isLongAgo: Bool
    }

    private var entries: [SubscriptionKey: Entry] = [:]
    /// How many of them were due long ago.
    private var longAgoCount = 0

    /// Whether the greatest number of renewals is remembered.
    private var isFull: Bool { entries.count >= ReconcilerLimits.silentRememberedMax }

    /// Notes that the renewal of `key` due at `due` must be asked about at `again`; keeps an
    /// existing note about the same renewal.
    ///
    /// Of those that were due long ago, as an import may show many, few are noted at a time: the
    /// questions before an end must not wait for them.
    mutating func expect(
        _ key: SubscriptionKey,
        due: Moment,
        at again: Int64,
        isLongAgo: Bool = false
    ) {
        if let entry = entries[key], entry.due == due { return }
        forget(key)
        if isLongAgo, longAgoCount >= ReconcilerLimits.longSilentRememberedMax { return }
        // Forgetting all renewals costs one more question for each.
        if isFull { (entries, longAgoCount) = ([:], 0) }
        entries[key] = Entry(due: due, again: again, isLongAgo: isLongAgo)
        if isLongAgo { longAgoCount += 1 }
    }

    /// When the remembered renewal of `key` is due.
    func due(of key: SubscriptionKey) -> Moment? { entries[key]?.due }

    /// The subscriptions to ask about at `now`, the longest overdue first.
    func turns(at now: Int64) -> [SubscriptionKey] {
        entries.filter { $0.value.again <= now }
            .sorted { ($0.value.again, $0.key) < ($1.value.again, $1.key) }
            .map(\.key)
    }

    /// Notes that the renewal was missed; returns whether that is new.
    mutating func miss(_ key: SubscriptionKey) -> Bool {
        guard entries[key]?.isMissed == false else { return false }
        entries[key]?.isMissed = true
        return true
    }

    /// Notes that `key` must not be asked about before `again`.
    mutating func rest(_ key: SubscriptionKey, until again: Int64) { entries[key]?.again = again }

    /// Notes an answer after the end of the paid period.
    ///
    /// The store may keep giving the same answer, so the pause doubles each time, up to a day.
    mutating func double(_ key: SubscriptionKey, at now: Int64, pause: Int64) {
        guard let times = entries[key]?.times else { return }
        entries[key]?.again = now + min(pause << Int64(min(times, 20)), ReconcilerLimits.day)
        entries[key]?.times = times + 1
    }

    /// Forgets `key`, because no renewal is expected.
    mutating func forget(_ key: SubscriptionKey) {
        if entries.removeValue(forKey: key)?.isLongAgo == true { longAgoCount -= 1 }
    }
}
