import CLinux
import Glibc
import Threads
import Wire

extension RPCLoop {
    /// Reads one connection and puts it on the round; with nothing to answer it is settled at once.
    ///
    /// A round is at most `roundConnectionsMax` connections: all are read, then all answered, then
    /// all sent to. The kernel's code and ours so stay in the processor's caches for several
    /// connections at a time, which is worth a tenth of the throughput.
    @inline(__always)
    mutating func read(_ connection: UnsafeMutablePointer<Connection>) {
        guard !connection.pointee.isClosing, connection.pointee.stallDeadline == 0 else {
            settle(connection)
            return
        }
        guard connection.pointee.input.isEmpty else {
            readMore(connection)
            return
        }
        let start = roundBytes
        let room = min(scratch.count - start, SocketLimits.readBytes)
        let received =
            connection.pointee.mayRead ? receive(connection, at: start, room: room) : 0
        guard received > 0 else {
            settle(connection)
            return
        }
        // The next one starts on a cache line of its own.
        roundBytes = start + (received + 63) & ~63
        join(connection, Visit(connection: connection, start: start, count: received))
    }

    /// A half frame, or whole ones that the last turn left, wait in the connection's own memory.
    @inline(never)
    private mutating func readMore(_ connection: UnsafeMutablePointer<Connection>) {
        guard connection.pointee.long == nil else {
            settle(connection)
            return
        }
        if case .needMore(let needed) = decoder.step(connection.pointee.input.bytes, from: 0) {
            let held = connection.pointee.input.count
            // Memory follows what has arrived: at most as much again, and a step.
            let more = min(needed - held, held, SocketLimits.turnsBytesMax)
            let room = max(more, SocketLimits.inputStepBytes)
            var received = 0
            if connection.pointee.mayRead {
                received = connection.pointee.input.receive(
                    from: connection.pointee.descriptor,
                    upTo: room,
                    of: needed
                )
                noteRead(received, of: room, on: connection)
            }
            guard received > 0 else {
                countHalfFrame(connection, isNewFrame: false)
                settle(connection)
                return
            }
            connection.pointee.turnBytes = received
        } else {
            connection.pointee.turnBytes = 0
        }
        join(connection, Visit(connection: connection, start: 0, count: Visit.ownInput))
    }

    @inline(__always)
    private mutating func receive(
        _ connection: UnsafeMutablePointer<Connection>,
        at start: Int,
        room: Int
    ) -> Int {
        let place = scratch.baseAddress.unsafelyUnwrapped + start
        let received = linux_receive(connection.pointee.descriptor, place, room)
        noteRead(received, of: room, on: connection)
        return received
    }

    @inline(__always)
    private mutating func join(_ connection: UnsafeMutablePointer<Connection>, _ visit: Visit) {
        round[roundCount] = visit
        roundCount += 1
        if roundCount == SocketLimits.roundConnectionsMax
            || scratch.count - roundBytes < SocketLimits.readBytesMin
        {
            finishRound()
        }
    }

    /// Answers and sends to all that were read.
    mutating func finishRound() {
        var sent = 0
        var index = 0
        var foreseen = 0
        while index < roundCount {
            if index == foreseen { foreseen = foresee(from: index) }
            var visit = round[index]
            answer(&visit)
            round[index] = visit
            index += 1
            if reply.count >= SocketLimits.replyBytesPerRoundMax {
                send(from: sent, upTo: index)
                sent = index
            }
        }
        send(from: sent, upTo: roundCount)
        roundCount = 0
        roundBytes = 0
    }

    /// Shows the worker what it is about to be asked; returns the first visit that it has not seen.
    @inline(__always)
    private func foresee(from first: Int) -> Int {
        var end = first
        var (start, stop, own) = (0, 0, 0)
        while end < roundCount, stop - start + own < SocketLimits.foreseenBytes {
            let visit = round[end]
            end += 1
            guard visit.count != Visit.ownInput else {
                own += foresee(ownInputOf: visit.connection)
                continue
            }
            if stop == 0 { start = visit.start }
            stop = visit.start + visit.count
        }
        // What was read stands in one piece, but for the rests of lines, which mean nothing.
        driver.worker.foresee(UnsafeRawBufferPointer(rebasing: scratch[start..<stop]))
        driver.worker.prefetch()
        return end
    }

