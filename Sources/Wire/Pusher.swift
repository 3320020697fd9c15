/// Sends a connection what it did not ask for one by one: the notifications of `watch`.
///
/// One chunk at a time: until the kernel has taken all of the last one, nothing more is sent, and
/// whoever pushes keeps or drops what is new. So one chunk is all that waits for whoever does not
/// read.
package struct Pusher: Sendable {
    /// The connection, as the methods see it.
    package let session: Session
    private let outlet: any ReplyOutlet
    private let connection: UInt64

    /// Pushes to where `ticket` would be answered; to be made on the connection's own thread, which
    /// calls `onRoom` when more is taken from someone who was told to wait.
    package init(
        to ticket: ReplyTicket,
        of session: Session,
        onRoom: @escaping @Sendable () -> Void
    ) {
        self.session = session
        outlet = ticket.outlet
        connection = ticket.connection
        session.onRoom = onRoom
    }

    /// Whether the connection still stands.
    package var isOpen: Bool { session.isOpen }

    /// Whether the other side takes a chunk now; if not, `onRoom` is called when it does.
    package var takesMore: Bool { isOpen && !session.waitsForRoom() }

    /// Sends whole frames.
    ///
    /// Only while `takesMore`, by one thread.
    package func push(_ frames: [UInt8]) {
        guard !frames.isEmpty else { return }
        session.pushBegins()
        outlet.post([Delivery(connection: connection, batch: 0, response: frames, isPush: true)])
    }
}
