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

    /// Where it is between being made and being told something.
    private enum Turn {
        /// Its past is being read.
        case joining
        /// Nothing waits for it that was not looked at.
        case idle
        /// It is to be looked at.
        case queued
        /// Something waits, and the other side takes nothing; it says when it does.
        case blocked
    }

    private let pusher: Pusher
    /// Whether it hears of some users alone.
    let isChoosy: Bool
    /// Those of whom it hears, if not everybody; the index shares their ids out.
    var users: [UserID] = []
    /// What it missed before it began; told first.
    private var past: Bookmark?
    /// Kept until all of that is told.
    private var pastKept: MissedNews?
    private var present: Bookmark
    /// What its caller is charged for it and for the users it names.
    private let charged: HeldBytes?
    /// What its caller is charged for what waits in a log of its own.
    private var held: HeldBytes?
    private var turn = Turn.joining
    /// When it last had a heartbeat, or began.
    private(set) var lastBeat: Int64 = 0

    /// Is told from now on what `log` is told, or, where it hears of some users alone, what a log
    /// of its own is.
    init(_ pusher: Pusher, of log: NewsLog?, charged: HeldBytes? = nil) {
        self.pusher = pusher
        self.charged = charged
        isChoosy = log == nil
        let log = log ?? NewsLog()
        present = Bookmark(log: log, next: log.end)
    }

    /// Its connection.
    var id: UInt64 { pusher.session.id }

    /// The user of the system whose connection it is.
    var caller: UInt32 { pusher.session.caller.uid }

    /// Whether the connection still stands.
    var isOpen: Bool { pusher.isOpen }

    /// What is told to it.
    var log: NewsLog { present.log }

    /// Of its log, the number of what it is told next.
    var next: UInt64 { present.next }

    /// Whether something waits for it.
    var hasNews: Bool { past != nil || !present.isAtEnd }

    /// Tells it alone, later; where its caller holds too much, that it must begin again.
    func note(_ announcement: Announcement) {
        log.append(announcement)
        let bytes = log.bytes - MethodLimits.watchOwnFreeBytes
        guard bytes > held?.bytes ?? 0 else { return }
        let step = MethodLimits.watchOwnStepBytes
        let wanted = (bytes + step - 1) / step * step
        if let held {
            if held.resize(to: wanted) { return }
        } else {
            held = pusher.session.hold(wanted)
            if held != nil { return }
        }
        lose()
    }

    /// It must begin again.
    func lose() {
        log.lose()
        held = nil
    }

    /// Forgets what it alone was told.
    private func forgetTold() {
        guard isChoosy else { return }
        log.forget(before: next)
        if log.bytes <= MethodLimits.watchOwnFreeBytes { held = nil }
    }

    /// Tells it first what it has missed.
    func begin(with missed: Missed, of past: MissedNews? = nil) {
        switch missed {
        case .resync(let oldest):
            let log = NewsLog()
            log.append(.resync(oldest))
            self.past = Bookmark(log: log, next: 0)
        case .told(let log, let first):
            guard first < log.end else { return }
            self.past = Bookmark(log: log, next: first)
            pastKept = past
        }
    }

    /// It was answered: from now on it is told what waits.
    func admit(at now: Int64) {
        turn = .idle
        lastBeat = now
    }

    /// Whether it is to be looked at, and was not noted for that before.
    func takesTurn() -> Bool {
        switch turn {
        case .joining, .queued, .blocked: return false
        case .idle:
            turn = .queued
            return true
        }
    }

    /// It is looked at.
    func turnBegins() {
        if turn == .queued { turn = .idle }
    }

    /// The other side takes more again.
    func hasRoom() {
        if turn == .blocked { turn = .idle }
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
        while hasNews || isBeatDue(now) {
            guard pusher.takesMore else {
                turn = .blocked
                break
            }
            var frames = take(at: seq)
            if !hasNews, isBeatDue(now) {
                Announcement.heartbeat(seq).append(to: &frames)
                lastBeat = now
            }
            pusher.push(frames)
        }
        return pusher.isOpen
    }

    /// Whether the next heartbeat is due; also where the clock was set back since the last one.
    func isBeatDue(_ now: Int64) -> Bool {
        now < lastBeat || now - lastBeat >= MethodLimits.heartbeatMilliseconds
    }

    private func take(at seq: UInt64) -> [UInt8] {
        guard let frames = past?.take(at: seq) else {
            defer { forgetTold() }
            return present.take(at: seq)
        }
        if past?.isAtEnd == true {
            past = nil
            pastKept = nil
        }
        return frames
    }
}