    /// Shows the worker about as much as one turn answers; returns how many bytes that is.
    @inline(never)
    private func foresee(ownInputOf connection: UnsafeMutablePointer<Connection>) -> Int {
        let bytes = connection.pointee.input.bytes
        let count = min(bytes.count, requestsPerTurnOfOwn * SocketLimits.foreseenFrameBytes)
        driver.worker.foresee(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        return count
    }

    /// Who has more than a turn waiting gives way sooner to others who have less.
    private var requestsPerTurnOfOwn: Int {
        isBesideOthers || roundBytes > 0
            ? SocketLimits.requestsPerTurnBesideOthersMax : SocketLimits.requestsPerTurnMax
    }

    /// Answers a turn's worth of what one connection has sent, and keeps the rest for later.
    @inline(__always)
    private mutating func answer(_ visit: inout Visit) {
        let connection = visit.connection
        visit.replyStart = reply.count
        guard visit.count != Visit.ownInput else {
            let bytes = connection.pointee.input.bytes
            let limits = (requestsPerTurnOfOwn, SocketLimits.replyBytesPerTurnMax)
            let consumed = answer(bytes, on: connection, limits)
            connection.pointee.input.consume(consumed)
            setFrameDeadline(connection, isNewFrame: consumed > 0)
            visit.replyEnd = reply.count
            connection.pointee.turnBytes += visit.replyEnd - visit.replyStart
            return
        }
        let bytes = UnsafeRawBufferPointer(
            rebasing: scratch[visit.start..<visit.start + visit.count]
        )
        let limits = (SocketLimits.requestsPerTurnMax, SocketLimits.replyBytesOfFirstTurnMax)
        let consumed = answer(bytes, on: connection, limits)
        visit.replyEnd = reply.count
        if consumed < bytes.count, !connection.pointee.isClosing {
            connection.pointee.input.append(UnsafeRawBufferPointer(rebasing: bytes[consumed...]))
            // Descriptors sent along end a read early, before the bytes behind them: look again.
            connection.pointee.mayRead = true
            setFrameDeadline(connection, isNewFrame: true)
            // Whoever owes the rest of a frame is likely to send as much again.
            let isHalf = connection.pointee.frameDeadline != 0
            let received = isHalf ? bytes.count - consumed : 0
            connection.pointee.turnBytes = received + visit.replyEnd - visit.replyStart
        }
    }

    /// Sends what these visits have put into `reply`, and empties it.
    @inline(__always)
    private mutating func send(from first: Int, upTo end: Int) {
        var index = first
        while index < end {
            let visit = round[index]
            if visit.replyEnd > visit.replyStart { send(visit) }
            index += 1
        }
        index = first
        while index < end {
            settle(round[index].connection)
            index += 1
        }
        reply.removeAll(keeping: SocketLimits.replyBytesKept)
    }

    @inline(__always)
    private func noteRead(
        _ received: Int,
        of room: Int,
        on connection: UnsafeMutablePointer<Connection>
    ) {
        if received > 0 {
            // A stream that gave less than asked is empty, unless its end is still to be read.
            if received < room, !connection.pointee.endAnnounced {
                connection.pointee.mayRead = false
            }
        } else if received == 0 {
            connection.pointee.mayRead = false
            connection.pointee.endReached = true
        } else if received == -Int(EAGAIN) {
            connection.pointee.mayRead = false
        } else if received != -Int(EINTR) {
            connection.pointee.mayRead = false
            connection.pointee.endReached = true
            connection.pointee.isGone = true
        }
    }

    /// Answers requests into `reply` until there are so many of them, or so many bytes of answers;
    /// returns how many bytes their frames took.
    @inline(__always)
    private mutating func answer(
        _ bytes: UnsafeRawBufferPointer,
        on connection: UnsafeMutablePointer<Connection>,
        _ limits: (requests: Int, replyBytes: Int)
    ) -> Int {
        let firstReply = reply.count
        var start = 0
        var requests = 0
        while requests < limits.requests, reply.count - firstReply < limits.replyBytes {
            switch decoder.step(bytes, from: start) {
            case .needMore:
                return start
            case .frame(let range):
                if range.count > SocketLimits.readBytes,
                    isCheckedElsewhere(
                        UnsafeRawBufferPointer(rebasing: bytes[range]),
                        of: connection
                    )
                {
                    return start
                }
                let isRefused = connection.pointee.conversation.isRefused
                requests += driver.answer(
                    UnsafeRawBufferPointer(rebasing: bytes[range]),
                    of: &connection.pointee.conversation,
                    into: &reply,
                    requestsMax: isRefused ? .max : SocketLimits.requestsPerTurnMax
                )
                // The frame of a batch that is cut stays, and goes on next turn.
                if connection.pointee.conversation.isCut { return start }
                start = range.upperBound
                if isRefused {
                    connection.pointee.isClosing = true
                    return start
                }
            case .refused(let fault):
                counters.countWrongLength()
                driver.refuse(fault.failure, into: &reply)
                connection.pointee.isClosing = true
                return start
            }
        }
        return start
    }

    /// Has a frame of a connection's own input checked elsewhere; false where it is answered now.
    @inline(never)
    private func isCheckedElsewhere(
        _ frame: UnsafeRawBufferPointer,
        of connection: UnsafeMutablePointer<Connection>
    ) -> Bool {
        // What a cut batch has left was checked with the rest of it.
        guard !connection.pointee.conversation.isCut else { return false }
        let session = connection.pointee.conversation.session
        let long = LongFrame(frame, of: connection.pointee.token, session)
        guard checker.check(long) else { return false }
        connection.pointee.long = long
        return true
    }

    /// Answers a frame that was checked elsewhere, unless its connection is gone.
    mutating func answer(_ long: LongFrame) {
        defer { checker.goOn() }
        guard let connection = slab.find(long.connection), connection.pointee.long === long,
            let ahead = long.ahead
        else { return }
        connection.pointee.long = nil
        let isRefused = connection.pointee.conversation.isRefused
        driver.answer(
            long.bytes,
            checkedBy: ahead,
            of: &connection.pointee.conversation,
            into: &reply,
            requestsMax: isRefused ? .max : SocketLimits.requestsPerTurnMax
        )
        if isRefused { connection.pointee.isClosing = true }
        if !connection.pointee.conversation.isCut {
            connection.pointee.input.consume(WireLimits.headerBytes + long.bytes.count)
        }
        connection.pointee.turnBytes = reply.count
        send(reply.written, on: connection)
        reply.removeAll(keeping: SocketLimits.replyBytesKept)
        setFrameDeadline(connection, isNewFrame: true)
        settle(connection)
    }

    /// Sends one connection its replies, behind what already waits.
    @inline(__always)
    private mutating func send(_ visit: Visit) {
        let connection = visit.connection
        let bytes = UnsafeRawBufferPointer(
            rebasing: reply.written[visit.replyStart..<visit.replyEnd]
        )
        send(bytes, on: connection)
    }

    @inline(__always)
    private mutating func send(
        _ bytes: UnsafeRawBufferPointer,
        on connection: UnsafeMutablePointer<Connection>
    ) {
        var sent = 0
        if connection.pointee.output.isEmpty, !connection.pointee.isGone {
            sent = linux_send(connection.pointee.descriptor, bytes.baseAddress, bytes.count)
        }
        if sent < bytes.count { keepUnsent(bytes, sent: sent, on: connection) }
    }

    /// Sends what was pushed to a connection; whoever pushed it hears when it has left.
    mutating func push(_ delivery: Delivery) {
        guard let connection = slab.find(delivery.connection) else { return }
        connection.pointee.conversation.session.holdsPush = true
        delivery.response.withUnsafeBytes { send($0, on: connection) }
        connection.pointee.conversation.session.noteUnsent(connection.pointee.output.count)
        settle(connection)
    }

    @inline(never)
    private mutating func keepUnsent(
        _ bytes: UnsafeRawBufferPointer,
        sent: Int,
        on connection: UnsafeMutablePointer<Connection>
    ) {
        if sent < 0, sent != -Int(EAGAIN), sent != -Int(EINTR) { connection.pointee.isGone = true }
        guard !connection.pointee.isGone else { return }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[max(sent, 0)...])
        connection.pointee.output.append(rest)
        limitOutput(connection)
    }

