import Journal
import LMDB
import Threads

extension Ledger {
    /// How many rows the two large tables have, without counting them.
    package func rowCounts() throws(LedgerFailure) -> (accounts: Int, subscriptions: Int) {
        do {
            return try views.environment.read { transaction in
                let accounts = try transaction.entryCount(of: views.table(.accounts))
                let subscriptions = try transaction.entryCount(of: views.table(.subscriptions))
                return (accounts, subscriptions)
            }
        } catch {
            throw LedgerFailure(error)
        }
    }

    /// The size of the journal's segments.
    package func journalBytes() throws(LedgerFailure) -> Int {
        do {
            return try Journal.bytes(in: views.environment.directory + "/journal")
        } catch {
            throw LedgerFailure(error)
        }
    }

    /// How many commands were refused because too many waited.
    package var refusedCommands: Int { queue.refused }
}
