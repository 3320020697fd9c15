import CLinux
import Glibc
import Threads
import Wire

/// How much a connection may leave waiting, and for how long.
extension RPCLoop {
    /// Watches for room exactly while something waits, and holds the limits on how much may.
    mutating func limitOutput(_ connection: UnsafeMutablePointer<Connection>) {
        let unsent = connection.pointee.output.count
        connection.pointee.conversation.session.noteUnsent(unsent)
        if connection.pointee.awaitsRoom != (unsent > 0) {
            connection.pointee.awaitsRoom = unsent > 0
            var interest = LINUX_READABLE | LINUX_READ_HANGUP
            interest |= LINUX_EDGE
            if unsent > 0 { interest |= LINUX_WRITABLE }
            _ = linux_epoll_modify(
                epoll,
                connection.pointee.descriptor,
                interest,
                connection.pointee.token
            )
        }
        if unsent > unsentBytesHardMax {
            counters.countStalled()
            cutOff(connection)
        }
        let before = connection.pointee.hasDeadline
        limitUnread(connection)
        limitStall(connection)
        countDeadline(connection, before: before)
    }

    /// Room for what was unsent when reading stopped, and for the longest reply behind it.
    private var unsentBytesHardMax: Int {
        max(
            SocketLimits.unsentBytesHardMax,
            SocketLimits.unsentBytesMax + 2 * decoder.frameBytesMax
        )
    }

    /// What waits now must have left some time later, and then what waits then: whoever takes a
    /// byte now and then does not escape.
    private mutating func limitUnread(_ connection: UnsafeMutablePointer<Connection>) {
        let unsent = connection.pointee.output.count
        if unsent == 0 {
            connection.pointee.unreadDeadline = 0
        } else if connection.pointee.unreadDeadline == 0 || connection.pointee.unreadMark <= 0 {
            connection.pointee.unreadMark = unsent
            connection.pointee.unreadDeadline = Self.now() + patience.unreadMs
        }
    }

    /// Stops reading, for a while and then for ever, while a connection or its caller holds too
    /// much.
    private mutating func limitStall(_ connection: UnsafeMutablePointer<Connection>) {
        let unsent = connection.pointee.output.count
        // A last word that nobody takes must not keep a closing connection either.
        let isTooMuch =
            unsent > SocketLimits.unsentBytesMax || connection.pointee.isOverShare
            || connection.pointee.isClosing && unsent > 0
        if !isTooMuch {
            connection.pointee.stallDeadline = 0
        } else if connection.pointee.stallDeadline == 0 {
            connection.pointee.stallDeadline = Self.now() + patience.stallMs
        }
    }

    /// Drops what a connection leaves waiting, and whatever it still sends; it is closed next.
    ///
    /// Never called between the reading of a connection and its answers.
    private func cutOff(_ connection: UnsafeMutablePointer<Connection>) {
        connection.pointee.isGone = true
        connection.pointee.mayRead = false
        connection.pointee.dropInput()
        connection.pointee.output.removeAll()
    }