    /// Sends what waits, as far as it goes.
    @inline(never)
    mutating func sendOutput(_ connection: UnsafeMutablePointer<Connection>) {
        while !connection.pointee.output.isEmpty, !connection.pointee.isGone {
            let bytes = connection.pointee.output.bytes
            let sent = linux_send(connection.pointee.descriptor, bytes.baseAddress, bytes.count)
            if sent > 0 {
                connection.pointee.output.consume(sent)
                connection.pointee.unreadMark -= sent
            } else if sent == -Int(EAGAIN) {
                break
            } else if sent != -Int(EINTR) {
                connection.pointee.isGone = true
            }
        }
        limitOutput(connection)
    }

    func hasHalfFrame(_ connection: UnsafeMutablePointer<Connection>) -> Bool {
        guard !connection.pointee.input.isEmpty else { return false }
        if case .needMore = decoder.step(connection.pointee.input.bytes, from: 0) { return true }
        return false
    }

    /// After anything happened: close if nothing is left to do, or go on next turn.
    @inline(__always)
    mutating func settle(_ connection: UnsafeMutablePointer<Connection>) {
        if connection.pointee.hasWaiting { noteWaiting(connection) }
        if connection.pointee.isClosing || connection.pointee.endReached
            || connection.pointee.isGone || isDraining
        {
            if closeIfDone(connection) { return }
        }
        guard connection.pointee.mayRead || !connection.pointee.input.isEmpty else { return }
        queueIfAble(connection)
    }

