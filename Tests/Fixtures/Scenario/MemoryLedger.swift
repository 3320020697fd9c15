import Entitlements

/// A ledger in memory: the same road as the real one, without a disk.
///
/// Each command gets a fresh desk on which only what it asked for is laid, so that a need that was
/// not named stops the test.
package struct MemoryLedger {
    /// By user.
    package private(set) var accounts: [UserID: Account] = [:]
    /// By key.
    package private(set) var subscriptions: [SubscriptionKey: Subscription] = [:]
    /// The user of a token.
    package private(set) var tokens: [Token: UserID] = [:]
    /// Subscriptions that carry a token of nobody.
    package private(set) var unclaimed: Set<Unclaimed> = []
    /// The journal position of notifications that were here.
    package private(set) var notifications: [NotificationID: UInt64] = [:]
    /// First answers under idempotency keys.
    package private(set) var settlements: [IdempotencyKey: Settlement] = [:]
    /// Numbers of products and plans.
    package private(set) var numbering = Numbering()
    /// The catalog in force.
    package private(set) var catalog: CatalogStamp?
    /// What happened, in order.
    package private(set) var journal: [Entry] = []

    /// One event, as a journal would keep it.
    package struct Entry: Hashable, Sendable {
        /// Its place.
        package let seq: UInt64
        /// When it was decided.
        package let at: Moment
        /// What happened.
        package let event: Event
    }

    /// An empty ledger.
    package init() {}

    /// The ledger that replaying `journal` makes: absorbs, never decides.
    package init(replaying journal: [Entry]) {
        for entry in journal {
            var desk = Desk(numbering: numbering, catalog: catalog)
            lay(entry.event.needs, on: &desk)
            desk.absorb(entry.event, at: entry.at, seq: entry.seq)
            store(desk)
        }
        self.journal = journal
    }

    /// Decides a command, and absorbs what it causes.
    package mutating func submit(
        _ kind: Command.Kind,
        at moment: Moment,
        under policy: Policy
    ) -> Outcome {
        let seq = (journal.last?.seq ?? 0) + 1
        let command = Command(seq: seq, at: moment, kind: kind)
        var desk = Desk(numbering: numbering, catalog: catalog)
        lay(command.needs(under: policy), on: &desk)
        let ruling = command.ruling(on: desk, under: policy)
        for event in ruling.events {
            desk.absorb(event, at: moment, seq: seq)
            journal.append(Entry(seq: seq, at: moment, event: event))
        }
        store(desk)
        return ruling.outcome
    }

    /// Lays what is asked for, and what that leads to.
    package func lay(_ needs: Needs, on desk: inout Desk) {
        for user in needs.users { desk.accounts.lay(accounts[user], at: user) }
        for token in needs.tokens + needs.claims { lay(token, on: &desk) }
        for token in needs.claims {
            for waiting in unclaimed where waiting.token == token {
                desk.unclaimed.lay(true, at: waiting)
                lay(waiting.key, on: &desk)
            }
        }
        for key in needs.keys { lay(key, on: &desk) }
        for id in needs.notifications { desk.notifications.lay(notifications[id], at: id) }
        for key in needs.settlements { desk.settlements.lay(settlements[key], at: key) }
    }

    private func lay(_ token: Token, on desk: inout Desk) {
        desk.tokens.lay(tokens[token], at: token)
        if let user = tokens[token] { desk.accounts.lay(accounts[user], at: user) }
    }

    private func lay(_ key: SubscriptionKey, on desk: inout Desk) {
        let subscription = subscriptions[key]
        desk.subscriptions.lay(subscription, at: key)
        for user in [subscription?.owner, subscription?.link].compactMap({ $0 }) {
            desk.accounts.lay(accounts[user], at: user)
        }
        for token in subscription?.tokens ?? [] { lay(token, on: &desk) }
        if let token = subscription?.decidingToken { lay(token, on: &desk) }
    }

    private mutating func store(_ desk: Desk) {
        for user in desk.accounts.changed { accounts[user] = desk.accounts[user] }
        for key in desk.subscriptions.changed { subscriptions[key] = desk.subscriptions[key] }
        for token in desk.tokens.changed { tokens[token] = desk.tokens[token] }
        for id in desk.notifications.changed { notifications[id] = desk.notifications[id] }
        for key in desk.settlements.changed { settlements[key] = desk.settlements[key] }
        for waiting in desk.unclaimed.changed {
            if desk.unclaimed[waiting] == true {
                unclaimed.insert(waiting)
            } else {
                unclaimed.remove(waiting)
            }
        }
        numbering = desk.numbering
        catalog = desk.catalog
    }
}
