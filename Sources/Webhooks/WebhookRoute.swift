import DaemonConfiguration
import Entitlements

/// Where one store sends its notifications.
package struct WebhookRoute: Sendable {
    /// The paths to which it may send, without the secret, and what its requests look like.
    let webhook: StoreWebhook
    /// Who may send here, instead of those who may send elsewhere; nil: the same.
    let allowedSources: [AddressRange]?
    /// Takes the notifications in.
    let receiver: NotificationReceiver

    /// A route to `receiver`.
    package init(
        _ webhook: StoreWebhook,
        allowedSources: [AddressRange]? = nil,
        receiver: @escaping NotificationReceiver
    ) {
        self.webhook = webhook
        self.allowedSources = allowedSources
        self.receiver = receiver
    }
}
