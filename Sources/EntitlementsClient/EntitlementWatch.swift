/// The changes of users as they happen: a sequence without an end.
///
/// Each iteration has a connection of its own. The first one must succeed; when it is lost later
/// the watch connects again and goes on where it was, so that no change is missed: a change whose
/// connection was lost on the way may be told twice at most. An iteration ends when its task is
/// cancelled or its iterator is dropped; closing the client does not end it.
///
/// What waits for a slow iteration is bounded: the daemon then tells only the newest status of
/// each user, marked `isCoalesced`.
public struct EntitlementWatch: AsyncSequence, Sendable {
    /// What is told.
    public typealias Element = WatchEvent
    /// What may end it.
    public typealias Failure = ClientError

    private let subject: WatchFeed.Subject

    init(_ subject: WatchFeed.Subject) { self.subject = subject }

    /// Begins to watch with the first `next`.
    public func makeAsyncIterator() -> Iterator { Iterator(subject) }

    /// One iteration; for one task at a time.
    public struct Iterator: AsyncIteratorProtocol {
        private let lease: Lease

        fileprivate init(_ subject: WatchFeed.Subject) { lease = Lease(subject) }

        /// The next event; nil after the task was cancelled.
        ///
        /// - Throws: What kept the daemon from answering the first time, and errors of the daemon
        ///   that are not retryable.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ClientError) -> WatchEvent? {
            try await lease.spool.next()
        }
    }

    /// Ends the thread with the iterator.
    private final class Lease: Sendable {
        let spool: WatchSpool

        init(_ subject: WatchFeed.Subject) { spool = WatchSpool(subject) }

        deinit { spool.stop() }
    }
}
