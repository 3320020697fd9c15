import CLMDB

/// A short, consistent view of the whole environment, lent to a closure by `Environment.read`.
package struct ReadTransaction: ~Copyable, Transaction {
    /// LMDB's transaction; ended by the environment that lends it.
    package let handle: OpaquePointer

    init(handle: OpaquePointer) { self.handle = handle }

    /// Which commit this view shows; it grows by one with each.
    package var commit: Int {
        // SAFETY: the handle is live while the transaction is lent.
        mdb_txn_id(handle)
    }
}
