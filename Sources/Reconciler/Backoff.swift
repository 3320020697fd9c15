/// How long to wait before a repeat: twice as long each time, and never the same for two callers.
struct Backoff: Sendable {
    /// The first pause, at most.
    let first: Int64
    /// Any pause, at most.
    let longest: Int64

    static let ofRequests = Backoff(
        first: ReconcilerLimits.backoffFirstMilliseconds,
        longest: ReconcilerLimits.backoffMilliseconds
    )
    static let ofCircuit = Backoff(
        first: ReconcilerLimits.circuitFirstMilliseconds,
        longest: ReconcilerLimits.circuitMilliseconds
    )

    /// The pause after `failures` in a row, in ms: between half of the ceiling and all of it.
    ///
    /// `chance` is from 0 up to 1. Half is kept, so that the store surely gets a rest.
    func pause(after failures: Int, chance: Double) -> Int64 {
        precondition(failures > 0, "there is no pause before the first failure")
        let doublings = min(failures - 1, 30)
        let ceiling = min(first << Int64(doublings), longest)
        return ceiling / 2 + Int64(Double(ceiling - ceiling / 2) * chance)
    }
}
