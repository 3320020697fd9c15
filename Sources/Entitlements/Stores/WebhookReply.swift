/// What the receiver of a notification says, to be sent back.
package struct WebhookReply: Sendable, Equatable {
    /// The HTTP status (docs/app-store-connect.md, "What the webhook answers").
    package let status: Int
    /// A JSON object.
    package let body: [UInt8]
    /// When a retry is wanted.
    package let retryAfterSeconds: Int?

    /// An answer; `retryAfterSeconds` goes with 503.
    package init(status: Int, body: [UInt8], retryAfterSeconds: Int? = nil) {
        self.status = status
        self.body = body
        self.retryAfterSeconds = retryAfterSeconds
    }
}

// What became of a notification, in HTTP.
extension WebhookReply {
    /// What a store is told that takes any 2xx for a yes, and sends again after anything else.
    package init(_ outcome: NotificationOutcome) {
        switch outcome {
        case .received(let reception): self = .received(reception.rawValue)
        case .accepted: self = .received(outcome.word)
        case .unreadable: self = .received(Reception.ignored.rawValue)
        case .malformed: self = .malformed
        case .unauthorized: self = .unauthorized
        case .unavailable: self = .unavailable
        }
    }

    /// It was taken in; `result` says what came of it.
    package static func received(_ result: String) -> WebhookReply {
        let body = #"{"success":true,"received":true,"result":"\#(result)"}"#
        return WebhookReply(status: 200, body: Array(body.utf8))
    }

    /// It is no notification.
    package static let malformed = WebhookReply(status: 400, error: "malformed")

    /// It is not the store's word.
    package static let unauthorized = WebhookReply(status: 401, error: "unauthorized")

    /// It should be sent again.
    package static let unavailable = WebhookReply(
        status: 503,
        error: "unavailable",
        retryAfterSeconds: Limits.notificationRetrySeconds
    )

    private init(status: Int, error: String, retryAfterSeconds: Int? = nil) {
        let body = #"{"error":"\#(error)"}"#
        self.init(status: status, body: Array(body.utf8), retryAfterSeconds: retryAfterSeconds)
    }
}
