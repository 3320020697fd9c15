import Synchronization

/// The frames that have begun and for whose rest a thread waits, by user.
///
/// A user with too many loses the oldest: whoever sends slowly makes room for whoever sends at
/// once. Whole frames, which are nearly all, never come here, so the lock costs them nothing.
final class HalfFrames: Sendable {
    /// One of them.
    struct Entry: Sendable {
        let loop: LoopMailbox
        let connection: UInt64

        func isSame(as other: Entry) -> Bool {
            connection == other.connection && loop === other.loop
        }
    }

    /// By uid, oldest first.
    private let waiting = Mutex<[UInt32: [Entry]]>([:])

    /// Notes one as the youngest of its user; answers the one that must go for it.
    func enter(_ entry: Entry, of uid: UInt32) -> Entry? {
        waiting.withLock { waiting in
            waiting[uid, default: []].append(entry)
            guard waiting[uid, default: []].count > SocketLimits.halfFramesPerUserMax
            else { return nil }
            return waiting[uid]?.removeFirst()
        }
    }

    /// Forgets one that is whole, or whose connection is gone.
    func leave(_ entry: Entry, of uid: UInt32) {
        waiting.withLock { waiting in
            waiting[uid]?.removeAll { $0.isSame(as: entry) }
            if waiting[uid]?.isEmpty == true { waiting[uid] = nil }
        }
    }

    /// How many `uid` has.
    func count(of uid: UInt32) -> Int { waiting.withLock { $0[uid]?.count ?? 0 } }
}
