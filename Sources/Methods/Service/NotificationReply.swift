import Entitlements

/// What became of a notification, and what the log may say of it.
package struct NotificationReply: Sendable {
    /// What its sender is told.
    package let outcome: NotificationOutcome
    /// The store's word for what happened; `none` where the notification is not genuine.
    package var type = "none"
    /// Whether it was shown to be a store's word.
    package var isGenuine = false
    /// The last four characters of the transaction id.
    package var transactionTail = ""
    /// Why it was refused, for the log.
    package var detail = ""
    /// The document, where it is genuine and nothing could be made of it: somebody should look.
    package var unread: [UInt8]?
}
