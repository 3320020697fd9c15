import Glibc
import JSON
import Synchronization

/// Carries the calls of one client over one connection, in a thread of its own.
///
/// The thread begins with the first call, connects when there is something to send, and ends
/// when the client is closed. Callers only ever touch `state` and the bell.
final class Exchange: CallCarrier {
    private struct State {
        var inFlight: InFlight
        /// Carries what may be why connections end.
        var side: Exchange?
        /// Why there is no connection.
        var refusal: ClientError?
        var lastID: Int64 = 0
        var isRunning = false
        var isClosed = false
    }

    private let state: Mutex<State>
    private let bell: Bell
    private let path: String
    private let frameBytesMax: Int

    init(path: String, frameBytesMax: Int, isSide: Bool = false) throws(ClientError) {
        state = Mutex(State(inFlight: InFlight(isSide: isSide)))
        bell = try Bell()
        self.path = path
        self.frameBytesMax = frameBytesMax
    }

    func call(
        _ method: String,
        _ parameters: JSONObject,
        isRepeatable: Bool,
        timeout: Duration,
        isSlow: Bool
    ) async throws(ClientError) -> JSONValue {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let frame = try Reply.request(method, parameters, id: id, frameBytesMax: frameBytesMax)
        let deadline = Deadline(after: timeout)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let call = InFlight.Call(
                    frame: frame,
                    deadline: deadline,
                    isRepeatable: isRepeatable
                ) { continuation.resume(returning: $0) }
                admit(call, id: id)
                // The handler below may have run before there was anything to cancel.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
        return try outcome.get()
    }

    func close() {
        let side = state.withLock { state in
            state.isClosed = true
            return state.side
        }
        side?.close()
        bell.ring()
    }

    private func admit(_ call: InFlight.Call, id: Int64) {
        let (refusal, mustStart) = state.withLock { state -> (ClientError?, Bool) in
            if state.isClosed { return (Self.closed, false) }
            if state.inFlight.isFull { return (Self.tooManyCalls, false) }
            state.inFlight.admit(call, id: id)
            defer { state.isRunning = true }
            return (nil, !state.isRunning)
        }
        if let refusal {
            call.answer(.failure(refusal))
        } else if mustStart {
            start()
        } else {
            bell.ring()
        }
    }

    private func cancel(_ id: Int64) {
        let (ended, side) = state.withLock { ($0.inFlight.take(id, Self.cancelled), $0.side) }
        answer([ended].compactMap(\.self))
        if ended == nil { side?.cancel(id) }
    }

    private func start() {
        guard BackgroundThread.start({ self.run() }) else {
            let ended = state.withLock { state in
                state.isRunning = false
                return state.inFlight.takeAll(BackgroundThread.refusal)
            }
            answer(ended)
            return
        }
    }

    private func run() {
        var line: Line?
        var pace = Pace()
        while !state.withLock({ $0.isClosed }) {
            let late = state.withLock { state in
                state.inFlight.wake()
                return state.inFlight.takeExpired(state.refusal)
            }
            answer(late)
            do {
                if line == nil, !pace.rests { line = try connected() }
                if line != nil {
                    let frames = state.withLock { $0.inFlight.takeUnsent() }
                    try line?
                        .exchange(sending: frames) { (reply: Reply) throws(ClientError) in
                            if reply.id != nil { pace.begin() }
                            try settle(reply)
                        }
                }
                wait(with: line?.interest, until: pace.restsUntil)
            } catch {
                let hadLine = line != nil
                line = nil
                if !hadLine || error.isPassing || !pace.hasBegun { pace.rest() }
                pace.hasBegun = false
                if hadLine { end(with: error) } else { refuse(with: error) }
            }
        }
        line = nil
        answer(state.withLock { $0.inFlight.takeAll(Self.closed) })
    }

    /// A new connection, if there is something to send over it.
    private func connected() throws(ClientError) -> Line? {
        guard state.withLock({ $0.inFlight.hasUnsent }) else { return nil }
        let socket = try UnixSocket.connected(to: path)
        state.withLock { $0.refusal = nil }
        return Line(socket, frameBytesMax: frameBytesMax)
    }

