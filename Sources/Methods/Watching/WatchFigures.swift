import Synchronization

/// What was done for watchers, in all.
final class WatchFigures: Sendable {
    /// How often the hub looked at a watcher: to note a change for it, or to send.
    let visits = Atomic<Int>(0)
    /// Reads of the journal for those who joined.
    let reads = Atomic<Int>(0)
    /// Users whose past was read for them.
    let pasts = Atomic<Int>(0)
}
