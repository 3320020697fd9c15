/// Leaves a store alone that does not answer.
///
/// Closed: requests go. After too many failures in a row it opens, and none goes. When its time is
/// over one request may try; the answer decides. Any answer but 5xx shows that the store lives.
struct Circuit: Sendable {
    private enum State: Sendable {
        case closed(failures: Int)
        case open(until: Int64, trips: Int)
        case probing(trips: Int)
    }

    /// What a request may do.
    enum Admission: Hashable, Sendable {
        case go
        /// Not before so many milliseconds.
        case wait(Int64)
    }

    /// How the circuit is seen from outside.
    enum Figure: String, Sendable {
        case closed
        case open
        case probing
    }

    private var state = State.closed(failures: 0)

    var figure: Figure {
        switch state {
        case .closed: .closed
        case .open: .open
        case .probing: .probing
        }
    }

    /// Whether a request may go at `now`, in monotonic ms; the first one after the rest is the
    /// probe.
    mutating func admit(at now: Int64) -> Admission {
        switch state {
        case .closed: return .go
        case .probing: return .wait(Self.probeMilliseconds)
        case .open(let until, let trips):
            guard now >= until else { return .wait(until - now) }
            state = .probing(trips: trips)
            return .go
        }
    }

    /// The store answered.
    mutating func answered() { state = .closed(failures: 0) }

    /// The store did not answer, or said that it is broken.
    mutating func failed(at now: Int64, chance: Double) {
        switch state {
        case .closed(let failures):
            guard failures + 1 >= ReconcilerLimits.circuitFailures else {
                state = .closed(failures: failures + 1)
                return
            }
            open(trips: 1, now, chance)
        case .probing(let trips): open(trips: trips + 1, now, chance)
        // A request that was under way when another one opened the circuit.
        case .open: break
        }
    }

    /// A request ended without telling anything about the store; another one may probe at once.
    mutating func abandoned(at now: Int64) {
        if case .probing(let trips) = state { state = .open(until: now, trips: trips) }
    }

    private mutating func open(trips: Int, _ now: Int64, _ chance: Double) {
        let rest = Backoff.ofCircuit.pause(after: trips, chance: chance)
        state = .open(until: now + rest, trips: trips)
    }

    /// When to look again while another request probes.
    private static let probeMilliseconds: Int64 = 1_000
}
