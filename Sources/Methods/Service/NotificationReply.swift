import Entitlements

/// What became of a notification, and what the log may say of it.
package struct NotificationReply: Sendable {
    /// What its sender is told.
    package let outcome: NotificationOutcome
    /// The store's word for what happened; `none` where the notification is not genuine.
    package let type: String
    /// Whether it was shown to be a store's word.
    package let isGenuine: Bool
    /// The last four characters of the transaction id.
    package let transactionTail: String
    /// Why it was refused, for the log.
    package var detail: String
    /// The document, where it is genuine and nothing could be made of it: somebody should look.
    package var unread: [UInt8]?

    /// A reply; without more, about what is not known to be a store's word.
    package init(
        outcome: NotificationOutcome,
        type: String = "none",
        isGenuine: Bool = false,
        transactionTail: String = "",
        detail: String = ""
    ) {
        self.outcome = outcome
        self.type = type
        self.isGenuine = isGenuine
        self.transactionTail = transactionTail
        self.detail = detail
    }
}
