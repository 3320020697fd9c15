import CLinux
import Glibc
import Synchronization
import Threads
import Wire

/// One RPC thread: waits in epoll, reads, answers, sends.
///
/// Connections are watched edge-triggered, so the kernel need not check each of them again after
/// every wake-up. `ConnectionState` stores what an edge has reported, and decides what comes next.
/// Each wake-up reads a connection once, answers at most a turn's worth of frames, and sends once.
struct RPCLoop: ~Copyable {
    static let mailboxToken = UInt64.max
    static let timerToken = UInt64.max - 1
    static let firstListenerToken = UInt64.max - 2
    static let lastListenerToken = UInt64.max - 16

    let epoll: Int32
    let own: LoopMailbox
    let counters: RPCCounters
    let halfFrames: HalfFrames
    let checker: FrameChecker
    /// The budgets of the sockets, in the order of the configuration.
    let doors: [DoorBudget]
    let patience: Patience
    let decoder: FrameDecoder
    var acceptor: Acceptor?
    var driver: FrameDriver
    var slab = ConnectionSlab()
    var reply = ReplyBuffer()
    /// Connections that continue in the next turn, in their order, and those of the present turn.
    var queued: [UInt64] = []
    private var turn: [UInt64] = []
    /// Whether this wake-up had input from connections that were not in the queue.
    private(set) var isBesideOthers = false
    /// The recent cost of callers; connections of expensive ones wait in the queue.
    var pace = CallerPace()
    /// Tokens of the mailbox, the timer and the listeners that reported an event.
    var others: [UInt64] = []
    /// Connections with new bytes to send.
    var dirty: [UInt64] = []
    /// Connections whose last read may have left bytes behind.
    var doubted: [UInt64] = []
    /// Pushes, of which those before `pushed` are sent.
    ///
    /// A limited part is sent in each turn, after all replies.
    private var pushes: [Delivery] = []
    private var pushed = 0
    /// The remaining charges of closed connections.
    var orphans: [UInt64: Orphan] = [:]
    var isDraining = false
    var isStopping = false
    /// How many connections have a deadline; the clock is read only while some have.
    var deadlines = 0
    var nextSweep: Int64 = 0
    /// The connections that were read and not yet answered.
    let round: UnsafeMutablePointer<Visit>
    var roundCount = 0
    /// How much of `scratch` is filled by the round.
    var roundBytes = 0
    /// The memory into which connections without an incomplete frame are read.
    let scratch: UnsafeMutableRawBufferPointer
    private let events: UnsafeMutablePointer<linux_event>

    init(
        epoll: Int32,
        own: LoopMailbox,
        worker: any FrameWorker,
        acceptor: consuming Acceptor?,
        counters: RPCCounters,
        halfFrames: HalfFrames,
        checker: FrameChecker,
        doors: [DoorBudget],
        patience: Patience,
        frameBytesMax: Int
    ) {
        self.epoll = epoll
        self.own = own
        self.acceptor = acceptor
        self.counters = counters
        self.halfFrames = halfFrames
        self.checker = checker
        self.doors = doors
        self.patience = patience
        decoder = FrameDecoder(frameBytesMax: frameBytesMax)
        driver = FrameDriver(worker: worker, outlet: own, frameBytesMax: frameBytesMax)
        // SAFETY: all three are freed in `deinit` and used by this thread alone.
        scratch = .allocate(byteCount: SocketLimits.roundBytes, alignment: 64)
        round = .allocate(capacity: SocketLimits.roundConnectionsMax)
        events = .allocate(capacity: Int(LINUX_EVENTS_MAX))
        events.initialize(repeating: linux_event(), count: Int(LINUX_EVENTS_MAX))
    }

    deinit {
        scratch.deallocate()
        round.deallocate()
        events.deallocate()
        close(epoll)
    }

    /// Runs until told to stop, or until drained.
    mutating func run() {
        while !isStopping, !(isDraining && slab.count == 0) {
            driver.worker.rest()
            let count = Int(linux_epoll_wait(epoll, events, waitMs()))
            var index = 0
            while index < count {
                // SAFETY: the wait filled in the first `count` events.
                let event = events[index]
                index += 1
                take(event.token, event.events)
            }
            isBesideOthers = roundCount > 0
            finishRound()
            takeOthers()
            takeTurn()
            flushDirty()
            takePushes()
            sweepIfDue()
            pace.fade()
            // The queued work may take long: let other waiting threads run now, not only at the
            // system's next tick.
            if !queued.isEmpty { sched_yield() }
        }
        // What the last turn read is carried out although nobody is left who would hear of it.
        driver.worker.rest()
        for token in slab.tokens { remove(token) }
    }

