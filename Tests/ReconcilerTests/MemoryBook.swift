import Reconciler
import Synchronization

@testable import Entitlements

/// A book in memory: the core's fold, and nothing else.
final class MemoryBook: ReconciledBook {
    private struct State {
        var subscriptions: [SubscriptionKey: Subscription] = [:]
        var notifications: Set<NotificationID> = []
        var announced: [WaitingNotification] = []
        var failure: BookFailure?
        /// How many times facts can still be stored before everything fails; nil: always.
        var writesLeft: Int?
    }

    private let state = Mutex(State())

    /// What it answers to everything until it is nil again.
    func fail(with failure: BookFailure?) { state.withLock { $0.failure = failure } }

    /// Has it fail once facts were stored so many times more.
    func fail(afterWrites count: Int) { state.withLock { $0.writesLeft = count } }

    var subscriptions: [SubscriptionKey: Subscription] { state.withLock { $0.subscriptions } }

    var notificationsCount: Int { state.withLock { $0.notifications.count } }

    /// Has these wait for an answer of their store.
    func announce(_ notifications: [Notification], received: Moment = StoreVoice.start) {
        let waiting = notifications.map { WaitingNotification($0, received: received) }
        state.withLock { $0.announced += waiting }
    }

    func announced(by store: Store) async throws(BookFailure) -> [WaitingNotification] {
        state.withLock { $0.announced }
    }

    /// Gives a purchase an owner, and a plan that names it.
    func own(_ key: SubscriptionKey) {
        state.withLock { $0.subscriptions[key]?.owner = UserID("ann") }
    }

    func role(of purchase: Subscription) -> PurchaseRole? { purchase.owner == nil ? nil : .plan }

    func put(_ facts: [Fact]) { _ = state.withLock { Self.merge(facts, &$0) } }

    func take(_ notification: Notification) async throws(BookFailure) -> Reception {
        let result = state.withLock { state -> Result<Reception, BookFailure> in
            if let failure = state.failure { return .failure(failure) }
            guard state.notifications.insert(notification.id).inserted else {
                return .success(.duplicate)
            }
            state.announced.removeAll { $0.notification.id == notification.id }
            if notification.facts.isEmpty { return .success(.ignored) }
            return .success(Self.merge(notification.facts, &state) ? .applied : .stale)
        }
        return try result.get()
    }

    func take(_ facts: [Fact]) async throws(BookFailure) -> Bool {
        let result = state.withLock { state -> Result<Bool, BookFailure> in
            if state.writesLeft == 0 {
                state.writesLeft = nil
                state.failure = BookFailure("full")
            }
            if let failure = state.failure { return .failure(failure) }
            state.writesLeft = state.writesLeft.map { $0 - 1 }
            return .success(Self.merge(facts, &state))
        }
        return try result.get()
    }

    func subscriptions(
        after key: SubscriptionKey?,
        limit: Int
    ) async throws(BookFailure) -> [Subscription] {
        let result = state.withLock { state -> Result<[Subscription], BookFailure> in
            if let failure = state.failure { return .failure(failure) }
            let rest = state.subscriptions.values.sorted { $0.key < $1.key }
                .filter { subscription in key.map { $0 < subscription.key } ?? true }
            return .success(Array(rest.prefix(limit)))
        }
        return try result.get()
    }

    func subscriptions(of keys: [SubscriptionKey]) async throws(BookFailure) -> [Subscription] {
        let result = state.withLock { state -> Result<[Subscription], BookFailure> in
            if let failure = state.failure { return .failure(failure) }
            return .success(keys.compactMap { state.subscriptions[$0] })
        }
        return try result.get()
    }

    private static func merge(_ facts: [Fact], _ state: inout State) -> Bool {
        var isNewer = false
        for fact in facts {
            var subscription = state.subscriptions[fact.key] ?? Subscription(key: fact.key)
            if subscription.merge(fact) { isNewer = true }
            state.subscriptions[fact.key] = subscription
        }
        return isNewer
    }
}
