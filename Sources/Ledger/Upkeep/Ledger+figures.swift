import Journal
import LMDB
import Threads

extension Ledger {
    /// How many rows the two large tables have; what LMDB has of them is not counted anew.
    package func rowCounts() throws(LedgerFailure) -> (accounts: Int, subscriptions: Int) {
        do {
            let snapshot = try Snapshot(views, memtable)
            try snapshot.renew()
            return (
                try snapshot.count(of: .accounts), try snapshot.count(of: .subscriptions)
            )
        } catch {
            throw LedgerFailure(error)
        }
    }

    /// The size of the journal's segments.
    package func journalBytes() throws(LedgerFailure) -> Int {
        do {
            return try journal.bytes()
        } catch {
            throw LedgerFailure(error)
        }
    }

    /// How many commands were refused because too many waited.
    package var refusedCommands: Int { queue.refused }
}