    @inline(never)
    mutating func queueIfAble(_ connection: UnsafeMutablePointer<Connection>) {
        guard !connection.pointee.isQueued, !connection.pointee.isClosing,
            connection.pointee.long == nil,
            connection.pointee.stallDeadline == 0,
            connection.pointee.mayRead
                || !(connection.pointee.input.isEmpty || hasHalfFrame(connection))
        else { return }
        connection.pointee.isQueued = true
        queued.append(connection.pointee.token)
    }

    /// Closes a connection that has ended, one way or another; true if it did.
    @inline(never)
    private mutating func closeIfDone(_ connection: UnsafeMutablePointer<Connection>) -> Bool {
        let token = connection.pointee.token
        let hasMore =
            connection.pointee.mayRead
            || !(connection.pointee.input.isEmpty || hasHalfFrame(connection))
        if connection.pointee.isClosing {
            guard connection.pointee.output.isEmpty || connection.pointee.isGone else {
                return false
            }
            discardInput(connection)
            remove(token)
            return true
        }
        if connection.pointee.isGone {
            // What was received whole is still carried out, as if its sender had waited.
            if hasMore, connection.pointee.stallDeadline == 0 { return false }
            remove(token)
            return true
        }
        guard !hasMore, connection.pointee.isSettled else { return false }
        guard connection.pointee.endReached || isDraining else { return false }
        remove(token)
        return true
    }

    /// Reads and drops what has arrived, so that closing does not reset the other side before it
    /// has seen the error.
    private func discardInput(_ connection: UnsafeMutablePointer<Connection>) {
        var dropped = 0
        while dropped < SocketLimits.discardBytesMax {
            let received = linux_receive(
                connection.pointee.descriptor,
                scratch.baseAddress,
                scratch.count
            )
            guard received > 0 else { return }
            dropped += received
        }
    }
}