    /// Charges the caller for what this connection leaves waiting.
    ///
    /// With less than `freeBytesEach` nothing is charged, and beyond that in steps, so that the
    /// counters that all threads share are seldom touched.
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
            counters.countOverTotal()
            cutOff(connection)
        }
    }

    /// Notes whether a connection holds a part of what is too much for its caller.
    private mutating func noteShare(_ connection: UnsafeMutablePointer<Connection>) {
        let isOver = connection.pointee.conversation.session.budget?.isOver ?? false
        let before = connection.pointee.hasDeadline
        connection.pointee.isOverShare = isOver && connection.pointee.charged > 0
        limitStall(connection)
        countDeadline(connection, before: before)
    }

    /// Gives back what was charged, before a connection is forgotten.
    ///
    /// What it asked and was not answered goes on being held by those who answer, and charged.
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

    /// One answer has come to a connection that is gone; with the last one its charge ends.
    mutating func forget(_ delivery: Delivery) {
        driver.forget(delivery)
        guard var orphan = orphans[delivery.connection] else { return }
        orphan.unanswered -= 1
        orphans[delivery.connection] = orphan.unanswered > 0 ? orphan : nil
        guard orphan.unanswered == 0 else { return }
        orphan.share.release(orphan.charged)
        orphan.share.budget.leave(orphan.share)
    }

    /// Closes the connections whose time is over, and lets those go on that need not wait any more.
    mutating func sweep(at now: Int64) {
        var overShare: [(token: UInt64, charged: Int)] = []
        /// Those of whose connections one has had its time.
        var due: Set<ObjectIdentifier> = []
        for token in slab.tokens {
            guard let connection = slab.find(token), connection.pointee.hasDeadline
            else { continue }
            if connection.pointee.charged > 0 { noteShare(connection) }
            let isDue = { (deadline: Int64) in deadline != 0 && now >= deadline }
            if isDue(connection.pointee.frameDeadline) {
                counters.countSlowFrame()
                remove(token)
            } else if isDue(connection.pointee.unreadDeadline) {
                counters.countUnread()
                remove(token)
            } else if isDue(connection.pointee.refusalDeadline) {
                counters.countRefusedClosed()
                remove(token)
            } else if connection.pointee.isOverShare {
                overShare.append((token, connection.pointee.charged))
                if isDue(connection.pointee.stallDeadline) { due.insert(share(of: connection)) }
            } else if isDue(connection.pointee.stallDeadline) {
                counters.countStalled()
                remove(token)
            } else {
                queueIfAble(connection)
            }
        }
        if !due.isEmpty { closeThoseOverShare(overShare, of: due) }
    }

    private func share(of connection: UnsafeMutablePointer<Connection>) -> ObjectIdentifier {
        let session = connection.pointee.conversation.session
        return session.budget.map { ObjectIdentifier($0) } ?? ObjectIdentifier(session)
    }

    /// Closes first who holds most, and nobody any more once their caller holds no more than its
    /// share.
    private mutating func closeThoseOverShare(
        _ found: [(token: UInt64, charged: Int)],
        of due: Set<ObjectIdentifier>
    ) {
        for (token, _) in found.sorted(by: { $0.charged > $1.charged }) {
            guard let connection = slab.find(token), due.contains(share(of: connection))
            else { continue }
            noteShare(connection)
            if connection.pointee.isOverShare {
                counters.countOverShare()
                remove(token)
            } else if connection.pointee.stallDeadline == 0 {
                queueIfAble(connection)
            }
        }
    }

    /// Starts the clock of a frame that has begun, and stops it when none has.
    mutating func setFrameDeadline(
        _ connection: UnsafeMutablePointer<Connection>,
        isNewFrame: Bool
    ) {
        let before = connection.pointee.hasDeadline
        if hasHalfFrame(connection) {
            if isNewFrame || connection.pointee.frameDeadline == 0 {
                connection.pointee.frameDeadline = Self.now() + patience.frameMs
            }
        } else {
            connection.pointee.frameDeadline = 0
        }
        countDeadline(connection, before: before)
        countHalfFrame(connection, isNewFrame: isNewFrame)
    }

    /// Counts a frame among its user's while the other side owes the rest of it.
    ///
    /// While the socket may hold more, it is this thread that is behind.
    mutating func countHalfFrame(
        _ connection: UnsafeMutablePointer<Connection>,
        isNewFrame: Bool
    ) {
        let isBegun = connection.pointee.frameDeadline != 0
        if connection.pointee.isCountedHalf, isNewFrame || !isBegun { leaveHalfFrames(connection) }
        guard isBegun, !connection.pointee.mayRead, !connection.pointee.isCountedHalf
        else { return }
        connection.pointee.isCountedHalf = true
        let entry = HalfFrames.Entry(loop: own, connection: connection.pointee.token)
        let oldest = halfFrames.enter(entry, of: connection.pointee.uid)
        // A full box means that the thread has other worries; the frame's deadline still holds.
        if let oldest { _ = oldest.loop.mailbox.post(.giveWay(oldest.connection)) }
    }

    func leaveHalfFrames(_ connection: UnsafeMutablePointer<Connection>) {
        connection.pointee.isCountedHalf = false
        let entry = HalfFrames.Entry(loop: own, connection: connection.pointee.token)
        halfFrames.leave(entry, of: connection.pointee.uid)
    }

    private mutating func countDeadline(
        _ connection: UnsafeMutablePointer<Connection>,
        before: Bool
    ) {
        let after = connection.pointee.hasDeadline
        if after != before { deadlines += after ? 1 : -1 }
    }
}

/// What a connection that is gone has asked, and nobody has answered yet.
struct Orphan {
    let share: CallerBudget
    let charged: Int
    var unanswered: Int
}
