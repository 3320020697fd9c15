import Synchronization
import Threads
import Wire

/// The bytes that one socket's callers may leave waiting, and the connections that hold most.
///
/// Where a caller passes its share by a part, or all together pass the total, the connection that
/// holds the most is closed, whatever thread it is on: whoever asks next has done nothing, and
/// refusing it would free nothing.
final class DoorBudget: Sendable {
    /// Who is charged for what.
    let bytes: ByteBudget

    /// A connection that is charged for much.
    struct Holder: Sendable {
        let loop: LoopMailbox
        let connection: UInt64
        let share: CallerBudget
        let bytes: Int
        /// What it gives back: it was told to close.
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
        /// What those give back that were told to close and have not yet.
        var leaving = 0

        func leaving(of share: CallerBudget) -> Int {
            guard leaving > 0 else { return 0 }
            return bySession.values.reduce(0) { $0 + ($1.share === share ? $1.leaving : 0) }
        }
    }

    private let holders = Mutex(Holders())

    init(_ bytes: ByteBudget) { self.bytes = bytes }

    /// Notes what a connection is charged for.
    func note(_ session: Session, _ holder: Holder) {
        holders.withLock { holders in
            if let known = holders.bySession[session.id], known.leaving > 0 { return }
            let isGreat = holder.bytes >= SocketLimits.greatBytesMin
            holders.bySession[session.id] = isGreat ? holder : nil
        }
    }

    /// Forgets a connection that is gone.
    func forget(_ session: Session) {
        holders.withLock { holders in
            guard let holder = holders.bySession.removeValue(forKey: session.id) else { return }
            holders.leaving -= holder.leaving
        }
    }

    /// Has those who hold most close, until what all hold fits, and what `share` holds passes it by
    /// a part at most; false where that needs more, and nobody left holds much.
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
        // Thousands at most, and each pass frees `greatBytesMin` at least.
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

    /// What `bytes` may be passed to for a moment.
    static func overdrawn(_ bytes: Int) -> Int {
        bytes.addingReportingOverflow(bytes / SocketLimits.overdraftDivisor).overflow
            ? .max : bytes + bytes / SocketLimits.overdraftDivisor
    }

    /// How many connections hold much.
    var holdersCount: Int { holders.withLock { $0.bySession.count } }
}
