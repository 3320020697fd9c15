import Glibc
import JSON
import Synchronization

/// Carries the calls of one client over one connection, in a thread of its own.
///
/// The thread begins with the first call, connects when there is something to send, and ends
/// when the client is closed. Callers only ever touch `state` and the bell.
final class Exchange: Sendable {
    private struct State {
        var inFlight = InFlight()
        var lastID: Int64 = 0
        var isRunning = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let bell: Bell
    private let path: String
    private let frameBytesMax: Int

    init(path: String, frameBytesMax: Int) throws(ClientError) {
        bell = try Bell()
        self.path = path
        self.frameBytesMax = frameBytesMax
    }

    /// Calls `method`; a call that `isRepeatable` survives the loss of one connection.
    func call(
        _ method: String,
        _ parameters: JSONObject,
        isRepeatable: Bool,
        timeout: Duration
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

    /// Ends the connection and every waiting call.
    func close() {
        state.withLock { $0.isClosed = true }
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
        let call = state.withLock { $0.inFlight.take(id) }
        call?.answer(.failure(Self.cancelled))
    }

    private func start() {
        guard BackgroundThread.start({ self.run() }) else {
            state.withLock { $0.isRunning = false }
            fail(BackgroundThread.refusal) { $0.takeAll() }
            return
        }
    }

    private func run() {
        var line: Line?
        while !state.withLock({ $0.isClosed }) {
            fail(.timedOut()) { $0.takeExpired() }
            do {
                if line == nil { line = try connected() }
                if line != nil {
                    let frames = state.withLock { $0.inFlight.takeUnsent() }
                    try line?.exchange(sending: frames) { self.settle($0) }
                }
                wait(with: line?.interest)
            } catch {
                line = nil
                let isLoss = error.name == ClientError.LocalName.connectionLost
                fail(error) { isLoss ? $0.takeLost() : $0.takeAll() }
            }
        }
        line = nil
        fail(Self.closed) { $0.takeAll() }
    }

    /// A new connection, if there is something to send over it.
    private func connected() throws(ClientError) -> Line? {
        let deadline = state.withLock { state in
            state.inFlight.hasUnsent ? state.inFlight.earliestDeadline : nil
        }
        guard let deadline else { return nil }
        let socket = try UnixSocket.connected(to: path, until: deadline)
        return Line(socket, frameBytesMax: frameBytesMax)
    }

    private func settle(_ reply: Reply) {
        guard let id = reply.id else {
            // Nobody can tell which call it is about, so it is about all of them.
            if case .failure(let error) = reply.outcome { fail(error) { $0.takeAll() } }
            return
        }
        state.withLock { $0.inFlight.take(id) }?.answer(reply.outcome)
    }

    private func fail(_ error: ClientError, _ taking: (inout InFlight) -> [InFlight.Call]) {
        let calls = state.withLock { taking(&$0.inFlight) }
        for call in calls { call.answer(.failure(error)) }
    }

    /// Waits for a ring, for the socket, or for the first deadline.
    private func wait(with interest: pollfd?) {
        let (deadline, hasWork) = state.withLock { state in
            (state.inFlight.earliestDeadline, state.inFlight.hasUnsent || state.isClosed)
        }
        guard !hasWork else { return }
        var entries = [pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)]
        if let interest { entries.append(interest) }
        // SAFETY: poll writes only to the entries it was given, whose number it knows.
        poll(&entries, nfds_t(entries.count), deadline?.millisecondsLeft ?? -1)
        bell.clear()
    }

    private static let closed = ClientError(
        ClientError.LocalName.closed,
        "the client was closed",
        retryable: false
    )
    private static let cancelled = ClientError(
        ClientError.LocalName.cancelled,
        "the task was cancelled",
        retryable: false
    )
    private static let tooManyCalls = ClientError(
        ClientError.LocalName.tooManyCalls,
        "\(ClientLimits.callsInFlightMax) calls wait for their reply",
        retryable: true
    )
}
