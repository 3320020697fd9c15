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
    /// The subscriptions that changed or are shown, as they were.
    package private(set) var subscriptionsBefore: [SubscriptionKey: Subscription] = [:]
    /// The same, as they are.
    package private(set) var subscriptionsAfter: [SubscriptionKey: Subscription] = [:]
    /// What was in force.
    package let policy: Policy
    /// The version of the catalog that came into force.
    package let catalogVersion: UInt32?
    /// What a store said, where that was the command.
    package let notification: Notification?

    /// What `command` changed on `desk`; `source` has the rows that were not laid there.
    init(_ command: Command, _ desk: Desk, under policy: Policy, from source: some RecordSource) {
        seq = command.seq
        self.policy = policy
        if case .install(let stamp) = command.kind {
            catalogVersion = stamp.version
        } else {
            catalogVersion = nil
        }
        if case .record(let said) = command.kind { notification = said } else { notification = nil }
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
        } else {
            changes = desk.touched.map { user, before in
                Change(
                    user: user,
                    cause: command.kind.cause(for: user),
                    at: command.now,
                    beforeAt: command.now,
                    before: before,
                    after: desk.accounts[user]
                )
            }
            for (key, before) in desk.touchedSubscriptions {
                subscriptionsBefore[key] = before
                subscriptionsAfter[key] = desk.subscriptions[key]
            }
        }
        for change in changes {
            note(change.before?.shown(at: change.beforeAt, under: policy), desk, source)
            note(change.after?.shown(at: change.at, under: policy), desk, source)
        }
    }

    /// Keeps a subscription that is shown and did not change: whoever is told looks later, when it
    /// may have.
    private mutating func note(
        _ key: SubscriptionKey?,
        _ desk: Desk,
        _ source: some RecordSource
    ) {
        guard let key, subscriptionsBefore[key] == nil, subscriptionsAfter[key] == nil else {
            return
        }
        let isLaid = desk.subscriptions.isLaid(key)
        let found = isLaid ? desk.subscriptions[key] : (try? source.subscription(of: key)) ?? nil
        subscriptionsBefore[key] = found
        subscriptionsAfter[key] = found
    }
}

extension Account {
    /// The subscription that is shown at `moment`.
    fileprivate func shown(at moment: Moment, under policy: Policy) -> SubscriptionKey? {
        let decision = answer.judgement(1, moment, policy, policy.admitsSandbox(user))
        guard case .slot(let index) = decision.shown else { return nil }
        return subscriptions[Int(answer.slots[index].ordinal)]
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
