/// Sends a connection what it did not ask for one by one: the notifications of `watch`.
///
/// One chunk at a time: until the last one has left for the kernel, and while the other side reads
/// slowly, `isReady` is false, and whoever pushes keeps or drops what is new.
package struct Pusher: Sendable {
    /// The connection, as the methods see it.
    package let session: Session
    private let outlet: any ReplyOutlet
    private let connection: UInt64

    /// Pushes to where `ticket` would be answered; to be made on the connection's own thread.
    package init(to ticket: ReplyTicket, of session: Session) {
        self.session = session
        outlet = ticket.outlet
        connection = ticket.connection
        session.isPushedTo = true
    }

    /// Whether the other side takes more.
    package var isReady: Bool {
        session.isOpen && !session.isPushing && session.unsentBytes < WireLimits.unsentPushBytesMax
    }

    /// Sends whole notifications, each a JSON object without a frame header.
    ///
    /// Only while `isReady`, by one thread.
    package func push(_ notifications: [[UInt8]]) {
        var chunk: [UInt8] = []
        for notification in notifications {
            withUnsafeBytes(of: UInt32(notification.count).bigEndian) {
                chunk.append(contentsOf: $0)
            }
            chunk.append(contentsOf: notification)
        }
        guard !chunk.isEmpty else { return }
        session.isPushing = true
        outlet.post([
            Delivery(connection: connection, batch: 0, response: chunk, isPush: true)
        ])
    }
}