    @inline(__always)
    private mutating func take(_ token: UInt64, _ events: UInt32) {
        if let connection = slab.find(token) {
            note(events, on: connection)
            // A connection with an incomplete frame, or with more to answer after its turn, waits
            // for the next turn.
            if connection.pointee.state.hasInput || hasToWait(connection) {
                settle(connection)
            } else {
                read(connection)
            }
        } else if token >= Self.lastListenerToken {
            others.append(token)
        }
    }

    /// Whether the connection must wait in the queue, because its caller's recent cost is high.
    @inline(__always)
    private func hasToWait(_ connection: UnsafeMutablePointer<Connection>) -> Bool {
        guard pace.isAnybodyOver, connection.pointee.isDear, pace.isOver(connection.pointee.uid)
        else { return false }
        connection.pointee.turnBytes =
            max(connection.pointee.turnBytes, SocketLimits.replyBytesOfFirstTurnMax)
        return true
    }

    /// Takes messages and new connections after the round, because they may move connections in
    /// memory.
    private mutating func takeOthers() {
        guard !others.isEmpty else { return }
        for token in others {
            if token == Self.mailboxToken {
                takeMessages()
            } else if token == Self.timerToken {
                takeDoubted()
            } else {
                takeArrivals(at: Int(Self.firstListenerToken - token))
            }
        }
        others.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    private mutating func note(_ events: UInt32, on connection: UnsafeMutablePointer<Connection>) {
        if events & LINUX_READABLE != 0 { connection.pointee.state.readable() }
        guard events & ~LINUX_READABLE != 0 else { return }
        if events & LINUX_READ_HANGUP != 0 { connection.pointee.state.peerAnnouncedEnd() }
        if events & (LINUX_HANGUP | LINUX_ERROR) != 0 { connection.pointee.state.hungUp() }
        if events & LINUX_WRITABLE != 0 { sendOutput(connection) }
    }

    /// Continues the queued connections after all others have had their turn: in order, and only up
    /// to the allowed cost of a wake-up.
    ///
    /// The cost of a turn is estimated by that of the connection's last turn.
    private mutating func takeTurn() {
        guard !queued.isEmpty else { return }
        swap(&queued, &turn)
        var (taken, bytes) = (0, 0)
        while taken < turn.count, bytes < SocketLimits.turnsBytesMax {
            let token = turn[taken]
            taken += 1
            guard let connection = slab.find(token) else { continue }
            connection.pointee.state.takesTurn()
            bytes += connection.pointee.turnBytes
            read(connection)
        }
        finishRound()
        if taken < turn.count {
            turn.removeFirst(taken)
            turn.append(contentsOf: queued)
            swap(&queued, &turn)
        }
        turn.removeAll(keepingCapacity: true)
    }

    private mutating func takeArrivals(at index: Int) {
        guard !isDraining else { return }
        let arrivals = acceptor?.arrivals(at: index, epoll: epoll, now: Self.now()) ?? []
        for arrival in arrivals { adopt(arrival) }
    }

    private mutating func takeMessages() {
        for message in own.mailbox.takeAll() {
            switch message {
            case .adopt(let arrival): adopt(arrival)
            case .deliver(let delivery) where delivery.isPush: pushes.append(delivery)
            case .deliver(let delivery): deliver(delivery)
            case .checked(let frame): answer(frame)
            case .giveWay(let token): giveWay(token)
            case .makeRoom(let token): makeRoom(token)
            case .obey(let rules): obey(rules)
            case .answer: own.isAsked.store(false, ordering: .releasing)
            case .drain: drain()
            case .stop: isStopping = true
            }
        }
    }

    private mutating func deliver(_ delivery: Delivery) {
        guard let connection = slab.find(delivery.connection) else {
            forget(delivery)
            return
        }
        driver.take(delivery, for: &connection.pointee.conversation, into: &reply)
        if connection.pointee.state.canSend { connection.pointee.output.append(reply.written) }
        reply.removeAll()
        // Many long answers are sent as they come, and are not gathered first.
        if connection.pointee.output.count > SocketLimits.pushBytesPerTurnMax {
            sendOutput(connection)
        }
        if connection.pointee.state.becomesDirty() { dirty.append(delivery.connection) }
    }

    private mutating func flushDirty() {
        guard !dirty.isEmpty else { return }
        for token in dirty {
            guard let connection = slab.find(token) else { continue }
            connection.pointee.state.flushes()
            sendOutput(connection)
            settle(connection)
        }
        dirty.removeAll(keepingCapacity: true)
    }

    /// Sends pushed bytes up to the limit of a turn, so that requests do not wait for all of them.
    private mutating func takePushes() {
        var bytes = 0
        while pushed < pushes.count, bytes < SocketLimits.pushBytesPerTurnMax {
            bytes += pushes[pushed].response.count
            push(pushes[pushed])
            pushed += 1
        }
        guard pushed == pushes.count, pushed > 0 else { return }
        pushes.removeAll(keepingCapacity: true)
        pushed = 0
    }

    private mutating func adopt(_ arrival: Arrival) {
        guard !isDraining else {
            close(arrival.descriptor)
            own.connections.subtract(1, ordering: .relaxed)
            counters.countClosed(arrival)
            return
        }
        let share = doors[arrival.door].bytes.enter(arrival.caller.uid)
        let session = Session(caller: arrival.caller, budget: share)
        let refusedUntil = arrival.isRefused ? Self.now() + patience.refusalMs : nil
        let token = slab.insert(arrival, session, ConnectionState(refusedUntil: refusedUntil))
        if arrival.isRefused { deadlines += 1 }
        let interest = LINUX_READABLE | LINUX_READ_HANGUP | LINUX_EDGE
        if linux_epoll_add(epoll, arrival.descriptor, interest, token) < 0 {
            remove(token)
        }
    }

    /// Stops accepting, reads the received bytes, and closes connections that await no answer.
    private mutating func drain() {
        guard !isDraining else { return }
        isDraining = true
        acceptor?.stop(in: epoll)
        acceptor?.turnAwayWaiting()
        for token in slab.tokens {
            guard let connection = slab.find(token) else { continue }
            connection.pointee.state.readsToEnd()
            read(connection)
        }
        finishRound()
    }

    /// Closes a connection with an incomplete frame whose user has begun too many newer frames.
    private mutating func giveWay(_ token: UInt64) {
        guard let connection = slab.find(token), connection.pointee.state.isHalf else { return }
        counters.count(.halfFrames)
        remove(token)
    }

    /// Closes a connection that holds the most, to make room.
    private mutating func makeRoom(_ token: UInt64) {
        guard slab.find(token) != nil else { return }
        counters.count(.overTotal)
        remove(token)
    }

    /// Closes connections whose role changes under the new rules; when their callers connect again
    /// they get the new role.
    private mutating func obey(_ rules: AccessRules) {
        acceptor?.obey(rules)
        for token in slab.tokens {
            guard let connection = slab.find(token) else { continue }
            let caller = connection.pointee.conversation.session.caller
            let had = connection.pointee.conversation.isRefused ? nil : caller.role
            let has = rules.role(
                uid: caller.uid,
                gid: caller.gid,
                ceiling: connection.pointee.ceiling
            )
            if has != had { remove(token) }
        }
    }

    /// Closes a connection and forgets it.
    mutating func remove(_ token: UInt64) {
        guard let connection = slab.find(token) else { return }
        if connection.pointee.state.hasDeadline { deadlines -= 1 }
        if connection.pointee.state.isCountedHalf { leaveHalfFrames(connection) }
        counters.countClosed(
            at: connection.pointee.door,
            uid: connection.pointee.uid,
            isRefused: connection.pointee.conversation.isRefused
        )
        giveBack(connection)
        connection.pointee.conversation.session.close()
        connection.pointee.dropInput()
        close(connection.pointee.descriptor)
        slab.remove(token)
        own.connections.subtract(1, ordering: .relaxed)
    }

    private mutating func waitMs() -> Int32 {
        if !queued.isEmpty || !pushes.isEmpty { return 0 }
        let resumesAt = acceptor?.resumesAt ?? 0
        if resumesAt != 0 {
            return Int32(max(0, min(resumesAt - Self.now(), SocketLimits.sweepMs)))
        }
        return deadlines > 0 ? Int32(SocketLimits.sweepMs) : -1
    }

    private mutating func sweepIfDue() {
        let isPausing = (acceptor?.resumesAt ?? 0) != 0
        guard deadlines > 0 || isPausing else { return }
        let now = Self.now()
        if isPausing {
            acceptor?.resume(in: epoll, now: now, firstToken: Self.firstListenerToken)
        }
        guard deadlines > 0, now >= nextSweep else { return }
        nextSweep = now + SocketLimits.sweepMs
        sweep(at: now)
    }

    /// The present time of a monotonic clock, in milliseconds.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
