import Entitlements
import Ledger

/// A ledger in memory: the road of the real one, without a disk.
///
/// Each command gets a fresh desk, on which the ledger's own code lays what it needs and nothing
/// else, so that a need that was not named stops the test here as it would stop the daemon.
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
    /// When app transactions were shown.
    package private(set) var appTransactions: [AppTransactionMark: Moment] = [:]
    /// Accounts that went into others.
    package private(set) var merges: [UserID: MergedAccount] = [:]
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
            var desk = desk
            do {
                try desk.absorb(entry.event, at: entry.at, seq: entry.seq, from: self)
            } catch {
                preconditionFailure("memory does not fail: \(error)")
            }
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
        var desk = desk
        let ruling: Ruling
        do {
            ruling = try desk.ruling(of: command, under: policy, from: self)
        } catch {
            preconditionFailure("memory does not fail: \(error)")
        }
        for event in ruling.events {
            desk.absorb(event, at: moment, seq: seq)
            journal.append(Entry(seq: seq, at: moment, event: event))
        }
        store(desk)
        return ruling.outcome
    }

    private var desk: Desk { Desk(numbering: numbering, catalog: catalog) }

    private mutating func store(_ desk: Desk) {
        for user in desk.accounts.changed { accounts[user] = desk.accounts[user] }
        for key in desk.subscriptions.changed { subscriptions[key] = desk.subscriptions[key] }
        for token in desk.tokens.changed { tokens[token] = desk.tokens[token] }
        for id in desk.notifications.changed { notifications[id] = desk.notifications[id] }
        for key in desk.settlements.changed { settlements[key] = desk.settlements[key] }
        for id in desk.reservations.changed { reservations[id] = desk.reservations[id] }
        for key in desk.packs.changed { packs[key] = desk.packs[key] }
        for mark in desk.appTransactions.changed {
            appTransactions[mark] = desk.appTransactions[mark]
        }
        for user in desk.merges.changed { merges[user] = desk.merges[user] }
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

/// Nobody is erased in memory.
extension MemoryLedger: RecordSource {
    package func record<T: TableRow>(of type: T.Type, at key: T.Key) -> T.Record? {
        func found<Key, Record>(in rows: [Key: Record]) -> T.Record? {
            (key as? Key).flatMap { rows[$0] } as? T.Record
        }
        switch T.table {
        case .accounts: return found(in: accounts)
        case .subscriptions: return found(in: subscriptions)
        case .tokens: return found(in: tokens)
        case .notifications: return found(in: notifications)
        case .settlements: return found(in: settlements)
        case .reservations: return found(in: reservations)
        case .packs: return found(in: packs)
        case .appTransactions: return found(in: appTransactions)
        case .merges: return found(in: merges)
        case .unclaimed, .leases, .alarms, .ticks, .tombstones, .meta: return nil
        }
    }

    package func unclaimed(with token: Token) -> [Unclaimed] {
        unclaimed.filter { $0.token == token }.sorted()
    }

    package func traces(of user: UserID) -> PersonTraces { PersonTraces() }
}
