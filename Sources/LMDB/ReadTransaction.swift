import CLMDB

/// A short, consistent view of the whole environment, lent to a closure by `Environment.read`.
package struct ReadTransaction: ~Copyable, Transaction {
    /// LMDB's transaction; ended by the environment that lends it.
    package let handle: OpaquePointer
}
