import Entitlements
import Ledger

extension LedgerReader {
    /// What changed for a user at the positions behind `first`, oldest first, as far as the journal
    /// has it by `now`.
    ///
    /// - Parameters:
    ///   - user: whose.
    ///   - first: behind which position.
    ///   - stretch: what the entries behind it have, up to the last one that counts; nil where all
    ///     count.
    ///   - now: the present.
    /// - Returns: the changes, and the last position of which nothing is known now.
    /// - Throws: what `Past` throws.
    func notedTurns(
        of user: UserID,
        after first: UInt64,
        in stretch: JournalChanges? = nil,
        _ now: Moment
    ) throws(LedgerFailure) -> (turns: [Chronicle.Turn], border: UInt64) {
        try settled { () throws(LedgerFailure) in
            var chronicle = try Chronicle(of: user, self, in: stretch)
            let turns = try chronicle.turns(until: now, after: max(first, chronicle.border))
            let last = stretch?.through ?? .max
            return (turns.filter { $0.seq <= last && $0.isNoted }, chronicle.border)
        }
    }
}
