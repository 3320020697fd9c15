/// A notification as the store remembers it: the signed document of its time, and every attempt to
/// send it.
package struct KeptNotice: Sendable {
    /// Type and subtype.
    package let kind: NoticeKind
    /// Its id.
    package let uuid: String
    /// When it was signed.
    package let signedDate: Int64
    /// The customer it is about; nil where it is about the app.
    package let customer: String?
    /// What the app was given to ask about it; only for a test that it asked for.
    package let testToken: String?
    /// Every attempt, in order.
    package internal(set) var attempts: [Attempt] = []
    /// The line that holds the document.
    let place: SharedLines.Place

    /// When an attempt was made, and how it ended.
    package struct Attempt: Hashable, Sendable {
        /// When it was made.
        package let date: Int64
        /// Under Apple's names.
        package let result: Delivery.AttemptResult
    }

    /// Whether some attempt reached the server.
    package var isDelivered: Bool { attempts.contains { $0.result == .success } }
}
