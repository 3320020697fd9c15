/// Why the store gave no answer that can be used.
package struct StoreAPIFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What can be done about it.
    package enum Kind: String, Hashable, Sendable {
        /// This environment does not know the id; another one may.
        case unknown
        /// The key, its names or the app are not accepted; not for any question.
        case unauthorized
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

    init(_ kind: Kind, code: Int64 = 0, _ detail: String, retryAfter: Int64? = nil) {
        self.kind = kind
        self.code = code
        self.detail = detail
        retryAfterMilliseconds = retryAfter
    }

    /// For the log.
    package var description: String {
        code == 0 ? "\(kind.rawValue): \(detail)" : "\(kind.rawValue) (\(code)): \(detail)"
    }
}

/// What a failed answer asks for (docs/app-store-facts.md, "App Store Server API").
enum RetryClass: Hashable, Sendable {
    /// Again, with growing pauses.
    case retry
    /// Again, when the store says so.
    case wait
    /// Again from the first page.
    case restartPaging
    /// Not here; perhaps in the other environment.
    case elsewhere
    /// Not again.
    case never

    /// The class of Apple's `code`, or where it is none, of the HTTP `status`.
    init(code: Int64?, status: Int) {
        switch code {
        case 4_290_000: self = .wait
        case 5_000_000, 5_000_001, 4_040_002, 4_040_004, 4_040_006: self = .retry
        case 4_000_014, 4_000_017: self = .restartPaging
        case 4_040_001, 4_040_003, 4_040_005, 4_040_010: self = .elsewhere
        default:
            switch status {
            case 429: self = .wait
            case 408, 500...: self = .retry
            default: self = .never
            }
        }
    }
}
