/// The records laid out while commands are judged.
///
/// The ledger lays what a command needs before (`Needs`), and puts back what changed after. What
/// was looked for and is not there is laid as nil; reading what was never laid is a bug.
package struct Desk: Sendable {
    /// By user.
    package var accounts = Sheet<UserID, Account>()
    /// By key.
    package var subscriptions = Sheet<SubscriptionKey, Subscription>()
    /// The user of a token.
    package var tokens = Sheet<Token, UserID>()
    /// Subscriptions that carried a token of nobody; laid where a token is claimed.
    package var unclaimed = Sheet<Unclaimed, Bool>()
    /// The journal position of notifications that were here.
    package var notifications = Sheet<NotificationID, Sighting>()
    /// First answers under idempotency keys that are not kept with their user's account.
    package var settlements = Sheet<IdempotencyKey, Settlement>()
    /// Reservations, by id.
    package var reservations = Sheet<UInt64, Reservation>()
    /// The user of each reservation that ends with its connection.
    package var leases = Sheet<UInt64, Lease>()
    /// What credit packs have done.
    package var packs = Sheet<PackKey, Pack>()
    /// When an app transaction was shown that gives no free credits since.
    package var appTransactions = Sheet<AppTransactionMark, Moment>()
    /// Accounts that went into others; looked for where there is no account.
    package var merges = Sheet<UserID, MergedAccount>()
    /// The journal position of each tick, by its first moment.
    package var ticks = Sheet<Moment, UInt64>()
    /// What is kept of erased persons.
    package var tombstones = Sheet<NameMark, Tombstone>()
    /// What the views hold of persons who are to be erased.
    package var traces: [UserID: PersonTraces] = [:]
    /// The secret of the marks; nil until somebody is erased.
    package var secret: HashKey?
    /// Whether the records of paid periods are laid with their subscriptions: where the catalog
    /// gives credits for them.
    package var laysPeriods = false
    /// What tells of the alarms that fired.
    package var ticksTold: [Tick] = []
    /// The alarms that fired.
    package var passings: [Tick.Passing] { ticksTold.flatMap(\.passings) }
    /// When each entry that was replayed was judged, by its position.
    package var judgedAt: [UInt64: Moment] = [:]
    /// Numbers of products and plans.
    package var numbering: Numbering
    /// The greatest id among the rows that were loaded; what is made here has greater ones.
    package var idFloor: UInt64
    /// The catalog in force.
    package var catalog: CatalogStamp?
    /// Products of non-renewing subscriptions that were bought, in the order in which they were
    /// first.
    package var datedProducts: [String]
    /// The previous journal positions of what changed since this was last emptied.
    package var links: [ChainLink] = []
    /// Records are asked for after so many entries of their chains each time; nobody asks where it
    /// is 0.
    package var milestoneEntries: UInt16 = 0
    /// Accounts whose chains have come so far since this was last emptied.
    package var ripeAccounts: [UserID] = []
    /// Subscriptions, likewise.
    package var ripeSubscriptions: [SubscriptionKey] = []
    /// The moment at which what is being absorbed was judged.
    var judged: Moment = .distantPast
    /// Whether somebody wants to hear of changes: what was before them is kept for nobody else.
    package var isFollowed = false
    /// The accounts that changed since this was last emptied, as they were before.
    package var touched: [(user: UserID, before: Account?)] = []
    /// The subscriptions that changed since this was last emptied, as they were before.
    package var touchedSubscriptions: [(key: SubscriptionKey, before: Subscription?)] = []

    /// An empty desk.
    package init(
        numbering: Numbering = Numbering(),
        catalog: CatalogStamp? = nil,
        idFloor: UInt64 = 0,
        secret: HashKey? = nil,
        datedProducts: [String] = []
    ) {
        self.secret = secret
        self.datedProducts = datedProducts
        self.numbering = numbering
        self.idFloor = idFloor
        self.catalog = catalog
    }

    /// Makes room for what so many commands lay.
    package mutating func expect(_ commands: Int) {
        accounts.expect(commands)
        settlements.expect(commands)
    }

    /// Empties what is kept of one entry: its links, and what it touched.
    package mutating func forgetTouched() {
        links.removeAll(keepingCapacity: true)
        touched.removeAll(keepingCapacity: true)
        touchedSubscriptions.removeAll(keepingCapacity: true)
        if !ripeAccounts.isEmpty { ripeAccounts.removeAll() }
        if !ripeSubscriptions.isEmpty { ripeSubscriptions.removeAll() }
    }
}

