/// Whom an outbox tells.
package struct ReceiverSettings: Sendable {
    /// What it is called, in the configuration, in metrics and in the log.
    package let name: String
    /// Where it takes posts.
    package let url: String
    /// What posts are signed with; more than one while one takes the place of another.
    package let secrets: [WebhookSecret]
    /// How long a loss of access is held back that may only be a late renewal; 0: not.
    package let settleSeconds: Int
    /// The certificates that its certificate must lead to, in PEM; nil: those of the system.
    package let caFile: String?

    /// A receiver.
    package init(
        name: String,
        url: String,
        secrets: [WebhookSecret],
        settleSeconds: Int = 0,
        caFile: String? = nil
    ) {
        self.name = name
        self.url = url
        self.secrets = secrets
        self.settleSeconds = settleSeconds
        self.caFile = caFile
    }
}
