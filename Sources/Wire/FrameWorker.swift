/// Answers the requests of one RPC thread, and never leaves it.
package protocol FrameWorker: AnyObject {
    /// Answers `request`.
    ///
    /// `.answered`: the JSON-RPC response object, result or error, has been appended to `reply`;
    /// for a notification, anything appended is dropped. `.later`: nothing was appended, and
    /// `ticket` will be delivered exactly once, also for a notification.
    func answer(
        _ request: RequestView,
        from session: Session,
        ticket: ReplyTicket,
        into reply: inout ReplyBuffer
    ) -> Disposition

    /// Notes the keys that requests in `bytes` seem to look up, before any of them is answered.
    ///
    /// The bytes may begin or end within a frame, and stay where they are until `prefetch`.
    func noteKeys(in bytes: UnsafeRawBufferPointer)

    /// Looks up together what was noted, so that each answer finds its row in the caches.
    func prefetch()

    /// Called with each error that is answered without asking: what was sent is no request, or
    /// nobody may ask now.
    func notice(_ refusal: RPCFailure)

    /// Called before the thread waits: give back the snapshot.
    func rest()
}

extension FrameWorker {
    package func noteKeys(in bytes: UnsafeRawBufferPointer) {}

    package func prefetch() {}

    package func notice(_ refusal: RPCFailure) {}
}

/// When an answer comes.
@usableFromInline
package enum Disposition: Sendable {
    /// It stands in the buffer.
    case answered
    /// The ticket will be delivered.
    case later
}

/// Makes the workers.
package protocol FrameService: Sendable {
    /// A worker for one RPC thread, called on that thread.
    func makeWorker() -> any FrameWorker
}
