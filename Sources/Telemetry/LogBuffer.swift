import Glibc

/// Lines that wait for the one thread that writes them, so that logging never waits for the reader
/// of the log.
///
/// Bounded in lines and bytes. A line that finds no room is dropped and counted, so that what was
/// logged first is kept, and the order with it.
final class LogBuffer: @unchecked Sendable {
    // SAFETY: all that changes is touched only while the mutex is held.
    /// What is written next.
    struct Batch {
        /// Whole lines.
        let bytes: [UInt8]
        let lines: Int
        /// How many lines were dropped behind these.
        let dropped: Int
    }

    // SAFETY: initialised in init, destroyed in deinit, used by nobody else; everything below is
    // touched only while the mutex is held.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    // SAFETY: as above.
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var bytes: [UInt8] = []
    private var lines = 0
    private var dropped = 0
    private var droppedEver = 0
    /// Whether somebody is writing what was taken last.
    private var isWriting = false
    private var isClosed = false

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Lines that found no room, or no reader, in all.
    var droppedLines: Int { locked { droppedEver } }

    /// Takes in one line, or counts it as dropped.
    func add(_ line: [UInt8]) {
        locked {
            let hasRoom =
                lines < TelemetryLimits.logLinesMax
                && bytes.count + line.count <= TelemetryLimits.logBytesMax
            // Behind a line that was dropped all are: the count stands where they are missing.
            guard hasRoom, dropped == 0 else {
                dropped += 1
                droppedEver += 1
                return
            }
            bytes += line
            lines += 1
            pthread_cond_broadcast(changed)
        }
    }

    /// Everything that waits, once there is something; nil when it was closed and nothing waits.
    ///
    /// One thread calls this, and has written what it took before when it calls again.
    func take() -> Batch? {
        locked {
            isWriting = false
            pthread_cond_broadcast(changed)
            while bytes.isEmpty, dropped == 0 {
                if isClosed { return nil }
                pthread_cond_wait(changed, mutex)
            }
            defer {
                bytes = []
                lines = 0
                dropped = 0
                isWriting = true
            }
            return Batch(bytes: bytes, lines: lines, dropped: dropped)
        }
    }

    /// Counts lines that were taken and could not be written.
    func noteLost(_ lines: Int) { locked { droppedEver += lines } }

    /// Waits until everything is written; false where that takes longer than `milliseconds`.
    func waitUntilWritten(within milliseconds: Int) -> Bool {
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        deadline.tv_sec += milliseconds / 1_000
        deadline.tv_nsec += milliseconds % 1_000 * 1_000_000
        deadline.tv_sec += deadline.tv_nsec / 1_000_000_000
        deadline.tv_nsec %= 1_000_000_000
        return locked {
            while isWriting || !bytes.isEmpty || dropped > 0 {
                if pthread_cond_timedwait(changed, mutex, &deadline) == ETIMEDOUT { return false }
            }
            return true
        }
    }

    /// Ends `take` once nothing waits.
    func close() {
        locked {
            isClosed = true
            pthread_cond_broadcast(changed)
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
