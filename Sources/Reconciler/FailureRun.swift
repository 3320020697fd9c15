import Entitlements

/// Tells a store that does not answer from one purchase about which it never answers: only failures
/// about two purchases, one after the other, mean the store.
struct FailureRun: Sendable {
    /// The last failure; nil behind an answer.
    private(set) var last: StoreAPIFailure?

    /// Notes an answer.
    mutating func answered() { last = nil }

    /// Notes a failure; returns whether it is the store's.
    mutating func failed(_ failure: StoreAPIFailure) -> Bool {
        defer { last = failure }
        return failure.kind != .unreachable || last != nil
    }
}
