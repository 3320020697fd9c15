/// A circuit breaker: stops requests to a store that does not answer.
///
/// While it is closed, requests are sent. After too many failures in a row it opens, and none is
/// sent. After a pause one request may probe the store, and its result closes or reopens the
/// circuit. Any answer except 5xx shows that the store works.
struct Circuit: Sendable {
    private enum State: Sendable {
        case closed(failures: Int)
        case open(until: Int64, trips: Int)
        case probing(trips: Int)
    }

    /// Whether a request may be sent.
    enum Admission: Hashable, Sendable {
        case go
        /// Not before this many milliseconds have passed.
        case wait(Int64)
    }

    /// The state of the circuit, as metrics show it.
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

    /// Whether a request may be sent at `now`, in monotonic ms.
    ///
    /// The first one after the pause is the probe.
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

    /// Notes that the store answered.
    mutating func answered() { state = .closed(failures: 0) }

    /// Notes that the store did not answer, or answered with a server error.
    mutating func failed(at now: Int64, chance: Double) {
        switch state {
        case .closed(let failures):
            guard failures + 1 >= ReconcilerLimits.circuitFailures else {
                state = .closed(failures: failures + 1)
                return
            }
            open(trips: 1, now, chance)
        case .probing(let trips): open(trips: trips + 1, now, chance)
        // This request was under way when another one opened the circuit.
        case .open: break
        }
    }

    /// Notes that a request ended without a result about the store; another one may probe
    /// immediately.
    mutating func abandoned(at now: Int64) {
        if case .probing(let trips) = state { state = .open(until: now, trips: trips) }
    }

    private mutating func open(trips: Int, _ now: Int64, _ chance: Double) {
        let rest = Backoff.ofCircuit.pause(after: trips, chance: chance)
        state = .open(until: now + rest, trips: trips)
    }

    /// How long to wait before the next attempt while another request probes.
    private static let probeMilliseconds: Int64 = 1_000
}
