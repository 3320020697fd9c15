/// A token bucket: each request takes a token, and tokens return at a steady rate.
///
/// Requests for which nobody waits leave half of the bucket to those for which somebody waits. From
/// when one had to wait, a tenth of what returns is saved for it: however much is asked in haste,
/// acknowledgements and renewals go on.
struct RateBudget: Sendable {
    /// The cost of a request, in millionths of a token.
    private static let cost: Int64 = 1_000_000
    /// Of how much that returns one part is saved.
    private static let savedPart: Int64 = 10

    /// Requests in 1,000 s.
    let requestsPerKilosecond: Int64
    private let capacity: Int64
    private var level: Int64
    /// What is saved for requests for which nobody waits; at most one of them.
    private var saved: Int64 = 0
    /// Whether such a request had to wait.
    private var isSaving = false
    private var updated: Int64
    private var pausedUntil: Int64

    /// A full bucket at `now`, in monotonic ms.
    ///
    /// It holds the tokens of one second, and at least one.
    init(requestsPerKilosecond: Int64, at now: Int64) {
        precondition(requestsPerKilosecond > 0, "a budget of nothing never answers")
        self.requestsPerKilosecond = requestsPerKilosecond
        capacity = max(requestsPerKilosecond * 1_000, Self.cost)
        level = capacity
        updated = now
        pausedUntil = .min
    }

    /// Takes a token at `now` and returns 0, or returns after how many milliseconds to try again.
    mutating func take(at now: Int64, _ haste: Haste) -> Int64 {
        refill(at: now)
        if now < pausedUntil { return pausedUntil - now }
        switch haste {
        case .prompt: return take(leaving: 0)
        case .patient:
            let pause = take(leaving: capacity >= 2 * Self.cost ? capacity / 2 : 0)
            isSaving = pause > 0
            guard isSaving else { return 0 }
            if saved >= Self.cost {
                (saved, isSaving) = (saved - Self.cost, false)
                return 0
            }
            return min(pause, milliseconds(for: (Self.cost - saved) * Self.savedPart))
        }
    }

    private mutating func take(leaving reserve: Int64) -> Int64 {
        let needed = min(reserve + Self.cost, capacity)
        guard level < needed else {
            level -= Self.cost
            return 0
        }
        return milliseconds(for: needed - level)
    }

    /// How long it takes until so many millionths of a token have returned.
    private func milliseconds(for missing: Int64) -> Int64 {
        (missing + requestsPerKilosecond - 1) / requestsPerKilosecond
    }

    /// Allows no request before `moment`, because the store asked for a pause.
    mutating func pause(until moment: Int64) { pausedUntil = max(pausedUntil, moment) }

    private mutating func refill(at now: Int64) {
        guard now > updated else { return }
        // `requestsPerKilosecond` tokens in 1,000 s are as many millionths of a token in a
        // millisecond.
        let elapsed = min(now - updated, capacity / requestsPerKilosecond + 1)
        let returned = elapsed * requestsPerKilosecond
        let share = isSaving ? min(returned / Self.savedPart, Self.cost - saved) : 0
        saved += share
        level = min(capacity, level + returned - share)
        updated = now
    }
}

/// Whether somebody waits for an answer.
package enum Haste: Hashable, Sendable {
    /// Somebody waits, until this moment in monotonic ms.
    case prompt(until: Int64)
    /// Nobody waits.
    case patient

    /// When the answer is no longer useful.
    var deadline: Int64 {
        switch self {
        case .prompt(let until): until
        case .patient: .max
        }
    }

    /// The same for one of several questions: somebody waits longer for more answers, but not for a
    /// store that gives none.
    func forOneQuestion(at now: Int64) -> Haste {
        switch self {
        case .prompt(let until):
            .prompt(until: min(until, now + ReconcilerLimits.promptMilliseconds))
        case .patient: .patient
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
