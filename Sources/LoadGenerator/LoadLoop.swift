import CLinux
import Glibc

/// One thread that asks over many connections and takes the time of each reply.
///
/// Nothing is allocated for a request: buffers, slots and the histogram are there before the first,
/// so that what is measured is the server.
struct LoadLoop<Server: Peer>: ~Copyable {
    enum Phase {
        case warmingUp
        case measuring
        case draining
    }

    let plan: LoadPlan
    let epoll: Int32
    let connections: UnsafeMutableBufferPointer<LoadConnection>
    let scratch: UnsafeMutableRawBufferPointer
    let events: UnsafeMutablePointer<linux_event>
    var peer: Server
    var accounts: KeySequence
    var out: RequestBuffer
    var histogram = LatencyHistogram()
    var result: LoadResult
    var phase = Phase.warmingUp
    var issued = 0
    let issuedMax: Int
    private var idle: [Int32] = []
    private var nextConnection = 0
    private var begin: Int64 = 0
    private var lastReply: Int64 = 0
    private var before = ServerMeter.Reading()

    init(_ plan: LoadPlan, _ peer: Server, _ accounts: KeySequence) throws(LoadFailure) {
        self.plan = plan
        self.peer = peer
        self.accounts = accounts
        result = LoadResult(plan)
        issuedMax = min(peer.requestsMax, plan.requests > 0 ? plan.requests : .max)
        out = RequestBuffer(capacity: LoadLimits.writeBytesMax + peer.requestBytesMax, plan.names)
        // SAFETY: all of this memory is freed in `deinit`.
        scratch = .allocate(byteCount: LoadLimits.readBytes, alignment: 64)
        events = .allocate(capacity: Int(LINUX_EVENTS_MAX))
        events.initialize(repeating: linux_event(), count: Int(LINUX_EVENTS_MAX))
        connections = .allocate(capacity: plan.connections)
        for index in 0..<plan.connections {
            connections.initializeElement(at: index, to: LoadConnection(slots: plan.inFlight))
        }
        epoll = linux_epoll_create()
        for index in 0..<plan.connections { try open(index) }
        for _ in 0..<plan.idleConnections { idle.append(try plan.endpoint.connect()) }
    }

    deinit {
        for connection in connections { connection.discard() }
        for descriptor in idle { close(descriptor) }
        connections.deallocate()
        scratch.deallocate()
        events.deallocate()
        close(epoll)
    }

    /// Asks until the time is over or all requests are answered.
    mutating func run() throws(LoadFailure) -> LoadResult {
        let start = clockNanoseconds(CLOCK_MONOTONIC)
        let warmUntil = start + Int64(plan.warmUpSeconds * 1e9)
        lastReply = start
        if plan.warmUpSeconds == 0 { startMeasuring(at: start) }
        if plan.rate == 0 { try fillAll(at: start) }
        var now = start
        while true {
            if phase == .warmingUp, now >= warmUntil { startMeasuring(at: now) }
            if phase == .measuring, isOver(at: now) { finishMeasuring(at: now) }
            if phase == .draining, now >= drainEnd || underWay == 0 { break }
            var patience: Int64 = 100_000_000
            if plan.rate > 0, phase != .draining { patience = try issueDue(at: now, since: start) }
            try wait(at: now, atMost: patience)
            now = clockNanoseconds(CLOCK_MONOTONIC)
        }
        result.unanswered = underWay
        return result
    }

    private var drainEnd: Int64 { lastReply + LoadLimits.drainMilliseconds * 1_000_000 }

    private var underWay: Int { connections.reduce(0) { $0 + $1.underWay } }

    private func isOver(at now: Int64) -> Bool {
        if now >= begin + Int64(plan.seconds * 1e9) { return true }
        return issued >= issuedMax && underWay == 0
    }

    private mutating func startMeasuring(at now: Int64) {
        phase = .measuring
        begin = now
        before = plan.server?.reading() ?? ServerMeter.Reading()
    }

    private mutating func finishMeasuring(at now: Int64) {
        phase = .draining
        // With a fixed number of requests the last reply ends the run, not the look at the clock.
        let end = issued >= issuedMax && underWay == 0 ? lastReply : now
        result.seconds = Double(end - begin) / 1e9
        result.operations = result.replies * peer.operationsPerRequest
        // One reply may come within a tick of the clock.
        if end > begin { result.perSecond = Double(result.operations) / result.seconds }
        result.take(histogram)
        guard let server = plan.server else { return }
        let after = server.reading()
        let used = Double(after.processorNanoseconds - before.processorNanoseconds)
        result.server = LoadResult.Server(
            processorSeconds: used / 1e9,
            microsecondsPerOperation: used / 1e3 / Double(max(result.operations, 1)),
            anonymousBytes: after.anonymousBytes,
            fileBytes: after.fileBytes,
            allocations: after.allocations - before.allocations
        )
    }

    private mutating func wait(
        at now: Int64,
        atMost nanoseconds: Int64
    ) throws(LoadFailure) {
        let count = linux_epoll_wait_exactly(epoll, events, nanoseconds)
        guard count >= 0 else { throw LoadFailure("epoll_wait: errno \(-count)") }
        for index in 0..<Int(count) {
            let event = events[index]
            try serve(Int(event.token), event.events)
        }
        if count > 0 { lastReply = now }
        if phase != .draining, now - lastReply > LoadLimits.silenceMilliseconds * 1_000_000 {
            throw LoadFailure("no reply for \(LoadLimits.silenceMilliseconds / 1_000) s")
        }
    }

    /// Open loop: writes what is due, whether or not earlier requests are answered.
    ///
    /// A request that finds no free slot is written later and still counts from when it was due, so
    /// that a server that stalls cannot hide it. Many that are due at once are sent in few pieces.
    ///
    /// - Parameters:
    ///   - now: the present, on the monotonic clock.
    ///   - start: when the first was due.
    /// - Returns: how many nanoseconds to wait for replies before the next is due.
    /// - Throws: if the server has closed a connection.
    private mutating func issueDue(
        at now: Int64,
        since start: Int64
    ) throws(LoadFailure) -> Int64 {
        func moment(_ request: Int) -> Int64 { start + Int64(Double(request) * 1e9 / plan.rate) }
        let due = min(Int(Double(now - start) * plan.rate / 1e9), issuedMax)
        let perConnection = min(max((due - issued) / connections.count, 1), LoadLimits.pieceMax)
        var full = 0
        while issued < due, full < connections.count {
            let index = nextConnection
            nextConnection = index + 1 == connections.count ? 0 : index + 1
            guard connections[index].hasRoom, connections[index].output.isEmpty else {
                full += 1
                continue
            }
            full = 0
            for _ in 0..<min(perConnection, due - issued) where connections[index].hasRoom {
                write(to: index, due: moment(issued))
            }
            try flush(index)
        }
        // One that found no room waits for replies.
        return issued < due ? 100_000_000 : min(max(moment(issued + 1) - now, 0), 100_000_000)
    }
}

/// Nanoseconds of a clock of the system.
@inline(__always)
func clockNanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
