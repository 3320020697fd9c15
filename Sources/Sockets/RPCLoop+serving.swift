import CLinux
import Glibc
import Threads
import Wire

extension RPCLoop {
    /// Reads one connection and adds it to the round; if there is nothing to answer it is settled
    /// immediately.
    ///
    /// A round has at most `roundConnectionsMax` connections: all are read, then all are answered,
    /// then all are sent to. This keeps the kernel's code and this program's code in the
    /// processor's caches for several connections at a time, which gains a tenth of the throughput.
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
            // The bytes of the next connection start on a new cache line.
            roundBytes = start + (received + 63) & ~63
            join(connection, Visit(connection: connection, start: start, count: received))
        }
    }

    /// Adds a connection to the round whose whole frames wait in its own memory.
    @inline(never)
    private mutating func goOn(_ connection: UnsafeMutablePointer<Connection>) {
        connection.pointee.turnBytes = 0
        join(connection, Visit(connection: connection, start: 0, count: Visit.ownInput))
    }

    /// Reads the rest of an incomplete frame, which waits in the connection's own memory.
    @inline(never)
    private mutating func readRest(_ connection: UnsafeMutablePointer<Connection>) {
        var needed = WireLimits.headerBytes
        if case .needMore(let bytes) = decoder.step(connection.pointee.input.bytes, from: 0) {
            needed = bytes
        }
        let held = connection.pointee.input.count
        // The memory grows with the received bytes: it at most doubles, plus one step.
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

    /// Prefetches rows for all connections of the round, answers them, and sends the replies.
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

    /// Lets the worker look up together the rows that the next visits seem to need; returns the
    /// first visit that is left for later.
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
        // The bytes of all visits are contiguous except for unused ends of cache lines, which do no
        // harm.
        // SAFETY: both ends are those of visits, which lie within the scratch memory.
        driver.worker.noteKeys(in: UnsafeRawBufferPointer(rebasing: scratch[start..<stop]))
        driver.worker.prefetch()
        return end
    }

    /// Prefetches for about as many bytes as one turn answers; returns their number.
    @inline(never)
    private func noteKeys(inInputOf connection: UnsafeMutablePointer<Connection>) -> Int {
        let bytes = connection.pointee.input.bytes
        let count = min(bytes.count, requestsPerTurnOfOwn * SocketLimits.prefetchedFrameBytes)
        // SAFETY: `count` is at most the number of bytes there are.
        driver.worker.noteKeys(in: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        return count
    }

    /// How many requests a turn answers from a connection's own memory; fewer while others wait.
    private var requestsPerTurnOfOwn: Int {
        isBesideOthers || roundBytes > 0
            ? SocketLimits.requestsPerTurnBesideOthersMax : SocketLimits.requestsPerTurnMax
    }

    /// Answers one turn of a connection's requests, and keeps the rest for later.
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
            // File descriptors in the stream end a read early, before the bytes after them. A frame
            // that is not whole is where that shows: read again at once.
            connection.pointee.state.readable()
            noteInput(connection, isNewFrame: true)
            // The rest of an incomplete frame is likely to cost as much again.
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

    /// Sends the replies of these visits from `reply`, and empties it.
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
    private mutating func noteRead(
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
        if connection.pointee.state.becomesDoubted() { doubt(connection) }
    }

    /// Answers requests into `reply` up to a number of requests or bytes of answers; returns the
    /// size of their frames.
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
                // A batch that the end of the turn cut short stays in the input and continues in
                // the next turn.
                if connection.pointee.conversation.isCut { return start }
                start = range.upperBound
                if isRefused {
                    connection.pointee.state.closes()
                    return start
                }
            case .refused(let fault):
                counters.count(.wrongLengths)
                driver.refuse(fault.failure, into: &reply)
                connection.pointee.state.closes()
                return start
            }
        }
        return start
    }

    /// Gives a frame of a connection's own input to the checker; false if it is to be answered now.
    @inline(never)
    private func isCheckedElsewhere(
        _ frame: UnsafeRawBufferPointer,
        of connection: UnsafeMutablePointer<Connection>
    ) -> Bool {
        // The rest of a batch that was cut short has already been checked.
        guard !connection.pointee.conversation.isCut else { return false }
        let session = connection.pointee.conversation.session
        let long = LongFrame(frame, of: connection.pointee.token, session)
        guard checker.check(long) else { return false }
        connection.pointee.long = long
        return true
    }

    /// Answers a frame that the checker has checked, unless its connection is closed.
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

    /// Sends one connection its replies, after the bytes that already wait.
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

    /// Sends pushed bytes to a connection; the sender of the push is told when they have been sent.
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

    /// Sends as many waiting bytes as the kernel accepts.
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

    /// Carries out the next action after an event: close, linger, continue in the next turn, or
    /// wait.
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

    /// Ends this side's sending, and drops the bytes that the other side still sends.
    @inline(never)
    private mutating func linger(_ connection: UnsafeMutablePointer<Connection>) {
        let before = connection.pointee.state.hasDeadline
        connection.pointee.state.lingers(until: Self.now() + patience.lingerMs)
        countDeadline(connection, before: before)
        shutdown(connection.pointee.descriptor, Int32(SHUT_WR))
        settle(connection)
    }

    /// Reads and drops the received bytes.
    ///
    /// It uses separate memory, because `scratch` may hold unanswered requests of other
    /// connections.
    @inline(never)
    private mutating func dropInput(_ connection: UnsafeMutablePointer<Connection>) {
        withUnsafeTemporaryAllocation(byteCount: SocketLimits.readBytes, alignment: 1) { memory in
            while connection.pointee.state.droppable > 0 {
                let descriptor = connection.pointee.descriptor
                let received = linux_receive(descriptor, memory.baseAddress, memory.count)
                noteRead(received, of: memory.count, on: connection)
                if received <= 0, received != -Int(EINTR) { return }
                connection.pointee.state.drops(max(received, 0))
            }
        }
        settle(connection)
    }
}
