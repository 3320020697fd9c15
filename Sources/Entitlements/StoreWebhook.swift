/// Where a store sends its notifications, over HTTP.
package struct StoreWebhook: Hashable, Sendable {
    /// The paths to which it may send.
    package let paths: [String]
    /// What a sender is told who is not the store (WWW-Authenticate, RFC 9110).
    package let challenge: String

    /// Paths, and the challenge there.
    package init(paths: [String], challenge: String) {
        self.paths = paths
        self.challenge = challenge
    }
}
