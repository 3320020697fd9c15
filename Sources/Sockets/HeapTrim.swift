import CLinux
import Threads

/// Gives freed memory back to the system, on a thread of its own, some time after much was freed.
///
/// The allocator keeps what is freed in the middle of its regions; and trimming holds the lock of
/// one region after the other, so that no thread that answers should do it.
final class HeapTrim: Sendable {
    private let bells = BlockingQueue<Bool>(countMax: 1)
    private let thread: NamedThread

    init() throws(ThreadFailure) {
        thread = try NamedThread(named: "trim", niceness: SocketLimits.trimNiceness) { [bells] in
            while bells.take(1) != nil {
                // Until it has been quiet for a while: what is freed now may go on being freed.
                for _ in 0..<SocketLimits.trimDelaysMax {
                    guard let more = bells.take(1, waiting: SocketLimits.trimMs) else { return }
                    if more.isEmpty { break }
                }
                linux_give_memory_back()
            }
        }
    }

    /// Much was freed; never blocks for long.
    func ring() { _ = bells.offer(true) }

    func stop() {
        bells.close()
        thread.join()
    }
}
