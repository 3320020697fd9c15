import CLinux
import Glibc
import Threads
import Wire

/// How much a connection may leave waiting, and for how long.
extension RPCLoop {
    /// Asks epoll to report writability exactly while bytes wait, and enforces the limits on
    /// waiting bytes.
    mutating func limitOutput(_ connection: UnsafeMutablePointer<Connection>) {
        let unsent = connection.pointee.output.count
        connection.pointee.conversation.session.noteUnsent(unsent)
        guard unsent <= unsentBytesHardMax else {
            counters.count(.stalled)
            cutOff(connection)
            return
        }
        let before = connection.pointee.state.hasDeadline
        let action = connection.pointee.state.leftUnsent(unsent, at: Self.now(), patience)
        countDeadline(connection, before: before)
        switch action {
        case .nothing: break
        case .awaitRoom: watch(connection, for: LINUX_WRITABLE)
        case .forgetRoom: watch(connection, for: 0)
        }
    }

    /// Asks epoll to report readability, and the events of `more`.
    private func watch(_ connection: UnsafeMutablePointer<Connection>, for more: UInt32) {
        let interest = LINUX_READABLE | LINUX_READ_HANGUP | LINUX_EDGE | more
        let (descriptor, token) = (connection.pointee.descriptor, connection.pointee.token)
        _ = linux_epoll_modify(epoll, descriptor, interest, token)
    }

    /// The hard limit has room for the bytes that were unsent when reading stopped, and for the
    /// longest reply after them.
    private var unsentBytesHardMax: Int {
        max(
            SocketLimits.unsentBytesHardMax,
            SocketLimits.unsentBytesMax + 2 * decoder.frameBytesMax
        )
    }

    /// Drops all waiting bytes of a connection; it is closed next.
    ///
    /// Must not be called between the reading of a connection and its answers.
    private func cutOff(_ connection: UnsafeMutablePointer<Connection>) {
        connection.pointee.state.cutOff()
        connection.pointee.dropInput()
        connection.pointee.output.removeAll()
    }

    /// Charges the caller for the waiting bytes of this connection.
    ///
    /// Nothing is charged below `freeBytesEach`, and beyond that in steps, so that the counters
    /// shared by all threads seldom change.
    @inline(never)
    mutating func noteWaiting(_ connection: UnsafeMutablePointer<Connection>) {
        let (before, now) = (connection.pointee.waiting, connection.pointee.waitingNow)
        guard now != before else { return }
        own.waiting[connection.pointee.door].note(now, instead: before)
        connection.pointee.waiting = now
        charge(connection, for: now.sum)
    }

    private mutating func charge(_ connection: UnsafeMutablePointer<Connection>, for bytes: Int) {
        let step = SocketLimits.chargedStepBytes
        let beyond = max(0, bytes - SocketLimits.freeBytesEach)
        let needed = (beyond + step - 1) / step * step
        let charged = connection.pointee.charged
        guard needed != charged else { return }
        let session = connection.pointee.conversation.session
        guard let share = session.budget else { return }
        share.charge(needed - charged)
        connection.pointee.charged = needed
        let door = doors[connection.pointee.door]
        if max(needed, charged) >= SocketLimits.greatBytesMin {
            let token = connection.pointee.token
            door.note(session, .init(loop: own, connection: token, share: share, bytes: needed))
        }
        noteShare(connection)
        let all = door.bytes.heldBytes
        let most = door.bytes.totalBytesMax
        let isTooMuch =
            all > most || share.heldBytes > DoorBudget.overdrawn(door.bytes.callerBytesMax)
        guard needed > charged, isTooMuch else { return }
        if !door.makeRoom(in: share) || all > DoorBudget.overdrawn(most) {
            counters.count(.overTotal)
            cutOff(connection)
        }
    }

    /// Notes whether a connection is part of the reason why its caller exceeds its share.
    private mutating func noteShare(_ connection: UnsafeMutablePointer<Connection>) {
        let isOver = connection.pointee.conversation.session.budget?.isOver ?? false
        let before = connection.pointee.state.hasDeadline
        connection.pointee.state.noteShare(
            isOver: isOver && connection.pointee.charged > 0,
            unsent: connection.pointee.output.count,
            at: Self.now(),
            patience
        )
        countDeadline(connection, before: before)
    }

    /// Releases the charge of a connection that is about to be forgotten.
    ///
    /// Its unanswered requests are still in memory where they are being answered, so they stay
    /// charged.
    mutating func giveBack(_ connection: UnsafeMutablePointer<Connection>) {
        let session = connection.pointee.conversation.session
        let door = doors[connection.pointee.door]
        door.forget(session)
        own.waiting[connection.pointee.door].note(.init(), instead: connection.pointee.waiting)
        guard let share = session.budget else { return }
        let unanswered = connection.pointee.conversation.unanswered
        let kept = min(
            connection.pointee.charged,
            unanswered > 0 ? connection.pointee.conversation.unansweredBytes : 0
        )
        if connection.pointee.charged > kept { share.release(connection.pointee.charged - kept) }
        if kept > 0 {
            orphans[connection.pointee.token] = Orphan(
                share: share,
                charged: kept,
                unanswered: unanswered
            )
        } else {
            door.bytes.leave(share)
        }
    }