    /// No connection was made: the calls wait for a daemon that may be about to start.
    private func refuse(with error: ClientError) {
        let ended = state.withLock { state in
            state.refusal = error.isPassing ? error : nil
            return error.isPassing ? [] : state.inFlight.takeAll(error)
        }
        answer(ended)
    }

    /// The connection has ended with `error`.
    private func end(with error: ClientError) {
        let isLoss = error.isPassing || error.name == ClientError.LocalName.connectionLost
        let ended = state.withLock { state in
            guard isLoss else { return state.inFlight.takeDoubted(error) }
            let ended = state.inFlight.takeLost(error)
            setAside(&state)
            return ended
        }
        answer(ended)
    }

    /// Moves calls that may be why connections end to the side; under the lock, so that who cancels
    /// one finds it in one place or the other.
    private func setAside(_ state: inout State) {
        guard !state.isClosed, state.inFlight.hasSuspicious else { return }
        if state.side == nil {
            // Without a descriptor for its bell they stay, and rest where they are.
            state.side = try? Exchange(path: path, frameBytesMax: frameBytesMax, isSide: true)
        }
        if let side = state.side { side.takeIn(state.inFlight.takeSuspicious()) }
    }

    private func takeIn(_ calls: [(id: Int64, call: InFlight.Call)]) {
        let mustStart = state.withLock { state in
            for one in calls { state.inFlight.admit(one.call, id: one.id) }
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if mustStart { start() } else { bell.ring() }
    }

    private func settle(_ reply: Reply) throws(ClientError) {
        guard let id = reply.id else {
            if case .failure(let error) = reply.outcome { throw .unknownOutcome(error) }
            return
        }
        if case .failure(let error) = reply.outcome, error.isNotReady {
            state.withLock { $0.inFlight.rest(id, error) }
        } else {
            state.withLock { $0.inFlight.take(id) }?.settle(reply.outcome)
        }
    }

    private func answer(_ ended: [InFlight.Ended]) {
        for one in ended { one.call.answer(.failure(one.error)) }
    }

    /// Waits for a ring, for the socket, for the first moment that a call waits for, or for the end
    /// of a pause.
    private func wait(with interest: pollfd?, until restsUntil: Deadline?) {
        let (moment, hasWork) = state.withLock { state in
            let canSend = state.inFlight.hasUnsent && restsUntil == nil
            return (state.inFlight.nextMoment, canSend || state.isClosed)
        }
        guard !hasWork else { return }
        var entries = [pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)]
        if let interest { entries.append(interest) }
        let wake = [moment, restsUntil].compactMap(\.self).min()
        // SAFETY: poll writes only to the entries it was given, whose number it knows.
        poll(&entries, nfds_t(entries.count), wake?.millisecondsLeft ?? -1)
        bell.clear()
    }

    static let closed = ClientError(
        ClientError.LocalName.closed,
        "the client was closed",
        retryable: false
    )
    static let cancelled = ClientError(
        ClientError.LocalName.cancelled,
        "the task was cancelled",
        retryable: false
    )
    static let tooManyCalls = ClientError(
        ClientError.LocalName.tooManyCalls,
        "\(ClientLimits.callsInFlightMax) calls wait for their reply",
        retryable: true
    )
}

/// The pauses between connections, which double until the daemon has answered.
private struct Pace {
    /// Whether the daemon has answered on this connection.
    var hasBegun = false
    private var pause = 0
    private var end: Deadline?

    /// Whether a pause lasts.
    var rests: Bool { end.map { !$0.hasPassed } ?? false }

    /// When the pause that lasts is over.
    var restsUntil: Deadline? { rests ? end : nil }

    mutating func rest() {
        end = Deadline(after: .milliseconds(ClientLimits.jittered(pause)))
        pause = ClientLimits.longerPause(pause)
    }

    mutating func begin() {
        hasBegun = true
        pause = 0
    }
}
