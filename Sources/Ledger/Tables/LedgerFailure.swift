import Entitlements

/// Why the ledger could not do something.
///
/// The world's fault, never the caller's.
package enum LedgerFailure: Error, Hashable, Sendable {
    /// No space; writes come back once there is some, reads go on.
    case storageFull
    /// The clock has just jumped; soon.
    case notReady
    /// The writer has been told to stop.
    case shuttingDown
    /// Too many commands wait.
    case overloaded
    /// What one command changes is more than a segment of the journal holds; it alone is refused.
    case tooLarge
    /// What lies on disk is not what was written there.
    case damaged(String)
    /// The journal no longer reaches back so far, or somebody was erased there; from `oldest` on
    /// everything is known.
    case gone(oldest: Moment?)
    /// Another process keeps this directory.
    case busy(pid: Int32)
    /// The place cannot hold a ledger: missing, not ours, a file system without working maps.
    case unusable(String)
    /// The clock is far behind the one that the last entry of the journal was judged by.
    case clockBehind(clock: Moment, journal: Moment)
    /// A flush failed. Nothing more is written; the process must end and start again.
    case failed(String)
}
