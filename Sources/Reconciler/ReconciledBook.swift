import Entitlements

/// The stored facts, as far as the reconciler needs them.
///
/// Only verified documents reach it.
package protocol ReconciledBook: Sendable {
    /// Stores a verified notification; returns the result once it is on disk.
    func take(_ notification: Notification) async throws(BookFailure) -> Reception

    /// Stores verified facts of the store's answer; returns, once they are on disk, whether one of
    /// their documents was newer than the stored ones.
    func take(_ facts: [Fact]) async throws(BookFailure) -> Bool

    /// The notifications of `store` about which it must still be asked, oldest first.
    ///
    /// Each is stored again together with the facts of the store's answer.
    func announced(by store: Store) async throws(BookFailure) -> [WaitingNotification]

    /// The subscriptions after `key`, in the order of keys, at most `limit`; empty at the end.
    func subscriptions(
        after key: SubscriptionKey?,
        limit: Int
    ) async throws(BookFailure) -> [Subscription]

    /// The subscriptions under `keys` as they are now; unknown ones are left out.
    func subscriptions(of keys: [SubscriptionKey]) async throws(BookFailure) -> [Subscription]

    /// Whether the catalog names the purchase as a plan or a pack; nil if it does not name it.
    func role(of purchase: Subscription) -> PurchaseRole?

    /// The ids of its transactions that the catalog names as packs: an order may have both.
    func packs(in purchase: Subscription) -> Set<String>
}

extension ReconciledBook {
    package func announced(
        by store: Store
    ) async throws(BookFailure) -> [WaitingNotification] { [] }

    package func role(of purchase: Subscription) -> PurchaseRole? { nil }

    package func packs(in purchase: Subscription) -> Set<String> { [] }
}

/// What a product is in the catalog.
package enum PurchaseRole: Hashable, Sendable {
    /// It belongs to a plan.
    case plan
    /// It is a pack of credits.
    case pack
}

/// Why the book cannot be read or written now.
package struct BookFailure: Error, Hashable, Sendable {
    /// In words, for the log.
    package let detail: String

    /// A failure for this reason.
    package init(_ detail: String) { self.detail = detail }
}
