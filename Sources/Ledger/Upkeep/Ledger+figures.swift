import Journal
import LMDB
import Threads

extension Ledger {
    /// The number of rows of the two large tables, using the counts that LMDB keeps.
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
