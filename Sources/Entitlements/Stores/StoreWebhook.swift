/// Where a store sends its notifications over HTTP, and what its requests look like.
package struct StoreWebhook: Hashable, Sendable {
    /// The paths to which it may send.
    package let paths: [String]
    /// What a sender is told who is not the store (WWW-Authenticate, RFC 9110).
    package let challenge: String
    /// Bytes of a body, at most.
    package let bodyBytesMax: Int
    /// Header fields that say whether it is the store, and come with the body.
    package let fields: [String]
    /// Whether the body must be called `application/json`; a body that is called nothing may be.
    package let wantsJSON: Bool

    /// Paths, the challenge there, and what is taken in.
    package init(
        paths: [String],
        challenge: String,
        bodyBytesMax: Int,
        fields: [String] = [],
        wantsJSON: Bool = true
    ) {
        self.paths = paths
        self.challenge = challenge
        self.bodyBytesMax = bodyBytesMax
        self.fields = fields
        self.wantsJSON = wantsJSON
    }

    /// The three paths that end with `name`, as every store has them.
    package static func paths(to name: String) -> [String] {
        ["/webhooks/", "/api/webhooks/", "/api/billing/webhooks/"].map { $0 + name }
    }
}

/// A request that may be a notification of a store's: nothing of it is verified.
package struct StoreDelivery: Hashable, Sendable {
    /// The body, byte for byte.
    package let body: [UInt8]
    /// The header fields that the store's `StoreWebhook` names, as far as they were there.
    package let fields: [HTTPField]

    /// A delivery.
    package init(body: [UInt8], fields: [HTTPField] = []) {
        self.body = body
        self.fields = fields
    }
}
