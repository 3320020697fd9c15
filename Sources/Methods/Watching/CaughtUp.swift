import Ledger
import Threads

/// The answer to an order.
struct CaughtUp: Sendable {
    /// Made by the reading thread, which keeps nothing of it, for the hub's.
    let result: Carried<Result<MissedNews, LedgerFailure>>
}
