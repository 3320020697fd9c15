import Entitlements

/// One entry of the journal that bears on a user.
///
/// A class: it holds much, and is passed from hand to hand.
package final class HistoryStep: Sendable {
    /// Of whose history: an account that went into another has one of its own.
    package let user: UserID
    /// Its place.
    package let seq: UInt64
    /// When it was decided, by the clock: before the moment of an earlier step where the clock was
    /// set back between them.
    package let at: Moment
    /// Why the user's status changed, if it did.
    package let cause: Cause
    /// Who asked for it; nil where a store, time or the daemon itself did.
    package let author: Author?
    /// What was asked for, as far as the events do not say it.
    package let order: OrderNote
    /// What happened.
    package let events: [Event]
    /// Whose history it is a part of.
    let links: EntryLinks
    /// Records that it has left.
    let milestones: [Milestone]

    /// What `content` says of `user`, as the entry of those links.
    init(_ content: EntryContent, of user: UserID, at seq: UInt64, links: EntryLinks) {
        self.user = user
        self.seq = seq
        self.links = links
        at = content.now
        cause = content.cause(for: user)
        author = content.author
        order = content.order
        // An entry that loaded rows tells of many people.
        events = content.events.filter { event in
            if case .loaded(let row) = event { row.bears(on: user) } else { true }
        }
        milestones = content.milestones
    }

    /// The purchases that its events name.
    var keys: Set<SubscriptionKey> { Set(events.flatMap(\.needs.keys)) }

    /// Whether the account of `user` went into another with it.
    package func ends(_ user: UserID) -> Bool {
        events.contains { event in
            if case .accountsMerged(let merge) = event { merge.from == user } else { false }
        }
    }

    /// The account of `user` as it left it, and the last entries of the purchases listed in it.
    func account(of user: UserID) -> (account: Account, places: [UInt64])? {
        for case .account(let account, let places) in milestones.map(\.kind)
        where account.user == user { return (account, places) }
        return nil
    }

    /// The subscription as it left it.
    func subscription(of key: SubscriptionKey) -> Subscription? {
        for case .subscription(let kept) in milestones.map(\.kind) where kept.key == key {
            return kept
        }
        return nil
    }
}
