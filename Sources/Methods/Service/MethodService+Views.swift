import Entitlements
import Ledger
import Wire

/// What lanes read of the past, and of the present.
extension MethodService {
    /// The status of `user` as a reader of a worker sees it now.
    ///
    /// - Parameters:
    ///   - user: whose.
    ///   - reader: the worker's.
    ///   - found: what is known of the account.
    ///   - whole: whether the view finds all subscriptions, not only the one shown.
    /// - Returns: the view of the account.
    /// - Throws: what the reader met.
    func view(
        of user: UserID,
        _ reader: LedgerReader,
        knowing found: MeasuredAccount = .longer,
        whole: Bool = false
    ) throws(RPCFailure) -> StatusView {
        try fromLedger(StatusView(of: user, reader, knowing: found, at: now(), whole: whole))
    }

    /// Lends the chronicle of `user` to `body`.
    func chronicle<Value>(
        of user: UserID,
        _ reader: LedgerReader,
        _ body: (inout Chronicle) throws(LedgerFailure) -> Value
    ) throws(RPCFailure) -> Value {
        try settled(reader) { () throws(LedgerFailure) in
            var chronicle = try Chronicle(of: user, reader)
            return try body(&chronicle)
        }
    }

    /// Answers what `body` reads of the past.
    func settled<Value>(
        _ reader: LedgerReader,
        _ body: () throws(LedgerFailure) -> Value
    ) throws(RPCFailure) -> Value {
        do throws(LedgerFailure) {
            try reader.wake()
            return try reader.settled(body)
        } catch {
            throw RPCFailure(error)
        }
    }
}
