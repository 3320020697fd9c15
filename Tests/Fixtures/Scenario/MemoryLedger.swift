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
    /// When notifications were here first.
    package private(set) var notifications: [NotificationID: Sighting] = [:]
    /// First answers under idempotency keys.
    package private(set) var settlements: [IdempotencyKey: Settlement] = [:]
    /// Reservations, by id.
    package private(set) var reservations: [UInt64: Reservation] = [:]
    /// What credit packs have done.
    package private(set) var packs: [PackKey: Pack] = [:]
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

    /// Decides a command at `moment`, and absorbs what it causes; a clock that was once ahead has
    /// left the ledger's own moment so many milliseconds `ahead`.
    package mutating func submit(
        _ kind: Command.Kind,
        at moment: Moment,
        ahead: Int64 = 0,
        under policy: Policy
    ) -> Outcome {
        let seq = (journal.last?.seq ?? 0) + 1
        let command = Command(
            seq: seq,
            at: moment.advanced(byMilliseconds: ahead),
            now: moment,
            kind: kind
        )
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
        for user in needs.users { lay(user, on: &desk) }
        for token in needs.tokens + needs.claims { lay(token, on: &desk) }
        for token in needs.claims {
            for waiting in unclaimed where waiting.token == token {
                desk.unclaimed.lay(true, at: waiting)
                lay(waiting.key, on: &desk)
            }
        }
        for key in needs.keys { lay(key, on: &desk) }
        for id in needs.notifications { desk.notifications.lay(notifications[id], at: id) }
        for key in needs.settlements {
            lay(key.user, on: &desk)
            desk.settlements.lay(settlements[key], at: key)
            guard let first = desk.firstAnswer(under: key), case .reserved = first.answer else {
                continue
            }
            desk.reservations.lay(reservations[first.seq], at: first.seq)
        }
        for id in needs.reservations {
            desk.reservations.lay(reservations[id], at: id)
            if let reservation = reservations[id] { lay(reservation.user, on: &desk) }
        }
        for key in needs.packs { lay(key, on: &desk) }
    }

    private func lay(_ user: UserID, on desk: inout Desk) {
        desk.accounts.lay(accounts[user], at: user)
        for hold in accounts[user]?.purse.holds ?? [] {
            desk.reservations.lay(reservations[hold.id], at: hold.id)
        }
        for refund in accounts[user]?.purse.forgiven ?? [] {
            desk.packs.lay(packs[refund.pack], at: refund.pack)
        }
    }

    private func lay(_ key: PackKey, on desk: inout Desk) {
        desk.packs.lay(packs[key], at: key)
        if let pack = packs[key] { lay(pack.user, on: &desk) }
    }

    private func lay(_ token: Token, on desk: inout Desk) {
        desk.tokens.lay(tokens[token], at: token)
        if let user = tokens[token] { lay(user, on: &desk) }
    }

    private func lay(_ key: SubscriptionKey, on desk: inout Desk) {
        let subscription = subscriptions[key]
        desk.subscriptions.lay(subscription, at: key)
        let owners = [subscription?.owner, subscription?.link].compactMap { $0 }
        for user in owners + (subscription?.sharers ?? []) {
            lay(user, on: &desk)
        }
        for transaction in subscription?.transactions ?? [] {
            for pack in PackKey.of(transaction, key) { lay(pack, on: &desk) }
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
        for id in desk.reservations.changed { reservations[id] = desk.reservations[id] }
        for key in desk.packs.changed { packs[key] = desk.packs[key] }
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
