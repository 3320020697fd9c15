/// How long to wait before a repeat: the limit doubles each time, and the pause below it is random.
struct Backoff: Sendable {
    /// The greatest first pause.
    let first: Int64
    /// The greatest pause.
    let longest: Int64

    static let ofRequests = Backoff(
        first: ReconcilerLimits.backoffFirstMilliseconds,
        longest: ReconcilerLimits.backoffMilliseconds
    )
    static let ofCircuit = Backoff(
        first: ReconcilerLimits.circuitFirstMilliseconds,
        longest: ReconcilerLimits.circuitMilliseconds
    )

    /// The pause after `failures` in a row, in ms: between half of the limit and the limit.
    ///
    /// `chance` is from 0 up to 1. The pause is never shorter than half the limit, so that the
    /// store gets a rest in any case.
    func pause(after failures: Int, chance: Double) -> Int64 {
        precondition(failures > 0, "there is no pause before the first failure")
        let doublings = min(failures - 1, 30)
        let ceiling = min(first << Int64(doublings), longest)
        return ceiling / 2 + Int64(Double(ceiling - ceiling / 2) * chance)
    }
}
