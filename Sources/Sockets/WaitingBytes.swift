import Synchronization

/// What the connections of one RPC thread leave waiting on one socket, by kind, for metrics.
///
/// Written by that thread alone, read by any.
final class WaitingBytes: Sendable {
    /// What one connection leaves waiting: bytes of memory.
    struct Parts: Equatable {
        /// Replies that the other side has not read.
        var unread = 0
        /// Frames of which a part has come, and whole ones behind a turn's end.
        var halfRead = 0
        /// Requests whose answer is to come, and the parts of batches.
        var unanswered = 0

        var sum: Int { unread + halfRead + unanswered }
    }

    private let unread = Atomic<Int>(0)
    private let halfRead = Atomic<Int>(0)
    private let unanswered = Atomic<Int>(0)

    /// All of it.
    var parts: Parts {
        Parts(
            unread: unread.load(ordering: .relaxed),
            halfRead: halfRead.load(ordering: .relaxed),
            unanswered: unanswered.load(ordering: .relaxed)
        )
    }

    /// Notes that one connection leaves `after` waiting instead of `before`.
    func note(_ after: Parts, instead before: Parts) {
        Self.add(after.unread - before.unread, to: unread)
        Self.add(after.halfRead - before.halfRead, to: halfRead)
        Self.add(after.unanswered - before.unanswered, to: unanswered)
    }

    /// One thread writes, so that nothing is lost between the two.
    private static func add(_ bytes: Int, to figure: borrowing Atomic<Int>) {
        guard bytes != 0 else { return }
        figure.store(figure.load(ordering: .relaxed) + bytes, ordering: .relaxed)
    }
}
