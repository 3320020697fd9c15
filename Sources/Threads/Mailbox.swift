import CLinux
import Glibc
import Synchronization

/// Messages from any thread to one that waits in epoll.
///
/// The descriptor becomes readable when a message stands in an empty box, so a burst of messages
/// costs one wake-up. Bounded: a full box takes nothing.
package final class Mailbox<Element: Sendable>: Sendable {
    /// An eventfd: readable while messages wait.
    ///
    /// Only the receiver reads it, in `takeAll`.
    package let descriptor: Int32
    private let capacity: Int
    private let inbox = Inbox<Element>()
    private let count = Atomic<Int>(0)

    /// An empty box.
    package init(capacity: Int) throws(ThreadFailure) {
        descriptor = linux_eventfd()
        self.capacity = capacity
        if descriptor < 0 { throw ThreadFailure(errno: -descriptor) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Adds one message; false if the box is full.
    package func post(_ message: Element) -> Bool { post([message]) }

    /// Adds all of `messages`, or none; false if the box has no room for them.
    package func post(_ messages: [Element]) -> Bool {
        guard !messages.isEmpty else { return true }
        guard count.add(messages.count, ordering: .relaxed).newValue <= capacity else {
            count.subtract(messages.count, ordering: .relaxed)
            return false
        }
        if inbox.leave(messages) { _ = linux_eventfd_signal(descriptor) }
        return true
    }

    /// Everything that waits, in order.
    ///
    /// Only the receiver calls this.
    package func takeAll() -> [Element] {
        // Cleared before the messages are taken: a later message signals anew.
        _ = linux_eventfd_clear(descriptor)
        let messages = inbox.takeAll()
        count.subtract(messages.count, ordering: .relaxed)
        return messages
    }
}
