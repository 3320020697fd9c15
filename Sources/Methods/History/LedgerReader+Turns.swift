import Entitlements
import Ledger

extension LedgerReader {
    /// What changed for a user at the positions behind `first` and up to `last`, oldest first, as
    /// far as the journal has it by `now`; and the last position of which nothing is known now.
    func notedTurns(
        of user: UserID,
        after first: UInt64,
        through last: UInt64 = .max,
        _ now: Moment
    ) throws(LedgerFailure) -> (turns: [Chronicle.Turn], border: UInt64) {
        try settled { () throws(LedgerFailure) in
            var chronicle = try Chronicle(of: user, self)
            let turns = try chronicle.turns(until: now, after: max(first, chronicle.border))
            return (turns.filter { $0.seq <= last && $0.isNoted }, chronicle.border)
        }
    }
}
