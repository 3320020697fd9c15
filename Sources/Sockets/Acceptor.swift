import CLinux
import Glibc
import Synchronization
import Threads
import Wire

/// Accepts connections, looks up their callers, and assigns each to the thread with the fewest.
///
/// Runs on the first RPC thread. When descriptors or memory run out it pauses, because otherwise
/// the listener would stay readable and the loop would spin.
struct Acceptor: ~Copyable {
    /// A listening socket and the highest role that it gives.
    struct Listener: Sendable {
        let descriptor: Int32
        let ceiling: Role
        /// How many connections it may have.
        let connectionsMax: Int
    }

    /// What `accept` returned for a descriptor, or the negative errno; replaced only in tests.
    typealias Accept = @Sendable (Int32) -> Int32

    let listeners: [Listener]
    /// When accepting continues, in milliseconds; 0 while it is not paused.
    private(set) var resumesAt: Int64 = 0

    private var rules: AccessRules
    private let loops: [LoopMailbox]
    private let counters: RPCCounters
    private let accept: Accept

    init(
        listeners: [Listener],
        rules: AccessRules,
        loops: [LoopMailbox],
        counters: RPCCounters,
        accept: @escaping Accept
    ) {
        self.listeners = listeners
        self.rules = rules
        self.loops = loops
        self.counters = counters
        self.accept = accept
    }

    /// Watches the listeners; `firstToken` and those below it name them.
    func watch(in epoll: Int32, firstToken: UInt64) -> Int32 {
        for (index, listener) in listeners.enumerated() {
            let code = linux_epoll_add(
                epoll,
                listener.descriptor,
                LINUX_READABLE,
                firstToken - UInt64(index)
            )
            if code < 0 { return code }
        }
        return 0
    }

    /// Stops watching for good; a pause that is under way does not end any more.
    mutating func stop(in epoll: Int32) {
        unwatch(in: epoll)
        resumesAt = 0
    }

    private func unwatch(in epoll: Int32) {
        for listener in listeners { _ = linux_epoll_remove(epoll, listener.descriptor) }
    }

    /// Tells connections that wait to be accepted that the daemon is stopping.
    func turnAwayWaiting() {
        for listener in listeners {
            for _ in 0..<Int(SocketLimits.backlog) {
                let descriptor = accept(listener.descriptor)
                guard descriptor >= 0 else { break }
                Self.turnAway(descriptor, RPCFailure(.shuttingDown, "The daemon stops."))
            }
        }
    }

    /// Accepts the waiting connections of one listener, at most `acceptsPerTurnMax`.
    ///
    /// - Returns: the connections for the caller's own thread, which is `loops[0]`.
    mutating func arrivals(at index: Int, epoll: Int32, now: Int64) -> [Arrival] {
        let listener = listeners[index]
        var own: [Arrival] = []
        for _ in 0..<SocketLimits.acceptsPerTurnMax {
            let descriptor = accept(listener.descriptor)
            switch -descriptor {
            case ..<1:
                if let arrival = deal(descriptor, at: index) {
                    own.append(arrival)
                }
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                pause(in: epoll, until: now + SocketLimits.acceptPauseMs)
                return own
            case ECONNABORTED, EINTR:
                continue
            default:
                return own
            }
        }
        return own
    }

    /// Applies `rules` from now on, and sends them to the other threads.
    ///
    /// The other threads receive the rules after all connections that were assigned to them under
    /// the earlier rules.
    mutating func obey(_ rules: AccessRules) {
        self.rules = rules
        for loop in loops.dropFirst() { _ = loop.mailbox.post(.obey(rules)) }
    }

    /// Resumes accepting when the pause is over.
    mutating func resume(in epoll: Int32, now: Int64, firstToken: UInt64) {
        guard resumesAt != 0, now >= resumesAt else { return }
        let code = watch(in: epoll, firstToken: firstToken)
        // The cause of the pause may persist, and only some listeners may be watched: unwatch them
        // all.
        if code < 0 { unwatch(in: epoll) }
        resumesAt = code < 0 ? now + SocketLimits.acceptPauseMs : 0
    }

    private mutating func pause(in epoll: Int32, until moment: Int64) {
        counters.count(.acceptPauses)
        unwatch(in: epoll)
        resumesAt = moment
    }

    /// Assigns the connection to a thread; returns it if that is the present thread.
    private func deal(_ descriptor: Int32, at door: Int) -> Arrival? {
        counters.countAccepted(at: door)
        var peer = linux_peer_credentials()
        guard linux_peer(descriptor, &peer) == 0 else {
            close(descriptor)
            return nil
        }
        guard counters.open(at: door) < listeners[door].connectionsMax else {
            counters.count(.shed)
            Self.turnAway(descriptor, .overloaded("Too many connections."))
            return nil
        }
        guard counters.hasPlace(for: peer.uid, at: door, of: listeners[door].connectionsMax) else {
            counters.count(.shed)
            Self.turnAway(descriptor, .overloaded("This caller has too many connections."))
            return nil
        }
        let ceiling = listeners[door].ceiling
        let role = rules.role(uid: peer.uid, gid: peer.gid, ceiling: ceiling)
        let isRefused = role == nil
        if isRefused { counters.count(.refused) }
        guard !isRefused || counters.openRefused(at: door) < SocketLimits.refusedConnectionsMax
        else {
            counters.count(.refusedClosed)
            Self.turnAway(descriptor, RPCFailure(.permissionDenied, "Too many are refused."))
            return nil
        }
        var bytes = Int32(SocketLimits.sendBufferBytes)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        let arrival = Arrival(
            descriptor: descriptor,
            caller: Caller(uid: peer.uid, gid: peer.gid, pid: peer.pid, role: role ?? .reader),
            isRefused: isRefused,
            ceiling: ceiling,
            door: door
        )
        let counts = loops.map { $0.connections.load(ordering: .relaxed) }
        let place = counts.indices.min { counts[$0] < counts[$1] } ?? 0
        loops[place].connections.add(1, ordering: .relaxed)
        counters.countOpened(arrival)
        if place == 0 { return arrival }
        if !loops[place].mailbox.post(.adopt(arrival)) {
            loops[place].connections.subtract(1, ordering: .relaxed)
            counters.countClosed(arrival)
            counters.count(.shed)
            Self.turnAway(descriptor, .overloaded("Too many connections wait."))
        }
        return nil
    }

    /// Sends the reason and closes the connection.
    private static func turnAway(_ descriptor: Int32, _ failure: RPCFailure) {
        var reply = ReplyBuffer(capacity: 512)
        FrameDriver.appendFrame(failure, into: &reply)
        _ = linux_send(descriptor, reply.written.baseAddress, reply.count)
        close(descriptor)
    }
}
