import CLinux
import Glibc

/// Wakes an RPC thread once, after a time.
///
/// A time limit of epoll_wait(2) would do the same, but it costs the kernel about a microsecond in
/// each wait, and the thread waits after nearly every request.
final class LoopTimer: Sendable {
    /// A timerfd, or the negative errno where there is none: `watch` fails with that.
    ///
    /// It has an edge when the time is over, so nobody needs to read it.
    private let descriptor = linux_timer()

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Has `epoll` report the end of the time as `token`.
    func watch(in epoll: Int32, token: UInt64) -> Int32 {
        guard descriptor >= 0 else { return descriptor }
        return linux_epoll_add(epoll, descriptor, LINUX_READABLE | LINUX_EDGE, token)
    }

    func start(milliseconds: Int64) { _ = linux_timer_start(descriptor, milliseconds) }
}
