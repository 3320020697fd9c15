import Entitlements
import Methods
import NIOSSL

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
    /// The certificates that its certificate must lead to; nil: those of the system.
    package let roots: ReceiverRoots?

    /// A receiver.
    package init(
        name: String,
        url: String,
        secrets: [WebhookSecret],
        settleSeconds: Int = 0,
        roots: ReceiverRoots? = nil
    ) {
        self.name = name
        self.url = url
        self.secrets = secrets
        self.settleSeconds = settleSeconds
        self.roots = roots
    }

    /// Until when a change is held back that was read at `now`; nil where it is told at once.
    func heldUntil(_ change: StatusChange, readAt now: Moment) -> Moment? {
        guard change.isUncertainLoss, settleSeconds > 0 else { return nil }
        // While the daemon was down, or behind, nobody could hear of the renewal.
        return max(change.at, now).advanced(byMilliseconds: Int64(settleSeconds) * 1_000)
    }
}

/// The certificates that a receiver's must lead to, read before the first post: no post finds out
/// that there are none.
package struct ReceiverRoots: Sendable {
    let certificates: [NIOSSLCertificate]

    /// Reads them; nil where the file holds no certificate in PEM.
    package init?(path: String) {
        guard let certificates = try? NIOSSLCertificate.fromPEMFile(path), !certificates.isEmpty
        else { return nil }
        self.certificates = certificates
    }
}
