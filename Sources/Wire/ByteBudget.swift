import Synchronization

/// How many bytes the callers of one socket may leave waiting, and how many wait now.
///
/// Bytes are charged where they begin to wait: replies that the other side does not read, frames
/// that have come in part, requests that are not answered yet, and what a watcher asked for and was
/// not told. A request whose answer is sent at once is never charged.
///
/// Each caller (uid) has a share, so that nobody takes what is there for all. The counters are
/// atomics; the lock is taken where a connection begins or ends, never where bytes are charged.
package final class ByteBudget: Sendable {
    /// The bytes that each caller may leave waiting.
    package let callerBytesMax: Int
    /// The bytes that all of them may leave waiting together.
    package let totalBytesMax: Int

    private let total = Atomic<Int>(0)
    private let watched = Atomic<Int>(0)
    /// The most that was held since `onFall` was called.
    private let peak = Atomic<Int>(0)
    private let fallBytes: Int
    private let onFall: @Sendable () -> Void
    private let callers = Mutex<[UInt32: Seat]>([:])

    private struct Seat {
        let caller: CallerBudget
        var sessions: Int
    }

    /// An unused budget.
    ///
    /// - Parameters:
    ///   - callerBytesMax: what one caller may leave waiting.
    ///   - totalBytesMax: what all may leave waiting together.
    ///   - fallBytes: after a fall by so many bytes `onFall` is called.
    ///   - onFall: called on whatever thread gives back; quick.
    package init(
        callerBytesMax: Int,
        totalBytesMax: Int,
        fallBytes: Int = .max,
        onFall: @escaping @Sendable () -> Void = {}
    ) {
        self.callerBytesMax = callerBytesMax
        self.totalBytesMax = totalBytesMax
        self.fallBytes = fallBytes
        self.onFall = onFall
    }

    /// Bytes charged to all callers.
    package var heldBytes: Int { total.load(ordering: .relaxed) }

    /// The part of them that is kept for watchers.
    package var watchedBytes: Int { watched.load(ordering: .relaxed) }

    /// The most that was charged since the last great fall; 0 while nothing ever was.
    package var peakBytes: Int { peak.load(ordering: .relaxed) }

    /// The share of `uid`, for one more connection; `leave` gives it back.
    package func enter(_ uid: UInt32) -> CallerBudget {
        callers.withLock { callers in
            let caller = callers[uid]?.caller ?? CallerBudget(uid: uid, of: self)
            callers[uid, default: Seat(caller: caller, sessions: 0)].sessions += 1
            return caller
        }
    }

    /// Ends what `enter` began.
    package func leave(_ caller: CallerBudget) {
        callers.withLock { callers in
            guard var seat = callers[caller.uid], seat.caller === caller else { return }
            seat.sessions -= 1
            callers[caller.uid] = seat.sessions > 0 ? seat : nil
        }
    }

    /// How many callers have a connection.
    package var callersCount: Int { callers.withLock { $0.count } }

    fileprivate func add(_ bytes: Int) -> Int {
        let now = total.add(bytes, ordering: .relaxed).newValue
        let most = peak.load(ordering: .relaxed)
        if now > most {
            // When two rise at once, the lower value may be noted; then the fall is reported a
            // little later.
            peak.store(now, ordering: .relaxed)
        } else if most - now >= fallBytes {
            let (isFirst, _) = peak.compareExchange(
                expected: most,
                desired: now,
                ordering: .relaxed
            )
            if isFirst { onFall() }
        }
        return now
    }

    fileprivate func addWatched(_ bytes: Int) { watched.add(bytes, ordering: .relaxed) }
}

/// One caller's share of a `ByteBudget`: all connections of one uid on one socket.
package final class CallerBudget: Sendable {
    /// Whose it is.
    package let uid: UInt32
    /// What it is a share of.
    package let budget: ByteBudget
    private let held = Atomic<Int>(0)

    fileprivate init(uid: UInt32, of budget: ByteBudget) {
        self.uid = uid
        self.budget = budget
    }

    /// Bytes charged to this caller.
    package var heldBytes: Int { held.load(ordering: .relaxed) }

    /// Whether this caller holds more than its share.
    package var isOver: Bool { heldBytes > budget.callerBytesMax }

    /// Charges bytes that already wait.
    package func charge(_ bytes: Int) {
        held.add(bytes, ordering: .relaxed)
        _ = budget.add(bytes)
    }

    /// Gives bytes back that were charged.
    package func release(_ bytes: Int) { charge(-bytes) }

    /// Charges `bytes` that somebody wants to keep; false, and nothing is charged, where this
    /// caller or all together would hold too much.
    package func chargeIfRoom(_ bytes: Int) -> Bool {
        let own = held.add(bytes, ordering: .relaxed).newValue
        let all = budget.add(bytes)
        if own <= budget.callerBytesMax, all <= budget.totalBytesMax { return true }
        release(bytes)
        return false
    }

    fileprivate func noteWatched(_ bytes: Int) { budget.addWatched(bytes) }
}

/// Bytes that are kept for a connection on other threads than its own: what a watcher has named and
/// not been told.
///
/// They are given back when this is released, so the holder of the bytes keeps this beside them.
package final class HeldBytes: Sendable {
    private let session: Session
    private let held: Atomic<Int>

    fileprivate init(_ bytes: Int, of session: Session) {
        self.session = session
        held = Atomic(bytes)
        session.noteHeld(bytes)
    }

    deinit {
        let bytes = held.load(ordering: .relaxed)
        session.noteHeld(-bytes)
        session.budget?.release(bytes)
    }

    /// How many bytes are held.
    package var bytes: Int { held.load(ordering: .relaxed) }

    /// Holds `bytes` from now on; false where that is too much, and the old number stays.
    ///
    /// Fewer are always taken. Only one thread at a time calls this.
    package func resize(to bytes: Int) -> Bool {
        let more = bytes - self.bytes
        guard more <= 0 || session.hasRoom(forMore: more) else { return false }
        if more < 0 { session.budget?.release(-more) }
        session.noteHeld(more)
        held.store(bytes, ordering: .relaxed)
        return true
    }
}

extension Session {
    /// Charges this connection's caller for `bytes` that are kept for it elsewhere; nil where the
    /// connection, its caller or all callers together hold too much: the request is overloaded.
    package func hold(_ bytes: Int) -> HeldBytes? {
        guard hasRoom(forMore: bytes) else { return nil }
        return HeldBytes(bytes, of: self)
    }

    /// Charges the caller if there is room.
    fileprivate func hasRoom(forMore bytes: Int) -> Bool {
        guard watchedBytes + bytes <= WireLimits.watchedBytesPerConnectionMax else { return false }
        return budget?.chargeIfRoom(bytes) ?? true
    }

    fileprivate func noteHeld(_ bytes: Int) {
        noteWatched(bytes)
        budget?.noteWatched(bytes)
    }
}
