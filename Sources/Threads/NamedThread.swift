// Threads has the threads of this process, and the ways from one to another.
//
// In reading order:
//   NamedThread    below: a thread with a name and a priority
//   Mailbox        messages to a thread that waits in epoll
//   Inbox          messages to a thread, left without a lock
//   BlockingQueue  a bounded queue for a thread that waits for nothing else
//   TurnQueue      a bounded queue in which callers take turns
//   Carried        a value that is handed to the one thread that uses it
//
// Its laws:
//   1. Every queue is bounded, and says at once that it is full.
//   2. A burst of messages wakes the receiver once.
//   3. A thread of high priority never waits for one of low priority that holds a lock.
//
// It never knows what a message means.

import CLinux
import Glibc
import Synchronization

/// A thread of the system with a name that `ps` and `perf` show.
package final class NamedThread: Sendable {
    /// How long the turns of our threads are, in microseconds: the shortest that Linux allows.
    ///
    /// Linux lets a thread run to the end of its turn, 3 ms by default, unless one with shorter
    /// turns wakes up (EEVDF since 6.12). Without this, each thread on the way of a write waits for
    /// the turn of one that copies or erases, whatever their niceness.
    static let turnMicroseconds: UInt32 = 100

    private let handle: Mutex<pthread_t?>

    /// Starts a thread that runs `body` once.
    ///
    /// - Parameters:
    ///   - name: at most 15 bytes, which is what the kernel keeps.
    ///   - niceness: how far it gives way to other threads, in steps of nice(2).
    ///   - isLast: whether it gets only what all others leave. Any of them that wakes up interrupts
    ///     it at once, and not only when the kernel looks at the clock, every 1 to 10 ms.
    ///   - body: all that the thread does.
    /// - Throws: if the system gives no thread.
    package init(
        named name: String,
        niceness: Int32 = 0,
        isLast: Bool = false,
        _ body: sending @escaping () -> Void
    ) throws(ThreadFailure) {
        precondition(name.utf8.count <= 15, "the kernel keeps 15 bytes of a thread's name")
        // SAFETY: the new thread takes over the retained start; if there is none, we take it back.
        let start = Unmanaged.passRetained(
            ThreadStart(name: name, niceness: niceness, isLast: isLast, body: body)
        )
        var handle = pthread_t()
        let code = pthread_create(&handle, nil, runThread, start.toOpaque())
        guard code == 0 else {
            start.release()
            throw ThreadFailure(errno: code)
        }
        self.handle = Mutex(handle)
    }

    /// Gives the calling thread, which others made, such turns.
    package static func takeShortTurns() { linux_thread_slice(turnMicroseconds) }

    /// Waits until the thread has ended.
    ///
    /// A second call returns at once.
    package func join() {
        let handle = handle.withLock { handle in
            defer { handle = nil }
            return handle
        }
        if let handle { pthread_join(handle, nil) }
    }

    deinit {
        let handle = handle.withLock { $0 }
        if let handle { pthread_detach(handle) }
    }
}

private final class ThreadStart {
    let name: String
    let niceness: Int32
    let isLast: Bool
    let body: () -> Void

    init(name: String, niceness: Int32, isLast: Bool, body: @escaping () -> Void) {
        self.name = name
        self.niceness = niceness
        self.isLast = isLast
        self.body = body
    }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // SAFETY: `NamedThread.init` retained the start for this thread alone.
    let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
    linux_thread_name(start.name)
    if start.niceness > 0 { linux_thread_nice(start.niceness) }
    if start.isLast { linux_thread_idle() }
    linux_thread_slice(NamedThread.turnMicroseconds)
    start.body()
    return nil
}
