import Entitlements

/// What is kept, as far as the reconciler needs it.
///
/// Only verified documents reach it.
package protocol ReconciledBook: Sendable {
    /// Takes in a verified notification; answers, once it is on disk, what became of it.
    func take(_ notification: Notification) async throws(BookFailure) -> Reception

    /// Takes in verified facts that the store answered with; answers, once they are on disk,
    /// whether one of their documents was newer than what is kept.
    func take(_ facts: [Fact]) async throws(BookFailure) -> Bool

    /// The notifications of `store` of which it has still to be asked, the oldest first; each is
    /// taken in with what the store answers.
    func announced(by store: Store) async throws(BookFailure) -> [Notification]

    /// The subscriptions after `key`, in the order of keys, at most `limit`; empty at the end.
    func subscriptions(
        after key: SubscriptionKey?,
        limit: Int
    ) async throws(BookFailure) -> [Subscription]

    /// The subscriptions under `keys` as they are now; those that are not kept are left out.
    func subscriptions(of keys: [SubscriptionKey]) async throws(BookFailure) -> [Subscription]

    /// As what the catalog names a purchase; nil where it does not.
    func role(of purchase: Subscription) -> PurchaseRole?
}

extension ReconciledBook {
    package func announced(by store: Store) async throws(BookFailure) -> [Notification] { [] }

    package func role(of purchase: Subscription) -> PurchaseRole? { nil }
}

/// As what the catalog names a product.
package enum PurchaseRole: Hashable, Sendable {
    /// A plan has it.
    case plan
    /// It is a pack of credits.
    case pack
}

/// Why the book takes nothing now.
package struct BookFailure: Error, Hashable, Sendable {
    /// In words, for the log.
    package let detail: String

    /// A failure for this reason.
    package init(_ detail: String) { self.detail = detail }
}
