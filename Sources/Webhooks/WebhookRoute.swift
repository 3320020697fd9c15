import DaemonConfiguration
import Entitlements

/// Where one store sends its notifications.
package struct WebhookRoute: Sendable {
    /// The paths to which it may send, without the secret, and what its requests look like.
    let webhook: StoreWebhook
    /// Who may send here, instead of those who may send elsewhere; nil: the same.
    let allowedSources: [AddressRange]?
    /// What becomes of notifications.
    let taker: Taker

    /// Who takes notifications in.
    enum Taker {
        case receiver(NotificationReceiver)
        /// Nobody: senders are asked to come again before a body is read, and `note` is told of
        /// each.
        case nobody(note: @Sendable (_ source: String) -> Void)
    }

    /// A route to `receiver`.
    package init(
        _ webhook: StoreWebhook,
        allowedSources: [AddressRange]? = nil,
        receiver: @escaping NotificationReceiver
    ) {
        self.webhook = webhook
        self.allowedSources = allowedSources
        taker = .receiver(receiver)
    }

    /// A route of a store that is not configured; `note` is told where a request came from.
    package init(
        closed webhook: StoreWebhook,
        note: @escaping @Sendable (_ source: String) -> Void
    ) {
        self.webhook = webhook
        allowedSources = nil
        taker = .nobody(note: note)
    }

    /// How much of a body is read, at most.
    var bodyBytesMax: Int {
        switch taker {
        case .receiver: webhook.bodyBytesMax
        case .nobody: 0
        }
    }
}
