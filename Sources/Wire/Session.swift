import Synchronization

/// One connection, as the methods see it.
///
/// `isOpen` may be asked from any thread. `attachment`, `onClose` and `onRoom` belong to the
/// connection's RPC thread alone.
package final class Session: @unchecked Sendable {
    // SAFETY: what changes belongs to the RPC thread, but for what is atomic.
    /// Unique for the life of the process.
    package let id: UInt64
    /// Who asks.
    package let caller: Caller
    /// The caller's share of the bytes that may wait; nil where nobody counts them.
    package let budget: CallerBudget?
    /// Whether the connection lasts beyond the answers to what was asked: then something may be
    /// pushed, and something may end with it.
    package let isLasting: Bool
    /// Whatever the methods keep for this connection; released when it closes.
    package var attachment: AnyObject?
    /// Called once on the RPC thread when the connection closes, then released.
    package var onClose: (() -> Void)?

    /// Called on the RPC thread when something was pushed and has left, if somebody waits for that.
    package var onRoom: (@Sendable () -> Void)?

    /// Whether a pushed chunk has come to the RPC thread and not left it for the kernel yet.
    package var holdsPush = false

    private enum Push: UInt8, AtomicRepresentable {
        case none
        case underWay
        /// Somebody waits until it has left.
        case awaited
    }

    private let push = Atomic<Push>(.none)
    private let open = Atomic<Bool>(true)
    private let watched = Atomic<Int>(0)
    private static let lastID = Atomic<UInt64>(0)

    /// A session of `caller`, with an id of its own.
    package init(caller: Caller, budget: CallerBudget? = nil, isLasting: Bool = true) {
        self.isLasting = isLasting
        self.caller = caller
        self.budget = budget
        id = Self.lastID.add(1, ordering: .relaxed).newValue
    }

    /// Whether the connection still stands.
    package var isOpen: Bool { open.load(ordering: .acquiring) }

    /// Bytes that are kept for this connection on other threads than its own; see `hold`.
    package var watchedBytes: Int { watched.load(ordering: .relaxed) }

    func noteWatched(_ bytes: Int) { watched.add(bytes, ordering: .relaxed) }

    /// A chunk is pushed: there is none before it.
    func pushBegins() { push.store(.underWay, ordering: .releasing) }

    /// Whether a pushed chunk is under way; then `onRoom` will be called.
    func waitsForRoom() -> Bool {
        if push.load(ordering: .relaxed) == .awaited { return true }
        let (_, found) = push.compareExchange(
            expected: .underWay,
            desired: .awaited,
            ordering: .acquiringAndReleasing
        )
        return found != .none
    }

    /// Notes how many bytes the kernel has not taken yet.
    ///
    /// Only the connection's own thread calls this.
    package func noteUnsent(_ bytes: Int) {
        guard holdsPush, bytes == 0 else { return }
        holdsPush = false
        let isAwaited = push.exchange(.none, ordering: .acquiringAndReleasing) == .awaited
        if isAwaited { onRoom?() }
    }

    /// Ends the session.
    ///
    /// Only the connection's own thread calls this.
    package func close() {
        guard open.exchange(false, ordering: .acquiringAndReleasing) else { return }
        onClose?()
        onClose = nil
        onRoom = nil
        attachment = nil
    }
}