/// Which records must lie on the desk.
package struct Needs: Hashable, Sendable {
    /// Accounts; with each that is not there, what is kept of its merger, and the account that it
    /// went into.
    package var users: [UserID] = []
    /// Subscriptions; with each, its tokens (`Subscription.tokensKnown`), its packs, and the
    /// accounts of its owner, link, sharers and tokens.
    package var keys: [SubscriptionKey] = []
    /// Tokens; with each, the account of its user, or the tombstone of one that is nobody's.
    package var tokens: [Token] = []
    /// Tokens about to be claimed; with each, the unclaimed subscriptions that carry it.
    package var claims: [Token] = []
    /// Notifications.
    package var notifications: [NotificationID] = []
    /// Idempotency keys; with each, its user's account, with one that reserved, its reservation,
    /// and the same key of each account that went into the user's.
    package var settlements: [IdempotencyKey] = []
    /// Reservations; with each, its user's account.
    package var reservations: [UInt64] = []
    /// Credit packs; with each, its user's account.
    package var packs: [PackKey] = []
    /// App transactions.
    package var appTransactions: [AppTransactionMark] = []
    /// Names that may be those of erased persons; with each, its tombstone and the person's.
    package var names: [PersonName] = []
    /// Accounts that are to go into others; with each, its purchases, and those that went into it.
    package var merging: [UserID] = []
    /// Persons to be erased; with each, everything that the views hold of them.
    package var traces: [UserID] = []

    /// None.
    package init() {}

    mutating func add(_ row: LoadedRow) {
        let needs = row.needs
        users += needs.users
        keys += needs.keys
        tokens += needs.tokens
        notifications += needs.notifications
        settlements += needs.settlements
        reservations += needs.reservations
        packs += needs.packs
        appTransactions += needs.appTransactions
        names += row.names
    }

    /// Where user ids are tokens, the users whose accounts begin with the tokens needed.
    mutating func addOwners() {
        claims += tokens
        users += tokens.compactMap { UserID($0.description) }
    }

    mutating func add(_ fact: Fact) {
        keys.append(fact.key)
        names.append(.subscription(fact.key))
        if let former = fact.formerKey {
            keys.append(former)
            names.append(.subscription(former))
        }
        if let user = fact.user?.user {
            users.append(user)
            names.append(.user(user))
        }
        for transaction in fact.transactions {
            if let token = transaction.token { tokens.append(token) }
            packs += PackKey.of(transaction, fact.key)
        }
    }
}

