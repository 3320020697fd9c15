/// A notification of which its store has still to be asked.
package struct WaitingNotification: Hashable, Sendable {
    /// The notification, with what the store is to be asked about.
    package let notification: Notification
    /// When it was received.
    package let received: Moment

    /// `notification`, which was received at `received`.
    package init(_ notification: Notification, received: Moment) {
        self.notification = notification
        self.received = received
    }
}
