import Synchronization

/// One connection, as the methods see it.
///
/// `isOpen` may be asked from any thread. `attachment` and `onClose` belong to the connection's RPC
/// thread alone.
package final class Session: @unchecked Sendable {
    /// Unique for the life of the process.
    package let id: UInt64
    /// Who asks.
    package let caller: Caller
    /// Whatever the methods keep for this connection; released when it closes.
    package var attachment: AnyObject?
    /// Called once on the RPC thread when the connection closes, then released.
    package var onClose: (() -> Void)?

    /// Set by the connection's thread when it is pushed to for the first time.
    package var isPushedTo = false

    private let pushing = Atomic<Bool>(false)
    private let unsent = Atomic<Int>(0)
    private let open = Atomic<Bool>(true)
    private static let lastID = Atomic<UInt64>(0)

    /// A session of `caller`, with an id of its own.
    package init(caller: Caller) {
        self.caller = caller
        id = Self.lastID.add(1, ordering: .relaxed).newValue
    }

    /// Whether the connection still stands.
    package var isOpen: Bool { open.load(ordering: .acquiring) }

    /// Whether a pushed chunk is on its way to the connection's thread.
    package var isPushing: Bool {
        get { pushing.load(ordering: .acquiring) }
        set { pushing.store(newValue, ordering: .releasing) }
    }

    /// Bytes that the other side has not taken yet; kept for connections that are pushed to.
    package var unsentBytes: Int {
        get { unsent.load(ordering: .relaxed) }
        set { unsent.store(newValue, ordering: .relaxed) }
    }

    /// Ends the session.
    ///
    /// Only the connection's own thread calls this.
    package func close() {
        guard open.exchange(false, ordering: .acquiringAndReleasing) else { return }
        onClose?()
        onClose = nil
        attachment = nil
    }
}
