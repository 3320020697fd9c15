import Entitlements
import Glibc
import Synchronization

/// What one command changed, as it was before and after.
package struct FeedItem: Sendable {
    /// One account.
    package struct Change: Sendable {
        /// The user of the account.
        package let user: UserID
        /// The cause of the change.
        package let cause: Cause
        /// The moment of the change.
        package let at: Moment
        /// The moment at which `before` is judged.
        package let beforeAt: Moment
        /// The account before the change; nil if the change created it.
        package let before: Account?
        /// The account after the change.
        package let after: Account?
    }

    /// The command's position in the journal.
    package let seq: UInt64
    /// The accounts that changed.
    package let changes: [Change]
    /// The subscriptions that changed or are shown, before the command.
    package private(set) var subscriptionsBefore: [SubscriptionKey: Subscription] = [:]
    /// The same subscriptions after the command.
    package private(set) var subscriptionsAfter: [SubscriptionKey: Subscription] = [:]
    /// The policy in force.
    package let policy: Policy
    /// The version of the catalog that the command installed; nil for other commands.
    package let catalogVersion: UInt32?
    /// The store's notification, if the command recorded one.
    package let notification: Notification?

    /// What `command` changed on `desk`; `source` supplies rows that are not on the desk.
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

    /// Keeps a subscription that is shown and did not change.
    ///
    /// The follower looks at it later, when the stored one may have changed.
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
        let decision = answer.judgement(1, moment, policy, policy.sandboxes(of: user))
        guard case .slot(let index) = decision.shown else { return nil }
        return subscriptions[Int(answer.slots[index].ordinal)]
    }
}

/// Gives each group's changes to one follower, after they are on disk and visible to readers.
package final class LedgerFeed: Sendable {
    private let followed = Atomic<Bool>(false)
    private let follower = Mutex<Hook<[FeedItem]>?>(nil)
    /// Groups begun and ended; odd while one is under way.
    private let steps = Atomic<UInt64>(0)

    init() {}

    /// Notes that a group begins; returns whether there is a follower.
    ///
    /// Without one the writer collects no changes.
    func begin() -> Bool {
        steps.add(1, ordering: .sequentiallyConsistent)
        return followed.load(ordering: .sequentiallyConsistent)
    }

    /// Notes that the group was published or abandoned.
    func end() { steps.add(1, ordering: .sequentiallyConsistent) }

    /// Calls `follower` on the writer's thread with the changes of each later group; it must return
    /// quickly.
    ///
    /// Nil ends that. The changes of a group that is under way are not reported. This call waits
    /// until that group is published, so a read after the call sees it.
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
