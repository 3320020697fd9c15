import Synchronization

/// Reservations whose connections have ended, and which the writer is to end.
///
/// Beside the queue, because nobody repeats what is refused here: a full queue, a full disk or a
/// jumped clock must not keep credits held. There are no more of them than holds in the journal.
final class LeaseBook: Sendable {
    private let waiting = Mutex<[UInt64]>([])

    init() {}

    /// Some more, oldest first.
    func add(_ ids: [UInt64]) { waiting.withLock { $0 += ids } }

    /// All that were added since the last time.
    func take() -> [UInt64] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
