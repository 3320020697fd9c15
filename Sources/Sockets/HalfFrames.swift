import Synchronization

/// The incomplete frames for whose rest a thread waits, by user.
///
/// If a user has too many, the connection with the oldest one is closed, so slow senders make room
/// for fast ones. Most frames arrive whole and are never entered here, so the lock costs them
/// nothing.
final class HalfFrames: Sendable {
    /// One incomplete frame.
    struct Entry: Sendable {
        let loop: LoopMailbox
        let connection: UInt64

        func isSame(as other: Entry) -> Bool {
            connection == other.connection && loop === other.loop
        }
    }

    /// By uid, oldest first.
    private let waiting = Mutex<[UInt32: [Entry]]>([:])

    /// Adds a frame as the youngest of its user; returns the one that must be given up for it.
    func enter(_ entry: Entry, of uid: UInt32) -> Entry? {
        waiting.withLock { waiting in
            waiting[uid, default: []].append(entry)
            guard waiting[uid, default: []].count > SocketLimits.halfFramesPerUserMax
            else { return nil }
            return waiting[uid]?.removeFirst()
        }
    }

    /// Removes a frame that is complete, or whose connection is closed.
    func leave(_ entry: Entry, of uid: UInt32) {
        waiting.withLock { waiting in
            waiting[uid]?.removeAll { $0.isSame(as: entry) }
            if waiting[uid]?.isEmpty == true { waiting[uid] = nil }
        }
    }

    /// How many incomplete frames `uid` has.
    func count(of uid: UInt32) -> Int { waiting.withLock { $0[uid]?.count ?? 0 } }
}
