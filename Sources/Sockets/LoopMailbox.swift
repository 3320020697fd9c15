import Synchronization
import Threads
import Wire

/// A message from another thread to an RPC thread.
enum LoopMessage: Sendable {
    /// A connection was accepted for it.
    case adopt(Arrival)
    /// Deliver an answer that another thread computed, or a push.
    case deliver(Delivery)
    /// Answer a long frame, which has been checked.
    case checked(LongFrame)
    /// Close this connection if its frame is still incomplete, because its user has begun too many
    /// newer ones.
    case giveWay(UInt64)
    /// Close this connection, because it holds the most and the limit is exceeded.
    case makeRoom(UInt64)
    /// Apply these access rules from now on.
    case obey(AccessRules)
    /// Show that the thread is at work.
    case answer
    /// Finish the requests under way, then end.
    case drain
    /// End immediately.
    case stop
}

/// An accepted connection on its way to its thread.
struct Arrival: Sendable {
    let descriptor: Int32
    let caller: Caller
    let isRefused: Bool
    /// The highest role that the socket gives.
    let ceiling: Role
    /// The index of the socket in the configuration.
    let door: Int
}

/// One RPC thread, as other threads see it.
final class LoopMailbox: ReplyOutlet {
    let mailbox: Mailbox<LoopMessage>
    /// Wakes the thread when a connection is to be read again.
    let timer = LoopTimer()
    /// How many connections it has, including those that were assigned but not yet adopted.
    let connections = Atomic<Int>(0)
    /// Whether it was asked to show that it is at work, and has not.
    let isAsked = Atomic<Bool>(false)
    /// The waiting bytes of its connections, by the index of the socket in the configuration.
    let waiting: [WaitingBytes]

    init(doors: Int) throws(ThreadFailure) {
        mailbox = try Mailbox(capacity: SocketLimits.mailboxMax)
        waiting = (0..<doors).map { _ in WaitingBytes() }
    }

    /// Posts answers.
    ///
    /// Deliveries cannot fill the mailbox: there is at most one for each unanswered request, and
    /// those are limited per thread to half of its capacity.
    func post(_ deliveries: [Delivery]) {
        _ = mailbox.post(deliveries.map { .deliver($0) })
    }
}
