/// A bucket of tokens: each request takes one, and they come back at a steady rate.
///
/// Requests that nobody waits for leave half of the bucket to those that somebody waits for.
struct RateBudget: Sendable {
    /// What a request costs, in millionths of one.
    private static let cost: Int64 = 1_000_000

    /// Requests in 1,000 s.
    let requestsPerKilosecond: Int64
    private let capacity: Int64
    private var level: Int64
    private var updated: Int64
    private var pausedUntil: Int64

    /// A full bucket at `now`, in monotonic ms, that holds what comes in one second, or one token.
    init(requestsPerKilosecond: Int64, at now: Int64) {
        precondition(requestsPerKilosecond > 0, "a budget of nothing never answers")
        self.requestsPerKilosecond = requestsPerKilosecond
        capacity = max(requestsPerKilosecond * 1_000, Self.cost)
        level = capacity
        updated = now
        pausedUntil = .min
    }

    /// Takes a token at `now`; answers 0, or after how many milliseconds to come again.
    mutating func take(at now: Int64, _ haste: Haste) -> Int64 {
        refill(at: now)
        if now < pausedUntil { return pausedUntil - now }
        let reserve =
            switch haste {
            case .prompt: Int64(0)
            case .patient: capacity >= 2 * Self.cost ? capacity / 2 : 0
            }
        let needed = min(reserve + Self.cost, capacity)
        if level >= needed {
            level -= Self.cost
            return 0
        }
        return (needed - level + requestsPerKilosecond - 1) / requestsPerKilosecond
    }

    /// Nothing is taken before `moment`, as the store asked.
    mutating func pause(until moment: Int64) { pausedUntil = max(pausedUntil, moment) }

    private mutating func refill(at now: Int64) {
        guard now > updated else { return }
        // One token in a thousand seconds is `requestsPerKilosecond` millionths a millisecond.
        let elapsed = min(now - updated, capacity / requestsPerKilosecond + 1)
        level = min(capacity, level + elapsed * requestsPerKilosecond)
        updated = now
    }
}

/// Whether somebody waits for an answer.
package enum Haste: Hashable, Sendable {
    /// Somebody waits, until this moment in monotonic ms.
    case prompt(until: Int64)
    /// Nobody waits.
    case patient

    /// When the answer is worth nothing any more.
    var deadline: Int64 {
        switch self {
        case .prompt(let until): until
        case .patient: .max
        }
    }

    /// How often a request is sent.
    var attemptsMax: Int {
        switch self {
        case .prompt: ReconcilerLimits.promptAttemptsMax
        case .patient: ReconcilerLimits.patientAttemptsMax
        }
    }
}
