import Entitlements
import Glibc
import Synchronization

/// What one command changed, as it was before and after.
package struct FeedItem: Sendable {
    /// One account.
    package struct Change: Sendable {
        /// Whose.
        package let user: UserID
        /// Why.
        package let cause: Cause
        /// When.
        package let at: Moment
        /// The moment of which `before` is to be judged.
        package let beforeAt: Moment
        /// As it was; nil where it began with this.
        package let before: Account?
        /// As it is.
        package let after: Account?
    }

    /// Where the journal keeps the command.
    package let seq: UInt64
    /// The accounts that changed.
    package let changes: [Change]
    /// The subscriptions that changed, as they were.
    package let subscriptionsBefore: [SubscriptionKey: Subscription]
    /// The subscriptions that changed, as they are.
    package let subscriptionsAfter: [SubscriptionKey: Subscription]
    /// The version of the catalog that came into force.
    package let catalogVersion: UInt32?

    init(_ command: Command, _ desk: Desk) {
        seq = command.seq
        if case .tick = command.kind {
            // Time changes no record: the account is the same before and after.
            changes = desk.passings.map { passing in
                let account = desk.accounts[passing.user]
                return Change(
                    user: passing.user,
                    cause: .clock,
                    at: passing.due,
                    beforeAt: Moment(passing.due.milliseconds - 1),
                    before: account,
                    after: account
                )
            }
            subscriptionsBefore = [:]
            subscriptionsAfter = [:]
            catalogVersion = nil
            return
        }
        changes = desk.touched.map { user, before in
            Change(
                user: user,
                cause: command.kind.cause(for: user),
                at: command.at,
                beforeAt: command.at,
                before: before,
                after: desk.accounts[user]
            )
        }
        var earlier: [SubscriptionKey: Subscription] = [:]
        var later: [SubscriptionKey: Subscription] = [:]
        for (key, before) in desk.touchedSubscriptions {
            earlier[key] = before
            later[key] = desk.subscriptions[key]
        }
        subscriptionsBefore = earlier
        subscriptionsAfter = later
        if case .install(let stamp) = command.kind {
            catalogVersion = stamp.version
        } else {
            catalogVersion = nil
        }
    }
}

/// Hands what changed to one follower, after it is on disk and visible.
package final class LedgerFeed: Sendable {
    private let followed = Atomic<Bool>(false)
    private let follower = Mutex<Hook<[FeedItem]>?>(nil)
    /// Groups begun and ended; odd while one is under way.
    private let steps = Atomic<UInt64>(0)

    init() {}

    /// A group begins; whether anybody follows: the writer remembers nothing for nobody.
    func begin() -> Bool {
        steps.add(1, ordering: .sequentiallyConsistent)
        return followed.load(ordering: .sequentiallyConsistent)
    }

    /// It is published, or will not be.
    func end() { steps.add(1, ordering: .sequentiallyConsistent) }

    /// Calls `follower` on the writer's thread with what changes from the next group on; it must be
    /// quick.
    ///
    /// Nil ends that. Waits for a group that began before, of which nothing will be told: who looks
    /// after this sees it.
    package func follow(_ follower: (@Sendable ([FeedItem]) -> Void)?) {
        self.follower.withLock { $0 = follower.map { Hook(call: $0) } }
        followed.store(follower != nil, ordering: .sequentiallyConsistent)
        guard follower != nil else { return }
        let present = steps.load(ordering: .sequentiallyConsistent)
        guard present % 2 == 1 else { return }
        while steps.load(ordering: .sequentiallyConsistent) == present { usleep(100) }
    }

    func publish(_ items: [FeedItem]) { follower.withLock { $0 }?.call(items) }
}