extension Command {
    /// What must lie on the desk to decide this command and to absorb what it causes.
    package func needs(under policy: Policy) -> Needs {
        var needs = Needs()
        switch kind {
        case .register(let registration):
            needs.users = [registration.user]
            needs.claims = [registration.token] + [registration.accountID].compactMap { $0 }
            needs.names = [.user(registration.user)]
            needs.appTransactions = [registration.shown?.mark].compactMap { $0 }
        case .record(let notification):
            needs.notifications = [notification.id]
            for fact in notification.facts { needs.add(fact) }
            let announced = notification.announcement?.purchases ?? []
            needs.keys += announced
            needs.names += announced.map { .subscription($0) }
            if policy.source.userIDIsToken { needs.addOwners() }
        case .restore(let order):
            for fact in order.facts { needs.add(fact) }
            if policy.source.userIDIsToken { needs.addOwners() }
            needs.users.append(order.user)
            needs.names.append(.user(order.user))
            needs.claims += order.claimed
        case .learn(let facts):
            for fact in facts { needs.add(fact) }
            if policy.source.userIDIsToken { needs.addOwners() }
        case .link(let purchase):
            needs.users = [purchase.user]
            needs.names = [.user(purchase.user)]
            for fact in purchase.facts { needs.add(fact) }
            needs.claims += purchase.claimed
        case .grant(let order):
            needs.users = [order.user]
            needs.settlements = [order.key]
        case .revokeGrant(let revocation):
            needs.users = [revocation.user]
        case .merge(let order):
            needs.users = [order.from, order.into]
            needs.settlements = [order.key]
            needs.claims += [order.token].compactMap { $0 }
            needs.merging = [order.from]
        case .move(let order):
            needs.users = [order.user]
            needs.keys = order.keys
        case .credit(let order):
            needs.users = [order.user]
            needs.settlements = [order.key]
        case .charge(let charge):
            needs.users = [charge.user]
            needs.settlements = [charge.key]
        case .reserve(let order):
            needs.users = [order.charge.user]
            needs.settlements = [order.charge.key]
            needs.reservations = [order.id]
        case .endReservation(let order): needs.reservations = [order.id]
        case .reverse(let order):
            needs.users = [order.user]
            needs.settlements = [order.key, order.charge]
        case .load(let rows): for row in rows { needs.add(row) }
        case .erase(let order):
            needs.users = [order.user]
            needs.names = [.user(order.user)]
            needs.traces = [order.user]
        case .tick, .install: break
        }
        if policy.source.userIDIsToken {
            needs.claims += needs.users.compactMap { Token($0.description) }
        }
        return needs
    }
}

extension Event {
    /// What must lie on the desk to absorb this event.
    package var needs: Needs {
        var needs = Needs()
        switch self {
        case .registered(let user, _):
            needs.users = [user]
            needs.names = [.user(user)]
        case .appTransactionAwaited(let user): needs.users = [user]
        case .appTransactionUsed(let mark, let user, _):
            needs.users = [user]
            needs.appTransactions = [mark]
        case .erased(let erasure):
            needs.users = [erasure.user]
            needs.keys = erasure.traces.shared
            needs.users += erasure.traces.formers.map(\.user)
        case .accountOpened(let user), .granted(let user, _, _),
            .grantRevoked(let user, _), .credited(let user, _), .spent(let user, _),
            .debtPaid(let user, _):
            needs.users = [user]
        case .held(let user, let hold, _):
            needs.users = [user]
            needs.reservations = [hold.id]
        case .holdEnded(let user, let id, _, _):
            needs.users = [user]
            needs.reservations = [id]
        case .reversed(let charge, _):
            needs.users = [charge.user]
            needs.settlements = [charge]
        case .packCredited(let key, let pack):
            needs.users = [pack.user]
            needs.packs = [key]
        case .packRefunded(let key, let user, _, _):
            needs.users = [user]
            needs.packs = [key]
        case .packPartRefunded(let key, let user, _, _, _):
            needs.users = [user]
            needs.packs = [key]
        case .periodMoved(let key, let user, _):
            needs.users = [user]
            needs.packs = [key]
        case .refundForgiven(let user, let forgiveness):
            needs.users = [user]
            needs.packs = [forgiveness.pack]
        case .tokenClaimed(let token, let user):
            needs.users = [user]
            needs.claims = [token]
        case .merged(let fact): needs.add(fact)
        case .linked(let key, let user, _), .shared(let key, let user):
            needs.keys = [key]
            needs.users = [user]
        case .succeeded(let key, _), .dated(let key): needs.keys = [key]
        case .settled(let key, _): needs.settlements = [key]
        case .noticed(let id), .announced(let id, _): needs.notifications = [id]
        case .accountsMerged(let merge):
            needs.users = [merge.from, merge.into] + merge.formers
            needs.keys = merge.purchases
            needs.tokens = merge.tokens
        case .loaded(let row): needs = row.needs
        case .passed, .catalogInstalled: break
        }
        return needs
    }
}
