/// Why the store gave no answer that can be used.
///
/// The kind says whether it is asked again: after `limited` when the store wants it, after
/// `unreachable` with growing pauses, after `pagingExpired` from the first page; after `unknown`,
/// `unauthorized` and `forbidden` another scope may be asked; after the others nobody.
package struct StoreAPIFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What can be done about it.
    package enum Kind: String, Hashable, Sendable {
        /// This environment does not know the id; another one may.
        case unknown
        /// The key, its names or the app are not accepted; not for any question.
        case unauthorized
        /// The key is accepted, but may not ask this: other questions are answered, and this one is
        /// once somebody has given the key what it lacks.
        case forbidden
        /// The store will say the same again: a wrong request, a missing setting.
        case refused
        /// The place in the pages is forgotten; begin again with the first page.
        case pagingExpired = "paging_expired"
        /// Too many requests.
        case limited
        /// No answer, or a broken one, or the circuit is open.
        case unreachable
        /// No answer to what must not be asked twice: it may have been done.
        case uncertain
        /// An answer that is none.
        case malformed
        /// The task was cancelled.
        case cancelled
    }

    /// What can be done about it.
    package let kind: Kind
    /// The store's number for it, or the HTTP status; 0 where there was no answer.
    package let code: Int64
    /// In the store's words, or ours; nothing secret is in it.
    package let detail: String
    /// When to come again, where that is known.
    package let retryAfterMilliseconds: Int64?

    /// A failure; `retryAfter` is in ms.
    package init(
        _ kind: Kind,
        code: Int64 = 0,
        _ detail: String,
        retryAfter: Int64? = nil
    ) {
        self.kind = kind
        self.code = code
        self.detail = detail
        retryAfterMilliseconds = retryAfter
    }

    /// Whether the code is a number of the store's own: those are longer than statuses of HTTP.
    package var isInItsWords: Bool { code >= 1_000 }

    /// For the log.
    package var description: String {
        code == 0 ? "\(kind.rawValue): \(detail)" : "\(kind.rawValue) (\(code)): \(detail)"
    }
}
