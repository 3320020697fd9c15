/// What a store has not answered, and when it is asked about again: behind what was never asked
/// about, and less and less often, so that questions that fail by themselves hold up no others.
struct Retries<Subject: Hashable & Sendable>: Sendable {
    private var entries: [Subject: (failures: Int, again: Int64)] = [:]

    /// How often it has failed.
    func failures(of subject: Subject) -> Int { entries[subject]?.failures ?? 0 }

    /// Whether it is not to be asked about yet, at `now` in monotonic ms.
    func isResting(_ subject: Subject, at now: Int64) -> Bool {
        (entries[subject]?.again ?? now) > now
    }

    /// Notes a failure; the first may be the store's, and has no pause.
    mutating func failed(_ subject: Subject, at now: Int64) {
        let failures = failures(of: subject) + 1
        let pause = failures > 1 ? Backoff.ofRetries.pause(after: failures - 1, chance: 1) : 0
        entries[subject] = (failures, now + pause)
    }

    /// Forgets what was answered.
    mutating func answered(_ subject: Subject) { entries[subject] = nil }

    /// Forgets all but these.
    mutating func keep(_ subjects: Set<Subject>) {
        entries = entries.filter { subjects.contains($0.key) }
    }
}

extension Backoff {
    fileprivate static let ofRetries = Backoff(
        first: 2 * ReconcilerLimits.askPaceMilliseconds.lowerBound,
        longest: ReconcilerLimits.retryMilliseconds
    )
}
