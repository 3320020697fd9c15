import Synchronization
import Threads
import Wire

/// What other threads tell an RPC thread.
enum LoopMessage: Sendable {
    /// A connection was accepted for it.
    case adopt(Arrival)
    /// An answer that came later.
    case deliver(Delivery)
    /// A long frame was checked, and can be answered.
    case checked(LongFrame)
    /// Close this connection, if it still waits for the rest of a frame: others came after.
    case giveWay(UInt64)
    /// Close this connection: it holds the most, and all together hold too much.
    case makeRoom(UInt64)
    /// From now on, these rules say who may ask what.
    case obey(AccessRules)
    /// Finish what is in flight, then end.
    case drain
    /// End now.
    case stop
}

/// An accepted connection on its way to its thread.
struct Arrival: Sendable {
    let descriptor: Int32
    let caller: Caller
    let isRefused: Bool
    /// The most that the socket gives.
    let ceiling: Role
    /// The socket's place in the configuration.
    let door: Int
}

/// One RPC thread, as the others see it.
final class LoopMailbox: ReplyOutlet {
    let mailbox: Mailbox<LoopMessage>
    /// How many connections it has or is about to have.
    let connections = Atomic<Int>(0)
    /// What its connections leave waiting, by the socket's place in the configuration.
    let waiting: [WaitingBytes]

    init(doors: Int) throws(ThreadFailure) {
        mailbox = try Mailbox(capacity: SocketLimits.mailboxMax)
        waiting = (0..<doors).map { _ in WaitingBytes() }
    }

    /// The box cannot be full of deliveries: there is at most one for each unanswered request, and
    /// those are limited per thread to half of what fits.
    func post(_ deliveries: [Delivery]) {
        _ = mailbox.post(deliveries.map { .deliver($0) })
    }
}
