import Entitlements
import JSON
import Wire

/// One connection that watches: what it wants to hear, and how far it was told.
///
/// Confined to the hub's thread.
final class Watcher {
    /// How far one is in a log.
    private struct Bookmark {
        let log: NewsLog
        /// The number of what is told next.
        var next: UInt64
        /// Too much waited: of each user only the newest is told, until nothing waits.
        var isCoalescing = false

        var isAtEnd: Bool { next == log.end }

        /// What is told next, at most a piece.
        mutating func take(at seq: UInt64) -> [UInt8] {
            guard next >= log.start else {
                // More was told than is kept: what was missed must be asked for.
                next = log.end
                isCoalescing = false
                var frame: [UInt8] = []
                Announcement.resync(seq).append(to: &frame)
                return frame
            }
            if log.end - next > MethodLimits.watchWaitingMax { isCoalescing = true }
            let piece = log.piece(from: next, isCoalesced: isCoalescing)
            next = piece.next
            if isAtEnd { isCoalescing = false }
            return piece.frames
        }
    }

    private let pusher: Pusher
    /// Nil: everybody.
    private let users: Set<UserID>?
    /// What it missed before it began; told first.
    private var past: Bookmark?
    private var present: Bookmark
    /// When it last had a heartbeat, or began.
    private var lastBeat: Int64

    /// Is told from now on what `log` is told, or hears of `users` alone, in a log of its own.
    init(_ pusher: Pusher, users: Set<UserID>?, of log: NewsLog, at now: Int64) {
        self.pusher = pusher
        self.users = users
        let log = users == nil ? log : NewsLog()
        present = Bookmark(log: log, next: log.end)
        lastBeat = now
    }

    /// Whether it hears of some users alone.
    var isChoosy: Bool { users != nil }

    func wants(_ user: UserID) -> Bool { users?.contains(user) ?? true }

    /// What is told to it.
    var log: NewsLog { present.log }

    /// Of its log, the number of what it is told next.
    var next: UInt64 { present.next }

    /// Whether something waits for it.
    var hasNews: Bool { past != nil || !present.isAtEnd }

    /// Tells it first what it has missed.
    func begin(with missed: NewsLog) {
        past = missed.end == 0 ? nil : Bookmark(log: missed, next: 0)
    }

    /// Sends what waits, if the other side takes it, and a heartbeat when one is due: it says that
    /// everything up to `seq` was told, so it comes only behind all of that.
    ///
    /// - Parameters:
    ///   - seq: the position up to which everything is in the logs.
    ///   - now: the present, in milliseconds.
    /// - Returns: whether the connection still stands.
    @discardableResult
    func flush(_ seq: UInt64, at now: Int64) -> Bool {
        while hasNews || isBeatDue(now), pusher.takesMore {
            var frames = take(at: seq)
            if !hasNews, isBeatDue(now) {
                Announcement.heartbeat(seq).append(to: &frames)
                lastBeat = now
            }
            pusher.push(frames)
        }
        return pusher.isOpen
    }

    private func isBeatDue(_ now: Int64) -> Bool {
        now - lastBeat >= MethodLimits.heartbeatMilliseconds
    }

    private func take(at seq: UInt64) -> [UInt8] {
        guard let frames = past?.take(at: seq) else {
            defer { if isChoosy { log.forget(before: next) } }
            return present.take(at: seq)
        }
        if past?.isAtEnd == true { past = nil }
        return frames
    }
}
