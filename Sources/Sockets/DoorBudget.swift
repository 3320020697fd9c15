import Synchronization
import Threads
import Wire

/// The bytes that one socket's callers may leave waiting, and the connections that hold the most.
///
/// If a caller exceeds its share by more than an eighth, or all callers together exceed the total,
/// the connection that holds the most is closed, on whatever thread it is. The next request is not
/// refused instead: its caller did not cause this, and a refusal would free nothing.
final class DoorBudget: Sendable {
    /// The charges of all callers.
    let bytes: ByteBudget

    /// A connection with a large charge.
    struct Holder: Sendable {
        let loop: LoopMailbox
        let connection: UInt64
        let share: CallerBudget
        let bytes: Int
        /// The bytes that it will give back, if it was told to close.
        fileprivate var leaving = 0

        init(loop: LoopMailbox, connection: UInt64, share: CallerBudget, bytes: Int) {
            self.loop = loop
            self.connection = connection
            self.share = share
            self.bytes = bytes
        }
    }

    private struct Holders {
        var bySession: [UInt64: Holder] = [:]
        /// The bytes that connections will give back which were told to close and are still open.
        var leaving = 0

        func leaving(of share: CallerBudget) -> Int {
            guard leaving > 0 else { return 0 }
            return bySession.values.reduce(0) { $0 + ($1.share === share ? $1.leaving : 0) }
        }
    }

    private let holders = Mutex(Holders())

    init(_ bytes: ByteBudget) { self.bytes = bytes }

    /// Notes the charge of a connection.
    func note(_ session: Session, _ holder: Holder) {
        holders.withLock { holders in
            if let known = holders.bySession[session.id], known.leaving > 0 { return }
            let isGreat = holder.bytes >= SocketLimits.greatBytesMin
            holders.bySession[session.id] = isGreat ? holder : nil
        }
    }

    /// Forgets a closed connection.
    func forget(_ session: Session) {
        holders.withLock { holders in
            guard let holder = holders.bySession.removeValue(forKey: session.id) else { return }
            holders.leaving -= holder.leaving
        }
    }

    /// Closes the largest holders until the total fits and `share` is exceeded by an eighth at
    /// most; false if that is not enough and no large holder is left.
    func makeRoom(in share: CallerBudget) -> Bool {
        holders.withLock { holders in
            while bytes.heldBytes - holders.leaving > bytes.totalBytesMax {
                guard closeGreatest(of: nil, &holders) else { return false }
            }
            let most = Self.overdrawn(bytes.callerBytesMax)
            while share.heldBytes - holders.leaving(of: share) > most {
                guard closeGreatest(of: share, &holders) else { return false }
            }
            return true
        }
    }

    private func closeGreatest(of share: CallerBudget?, _ holders: inout Holders) -> Bool {
        var greatest: (id: UInt64, holder: Holder)?
        // The list has some thousand holders at most, and each pass frees at least `greatBytesMin`.
        for (id, holder) in holders.bySession where holder.leaving == 0 {
            guard holder.bytes > greatest?.holder.bytes ?? 0 else { continue }
            if let share, holder.share !== share { continue }
            greatest = (id, holder)
        }
        guard let (id, holder) = greatest,
            holder.loop.mailbox.post(.makeRoom(holder.connection))
        else { return false }
        holders.bySession[id]?.leaving = holder.bytes
        holders.leaving += holder.bytes
        return true
    }

    /// The limit to which `bytes` may be exceeded for a short time.
    static func overdrawn(_ bytes: Int) -> Int {
        bytes.addingReportingOverflow(bytes / SocketLimits.overdraftDivisor).overflow
            ? .max : bytes + bytes / SocketLimits.overdraftDivisor
    }

    /// How many connections have a large charge.
    var holdersCount: Int { holders.withLock { $0.bySession.count } }
}
