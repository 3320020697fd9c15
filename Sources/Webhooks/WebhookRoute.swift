/// Where one store sends its notifications.
package struct WebhookRoute: Sendable {
    /// The paths to which it may send, without the secret.
    let paths: [String]
    /// What WWW-Authenticate says to a sender who is not the store.
    let challenge: String
    /// Takes the notifications in.
    let receiver: NotificationReceiver

    /// A route to `receiver`.
    package init(
        paths: [String],
        challenge: String,
        receiver: @escaping NotificationReceiver
    ) {
        self.paths = paths
        self.challenge = challenge
        self.receiver = receiver
    }
}
