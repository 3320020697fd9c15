import Entitlements
import Ledger

extension LedgerReader {
    /// What changed for a user at the positions behind `first` and up to `last`, oldest first, as
    /// far as the journal has it by `now`.
    ///
    /// - Parameters:
    ///   - user: whose.
    ///   - first: behind which position.
    ///   - last: up to which.
    ///   - ticks: where those entries note what time alone changed; nil where they were not read.
    ///   - now: the present.
    /// - Returns: the changes, and the last position of which nothing is known now.
    /// - Throws: what `Past` throws.
    func notedTurns(
        of user: UserID,
        after first: UInt64,
        through last: UInt64 = .max,
        notedAt ticks: [Tick.Passing: UInt64]? = nil,
        _ now: Moment
    ) throws(LedgerFailure) -> (turns: [Chronicle.Turn], border: UInt64) {
        try settled { () throws(LedgerFailure) in
            var chronicle = try Chronicle(of: user, self, notedAt: ticks)
            let turns = try chronicle.turns(until: now, after: max(first, chronicle.border))
            return (turns.filter { $0.seq <= last && $0.isNoted }, chronicle.border)
        }
    }
}
