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
        switch connection.pointee.state.reading {
        case .nothing: settle(connection)
        case .restOfFrame: readRest(connection)
        case .ownInput: goOn(connection)
        case .socket:
            let start = roundBytes
            let room = min(scratch.count - start, SocketLimits.readBytes)
            let received = receive(connection, at: start, room: room)
            guard received > 0 else {
                settle(connection)
                return
            }
            // The next one starts on a cache line of its own.
            roundBytes = start + (received + 63) & ~63
            join(connection, Visit(connection: connection, start: start, count: received))
        }
    }

    /// Puts a connection on the round whose whole frames wait in its own memory.
    @inline(never)
    private mutating func goOn(_ connection: UnsafeMutablePointer<Connection>) {
        connection.pointee.turnBytes = 0
        join(connection, Visit(connection: connection, start: 0, count: Visit.ownInput))
    }

    /// Reads behind a half frame, which waits in the connection's own memory.
    @inline(never)
    private mutating func readRest(_ connection: UnsafeMutablePointer<Connection>) {
        var needed = WireLimits.headerBytes
        if case .needMore(let bytes) = decoder.step(connection.pointee.input.bytes, from: 0) {
            needed = bytes
        }
        let held = connection.pointee.input.count
        // Memory follows what has arrived: at most as much again, and a step.
        let more = min(needed - held, held, SocketLimits.turnsBytesMax)
        let room = max(more, SocketLimits.inputStepBytes)
        let received = connection.pointee.input.receive(
            from: connection.pointee.descriptor,
            upTo: room,
            of: needed
        )
        noteRead(received, of: room, on: connection)
        guard received > 0 else {
            countHalfFrame(connection, connection.pointee.state.gotNoRest())
            settle(connection)
            return
        }
        connection.pointee.turnBytes = received
        join(connection, Visit(connection: connection, start: 0, count: Visit.ownInput))
    }

    @inline(__always)
    private mutating func receive(
        _ connection: UnsafeMutablePointer<Connection>,
        at start: Int,
        room: Int
    ) -> Int {
        // SAFETY: `start + room` lies within the scratch memory, which is never empty: see `Visit`.
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

    /// Prefetches for all that were read, answers them, and sends.
    mutating func finishRound() {
        var sent = 0
        var index = 0
        var prefetched = 0
        while index < roundCount {
            if index == prefetched { prefetched = prefetch(from: index) }
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

    /// Has the worker look up together what the next visits seem to ask for; returns the first
    /// visit that is left for later.
    @inline(__always)
    private func prefetch(from first: Int) -> Int {
        var end = first
        var (start, stop, own) = (0, 0, 0)
        while end < roundCount, stop - start + own < SocketLimits.prefetchedBytes {
            let visit = round[end]
            end += 1
            guard visit.count != Visit.ownInput else {
                own += noteKeys(inInputOf: visit.connection)
                continue
            }
            if stop == 0 { start = visit.start }
            stop = visit.start + visit.count
        }
        // What was read stands in one piece, but for the rests of lines, which mean nothing.
        // SAFETY: both ends are those of visits, which lie within the scratch memory.
        driver.worker.noteKeys(in: UnsafeRawBufferPointer(rebasing: scratch[start..<stop]))
        driver.worker.prefetch()
        return end
    }

    /// Notes about as much as one turn answers; returns how many bytes that is.
    @inline(never)
    private func noteKeys(inInputOf connection: UnsafeMutablePointer<Connection>) -> Int {
        let bytes = connection.pointee.input.bytes
        let count = min(bytes.count, requestsPerTurnOfOwn * SocketLimits.prefetchedFrameBytes)
        // SAFETY: `count` is at most the number of bytes there are.
        driver.worker.noteKeys(in: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        return count
    }

    /// A caller with more than a turn waiting gives way sooner to callers with less.
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
            noteInput(connection, isNewFrame: consumed > 0)
            visit.replyEnd = reply.count
            connection.pointee.turnBytes += visit.replyEnd - visit.replyStart
            noteCost(connection.pointee.turnBytes, of: connection)
            return
        }
        // SAFETY: a visit's bytes lie within the scratch memory, and `consumed` is at most their
        // number.
        let bytes = UnsafeRawBufferPointer(
            rebasing: scratch[visit.start..<visit.start + visit.count]
        )
        let limits = (SocketLimits.requestsPerTurnMax, SocketLimits.replyBytesOfFirstTurnMax)
        let consumed = answer(bytes, on: connection, limits)
        visit.replyEnd = reply.count
        noteCost(bytes.count + visit.replyEnd - visit.replyStart, of: connection)
        if consumed < bytes.count, connection.pointee.state.isRead {
            connection.pointee.input.append(UnsafeRawBufferPointer(rebasing: bytes[consumed...]))
            // Descriptors sent along end a read early, before the bytes behind them: look again.
            connection.pointee.state.readable()
            noteInput(connection, isNewFrame: true)
            // A connection that owes the rest of a frame is likely to send as much again.
            let received = connection.pointee.state.isHalf ? bytes.count - consumed : 0
            connection.pointee.turnBytes = received + visit.replyEnd - visit.replyStart
        }
    }

    @inline(__always)
    private mutating func noteCost(_ bytes: Int, of connection: UnsafeMutablePointer<Connection>) {
        connection.pointee.isDear = bytes >= SocketLimits.costNotedMin
        guard connection.pointee.isDear else { return }
        pace.note(bytes, of: connection.pointee.uid)
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
        let outcome: ConnectionState.Received =
            switch received {
            case 1...: received < room ? .short : .full
            case 0: .end
            case -Int(EAGAIN): .nothing
            case -Int(EINTR): .interrupted
            default: .failed
            }
        connection.pointee.state.received(outcome)
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
                // SAFETY: the decoder found the range within the bytes.
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
                    connection.pointee.state.closes()
                    return start
                }
            case .refused(let fault):
                counters.countWrongLength()
                driver.refuse(fault.failure, into: &reply)
                connection.pointee.state.closes()
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
        if isRefused { connection.pointee.state.closes() }
        if !connection.pointee.conversation.isCut {
            connection.pointee.input.consume(WireLimits.headerBytes + long.bytes.count)
        }
        connection.pointee.turnBytes = reply.count
        send(reply.written, on: connection)
        reply.removeAll(keeping: SocketLimits.replyBytesKept)
        noteInput(connection, isNewFrame: true)
        settle(connection)
    }

    /// Sends one connection its replies, behind what already waits.
    @inline(__always)
    private mutating func send(_ visit: Visit) {
        let connection = visit.connection
        // SAFETY: both ends are places in the replies of this round.
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
        if connection.pointee.output.isEmpty, connection.pointee.state.canSend {
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
        if sent < 0, sent != -Int(EAGAIN), sent != -Int(EINTR) {
            connection.pointee.state.sendFailed()
        }
        guard connection.pointee.state.canSend else { return }
        // SAFETY: the kernel took `sent` bytes, fewer than there are.
        let rest = UnsafeRawBufferPointer(rebasing: bytes[max(sent, 0)...])
        connection.pointee.output.append(rest)
        limitOutput(connection)
    }

    /// Sends what waits, as far as it goes.
    @inline(never)
    mutating func sendOutput(_ connection: UnsafeMutablePointer<Connection>) {
        while !connection.pointee.output.isEmpty, connection.pointee.state.canSend {
            let bytes = connection.pointee.output.bytes
            let sent = linux_send(connection.pointee.descriptor, bytes.baseAddress, bytes.count)
            if sent > 0 {
                connection.pointee.output.consume(sent)
                connection.pointee.state.sent(sent)
            } else if sent == -Int(EAGAIN) {
                break
            } else if sent != -Int(EINTR) {
                connection.pointee.state.sendFailed()
            }
        }
        limitOutput(connection)
    }

    /// After anything happened: close if nothing is left to do, or go on next turn.
    @inline(__always)
    mutating func settle(_ connection: UnsafeMutablePointer<Connection>) {
        if connection.pointee.hasWaiting { noteWaiting(connection) }
        switch connection.pointee.state.next(isDraining: isDraining) {
        case .wait: return
        case .goOn: queueIfAble(connection)
        case .closeWhenSettled:
            if connection.pointee.isSettled { remove(connection.pointee.token) }
        case .lingerWhenSent: if connection.pointee.output.isEmpty { linger(connection) }
        case .dropInput: dropInput(connection)
        case .close: remove(connection.pointee.token)
        }
    }

    @inline(never)
    mutating func queueIfAble(_ connection: UnsafeMutablePointer<Connection>) {
        if connection.pointee.state.queues() { queued.append(connection.pointee.token) }
    }

    /// Ends this side, and drops what the other still sends.
    @inline(never)
    private mutating func linger(_ connection: UnsafeMutablePointer<Connection>) {
        let before = connection.pointee.state.hasDeadline
        connection.pointee.state.lingers(until: Self.now() + patience.lingerMs)
        countDeadline(connection, before: before)
        shutdown(connection.pointee.descriptor, Int32(SHUT_WR))
        settle(connection)
    }

    /// Reads what has arrived into memory of its own: `scratch` may hold what others have asked and
    /// nobody has answered yet.
    @inline(never)
    private mutating func dropInput(_ connection: UnsafeMutablePointer<Connection>) {
        let isAtEnd = withUnsafeTemporaryAllocation(
            byteCount: SocketLimits.readBytes,
            alignment: 1
        ) { memory in
            var dropped = 0
            while dropped < SocketLimits.droppedBytesMax {
                let descriptor = connection.pointee.descriptor
                let received = linux_receive(descriptor, memory.baseAddress, memory.count)
                noteRead(received, of: memory.count, on: connection)
                if received <= 0, received != -Int(EINTR) { return true }
                dropped += max(received, 0)
            }
            return false
        }
        if !isAtEnd { connection.pointee.state.cutOff() }
        settle(connection)
    }
}