    /// Handles an answer for a closed connection; the last one ends its charge.
    mutating func forget(_ delivery: Delivery) {
        driver.forget(delivery)
        guard var orphan = orphans[delivery.connection] else { return }
        orphan.unanswered -= 1
        orphans[delivery.connection] = orphan.unanswered > 0 ? orphan : nil
        guard orphan.unanswered == 0 else { return }
        orphan.share.release(orphan.charged)
        orphan.share.budget.leave(orphan.share)
    }

    /// Closes connections whose deadline has passed, and resumes those that need not wait any more.
    mutating func sweep(at now: Int64) {
        var overShare: [(token: UInt64, charged: Int)] = []
        /// The shares of which at least one connection's time is over.
        var due: Set<ObjectIdentifier> = []
        for token in slab.tokens {
            guard let connection = slab.find(token), connection.pointee.state.hasDeadline
            else { continue }
            if connection.pointee.charged > 0 { noteShare(connection) }
            switch connection.pointee.state.due(at: now) {
            case .nothing:
                queueIfAble(connection)
            case .frame:
                counters.count(.slowFrames)
                remove(token)
            case .unread:
                counters.count(.unread)
                remove(token)
            case .refusal:
                counters.count(.refusedClosed)
                remove(token)
            case .linger:
                remove(token)
            case .stall:
                counters.count(.stalled)
                remove(token)
            case .overShare(let isOver):
                overShare.append((token, connection.pointee.charged))
                if isOver { due.insert(share(of: connection)) }
            }
        }
        if !due.isEmpty { closeThoseOverShare(overShare, of: due) }
    }

    private func share(of connection: UnsafeMutablePointer<Connection>) -> ObjectIdentifier {
        let session = connection.pointee.conversation.session
        return session.budget.map { ObjectIdentifier($0) } ?? ObjectIdentifier(session)
    }

    /// Closes the largest connections first, and stops once their caller no longer exceeds its
    /// share.
    private mutating func closeThoseOverShare(
        _ found: [(token: UInt64, charged: Int)],
        of due: Set<ObjectIdentifier>
    ) {
        for (token, _) in found.sorted(by: { $0.charged > $1.charged }) {
            guard let connection = slab.find(token), due.contains(share(of: connection))
            else { continue }
            noteShare(connection)
            if connection.pointee.state.isOverShare {
                counters.count(.overShare)
                remove(token)
            } else {
                queueIfAble(connection)
            }
        }
    }

    /// Notes what the input begins with, and starts the deadline of a new frame.
    mutating func noteInput(
        _ connection: UnsafeMutablePointer<Connection>,
        isNewFrame: Bool
    ) {
        let before = connection.pointee.state.hasDeadline
        let change = connection.pointee.state.holds(
            connection.pointee.rest(by: decoder),
            isNewFrame: isNewFrame,
            until: Self.now() + patience.frameMs
        )
        countDeadline(connection, before: before)
        countHalfFrame(connection, change)
    }

    /// Updates the count of the user's incomplete frames.
    func countHalfFrame(
        _ connection: UnsafeMutablePointer<Connection>,
        _ change: ConnectionState.HalfFrameChange
    ) {
        switch change {
        case .none: return
        case .leaves: leaveHalfFrames(connection)
        case .enters: enterHalfFrames(connection)
        case .renews:
            leaveHalfFrames(connection)
            enterHalfFrames(connection)
        }
    }

    private func enterHalfFrames(_ connection: UnsafeMutablePointer<Connection>) {
        let entry = HalfFrames.Entry(loop: own, connection: connection.pointee.token)
        let oldest = halfFrames.enter(entry, of: connection.pointee.uid)
        // If the mailbox is full the message is lost; the frame's deadline still applies.
        if let oldest { _ = oldest.loop.mailbox.post(.giveWay(oldest.connection)) }
    }

    func leaveHalfFrames(_ connection: UnsafeMutablePointer<Connection>) {
        let entry = HalfFrames.Entry(loop: own, connection: connection.pointee.token)
        halfFrames.leave(entry, of: connection.pointee.uid)
    }

    mutating func countDeadline(
        _ connection: UnsafeMutablePointer<Connection>,
        before: Bool
    ) {
        let after = connection.pointee.state.hasDeadline
        if after != before { deadlines += after ? 1 : -1 }
    }
}

/// The charge of a closed connection whose requests are not all answered.
struct Orphan {
    let share: CallerBudget
    let charged: Int
    var unanswered: Int
}
