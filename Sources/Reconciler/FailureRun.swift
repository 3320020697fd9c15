import Entitlements

/// Tells a store that does not answer from something about which it never answers: only failures
/// about two of them, one after the other, mean the store.
struct FailureRun<Subject: Hashable & Sendable>: Sendable {
    /// The last failure; nil behind an answer.
    private(set) var last: StoreAPIFailure?
    /// What that was about.
    private var subject: Subject?

    /// Notes an answer.
    mutating func answered() { (last, subject) = (nil, nil) }

    /// Notes a failure.
    ///
    /// - Parameters:
    ///   - failure: what came in the place of an answer.
    ///   - subject: what the question was about.
    ///   - isOfOneScope: whether all that is asked about has one key and one server, so that what
    ///     is refused to one of them is refused to all.
    /// - Returns: whether it is the store's.
    mutating func failed(
        _ failure: StoreAPIFailure,
        about subject: Subject,
        isOfOneScope: Bool = true
    ) -> Bool {
        defer { (last, self.subject) = (failure, subject) }
        if isOfOneScope, failure.kind != .unreachable { return true }
        return last != nil && self.subject != subject
    }
}
