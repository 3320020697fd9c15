import Synchronization

/// The waiting bytes of one RPC thread's connections on one socket, by kind, for metrics.
///
/// Written only by that thread, read by any thread.
final class WaitingBytes: Sendable {
    /// The waiting bytes of one connection.
    struct Parts: Equatable {
        /// Replies that the other side has not read.
        var unread = 0
        /// Incomplete frames, and whole frames that wait for the next turn.
        var halfRead = 0
        /// Requests that are not answered yet, and finished parts of batches.
        var unanswered = 0

        var sum: Int { unread + halfRead + unanswered }
    }

    private let unread = Atomic<Int>(0)
    private let halfRead = Atomic<Int>(0)
    private let unanswered = Atomic<Int>(0)

    /// The present figures.
    var parts: Parts {
        Parts(
            unread: unread.load(ordering: .relaxed),
            halfRead: halfRead.load(ordering: .relaxed),
            unanswered: unanswered.load(ordering: .relaxed)
        )
    }

    /// Notes that the waiting bytes of one connection changed from `before` to `after`.
    func note(_ after: Parts, instead before: Parts) {
        Self.add(after.unread - before.unread, to: unread)
        Self.add(after.halfRead - before.halfRead, to: halfRead)
        Self.add(after.unanswered - before.unanswered, to: unanswered)
    }

    /// A load and a store suffice, because only one thread writes.
    private static func add(_ bytes: Int, to figure: borrowing Atomic<Int>) {
        guard bytes != 0 else { return }
        figure.store(figure.load(ordering: .relaxed) + bytes, ordering: .relaxed)
    }
}
