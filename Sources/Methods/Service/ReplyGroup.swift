import Synchronization
import Wire

/// The answers of the writer's present group: whoever waits for them is woken when it is complete.
final class ReplyGroup: Sendable {
    private let group = Mutex(DeliveryGroup())

    /// Adds the response of one ticket.
    func add(_ response: [UInt8], to ticket: ReplyTicket) {
        group.withLock { $0.add(response, to: ticket) }
    }

    /// Delivers all of them.
    func send() { group.withLock { $0.send() } }
}
