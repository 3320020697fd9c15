import CLinux
import Threads

/// Returns freed memory to the system, on its own thread, some time after much was freed.
///
/// The allocator keeps memory that is freed in the middle of its regions. Trimming holds the lock
/// of one region after another, so an RPC thread should not do it.
final class HeapTrim: Sendable {
    private let bells = BlockingQueue<Bool>(countMax: 1)
    private let thread: NamedThread

    init() throws(ThreadFailure) {
        thread = try NamedThread(named: "trim", niceness: SocketLimits.trimNiceness) { [bells] in
            while bells.take(1) != nil {
                // Wait until nothing has been freed for a while, because freeing often continues.
                for _ in 0..<SocketLimits.trimDelaysMax {
                    guard let more = bells.take(1, waiting: SocketLimits.trimMs) else { return }
                    if more.isEmpty { break }
                }
                linux_give_memory_back()
            }
        }
    }

    /// Notes that much was freed; never blocks for long.
    func ring() { _ = bells.offer(true) }

    func stop() {
        bells.close()
        thread.join()
    }
}
