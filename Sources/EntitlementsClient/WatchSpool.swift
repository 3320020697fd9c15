import JSON
import Synchronization

/// The events of one watch between the thread that reads them and the task that iterates.
final class WatchSpool: Sendable {
    fileprivate typealias Outcome = Result<WatchEvent?, ClientError>

    fileprivate struct State {
        var events: [WatchEvent] = []
        var waiter: CheckedContinuation<Outcome, Never>?
        var hasStarted = false
        var isStopped = false
        /// How it ended; told once, after the events.
        var failure: ClientError?
    }

    private let subject: WatchFeed.Subject
    private let state = Mutex(State())
    /// Rings when there is room again, and to stop; nil where no descriptor was left.
    private let bell: Bell?

    init(_ subject: WatchFeed.Subject) {
        self.subject = subject
        bell = try? Bell()
    }

    /// The next event; nil when it was stopped or its task cancelled.
    func next() async throws(ClientError) -> WatchEvent? {
        start()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
                let (ready, wasFull) = state.withLock { state in
                    let wasFull = state.isFull
                    return (state.take(orWait: continuation), wasFull)
                }
                if let ready { continuation.resume(returning: ready) }
                if wasFull { bell?.ring() }
            }
        } onCancel: {
            stop()
        }
        return try outcome.get()
    }

    /// Ends the thread, and the waiting.
    func stop() {
        let waiter = state.withLock { state in
            state.isStopped = true
            state.events = []
            return state.waiter.take()
        }
        waiter?.resume(returning: .success(nil))
        bell?.ring()
    }

    private func start() {
        let mustStart = state.withLock { state in
            defer { state.hasStarted = true }
            return !state.hasStarted && !state.isStopped
        }
        guard mustStart else { return }
        guard bell != nil, BackgroundThread.start({ self.run() }) else {
            return end(BackgroundThread.refusal)
        }
    }

    private func run() {
        guard let bell else { return }
        var feed = WatchFeed(subject, interruptedBy: bell.descriptor)
        while true {
            // Before the look, so that a ring after it is heard.
            bell.clear()
            let (isFull, isStopped) = state.withLock { ($0.isFull, $0.isStopped) }
            guard !isStopped else { return }
            guard !isFull else {
                bell.wait()
                continue
            }
            do throws(ClientError) {
                guard case .told(let method, let parameters) = try feed.next() else { continue }
                if let event = try WatchEvent(method, parameters) { offer(event) }
            } catch {
                return end(error)
            }
        }
    }

    private func offer(_ event: WatchEvent) {
        let waiter = state.withLock { state in
            if state.waiter == nil, !state.isStopped { state.events.append(event) }
            return state.waiter.take()
        }
        waiter?.resume(returning: .success(event))
    }

    private func end(_ error: ClientError) {
        let waiter = state.withLock { state in
            if state.waiter == nil { state.failure = error }
            state.isStopped = true
            return state.waiter.take()
        }
        waiter?.resume(returning: .failure(error))
    }
}

extension WatchSpool.State {
    fileprivate var isFull: Bool { events.count >= ClientLimits.watchEventsMax }

    /// What there is, or nil when `continuation` is kept until there is something.
    fileprivate mutating func take(
        orWait continuation: CheckedContinuation<WatchSpool.Outcome, Never>
    ) -> WatchSpool.Outcome? {
        if !events.isEmpty { return .success(events.removeFirst()) }
        if let failure = failure.take() { return .failure(failure) }
        if isStopped { return .success(nil) }
        precondition(waiter == nil, "an iterator is for one task at a time")
        waiter = continuation
        return nil
    }
}
