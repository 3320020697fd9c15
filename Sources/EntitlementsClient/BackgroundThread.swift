import Glibc

/// A thread of this library, which nobody joins.
enum BackgroundThread {
    /// What the thread does; handed over as one reference.
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Why a call fails where there is no thread for it.
    static let refusal = ClientError.unreachable("this process cannot start another thread")

    /// Runs `body` on a new thread; false where there can be none.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        // SAFETY: the thread takes over the reference that `retained` holds, exactly once.
        let retained = Unmanaged.passRetained(Work(body))
        let failure = pthread_create(
            &thread,
            nil,
            { argument in
                if let argument {
                    Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                }
                return nil
            },
            retained.toOpaque()
        )
        guard failure == 0 else {
            retained.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
