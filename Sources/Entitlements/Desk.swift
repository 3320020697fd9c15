/// The records laid out while commands are judged.
///
/// The ledger lays what a command needs before (`Needs`), and puts back what changed after. A
/// record
/// that was looked for and is not there is laid as nil; reading one that was never laid is a bug.
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
    package var notifications = Sheet<NotificationID, UInt64>()
    /// First answers under idempotency keys.
    package var settlements = Sheet<IdempotencyKey, Settlement>()
    /// Numbers of products and plans.
    package var numbering: Numbering
    /// The catalog in force.
    package var catalog: CatalogStamp?
    /// The previous journal positions of the accounts that changed since this was last emptied.
    package var links: [UInt64] = []

    /// An empty desk.
    package init(numbering: Numbering = Numbering(), catalog: CatalogStamp? = nil) {
        self.numbering = numbering
        self.catalog = catalog
    }
}

/// A subscription that carried a token when it was nobody's.
package struct Unclaimed: Hashable, Comparable, Sendable {
    /// The token.
    package let token: Token
    /// The subscription.
    package let key: SubscriptionKey

    /// The pair.
    package init(token: Token, key: SubscriptionKey) {
        self.token = token
        self.key = key
    }

    package static func < (left: Unclaimed, right: Unclaimed) -> Bool {
        (left.token, left.key) < (right.token, right.key)
    }
}

/// Records of one kind on the desk, and which of them changed.
package struct Sheet<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var values: [Key: Value?] = [:]
    /// The keys of the records that changed since they were laid.
    package private(set) var changed: Set<Key> = []

    init() {}

    /// Lays a record, or that there is none; one that is laid already stays as it is.
    package mutating func lay(_ value: Value?, at key: Key) {
        guard values[key] == nil else { return }
        values.updateValue(value, forKey: key)
    }

    /// Whether `key` was looked for.
    package func isLaid(_ key: Key) -> Bool { values[key] != nil }

    /// Every key that was looked for.
    package var keys: some Sequence<Key> { values.keys }

    /// Forgets what changed; the records stay laid.
    package mutating func settle() { changed.removeAll(keepingCapacity: true) }

    /// The record at `key`.
    ///
    /// Setting it marks it as changed.
    package subscript(key: Key) -> Value? {
        get {
            guard let laid = values[key] else {
                preconditionFailure("the ledger lays every record that a command needs")
            }
            return laid
        }
        set {
            values.updateValue(newValue, forKey: key)
            changed.insert(key)
        }
    }
}

/// Which records must lie on the desk.
package struct Needs: Hashable, Sendable {
    /// Accounts.
    package var users: [UserID] = []
    /// Subscriptions; with each, its tokens, and the accounts of its owner, link and tokens.
    package var keys: [SubscriptionKey] = []
    /// Tokens; with each, the account of its user.
    package var tokens: [Token] = []
    /// Tokens about to be claimed; with each, the unclaimed subscriptions that carry it.
    package var claims: [Token] = []
    /// Notifications.
    package var notifications: [NotificationID] = []
    /// Idempotency keys.
    package var settlements: [IdempotencyKey] = []

    mutating func add(_ fact: Fact) {
        keys.append(fact.key)
        if let token = fact.transaction?.token { tokens.append(token) }
    }
}

extension Command {
    /// What must lie on the desk to decide this command and to absorb what it causes.
    package func needs(under policy: Policy) -> Needs {
        var needs = Needs()
        switch kind {
        case .register(let registration):
            needs.users = [registration.user]
            needs.claims = [registration.token]
        case .record(let notification):
            needs.notifications = [notification.id]
            for fact in notification.facts { needs.add(fact) }
            if policy.source.userIDIsToken {
                needs.claims = needs.tokens
                needs.users = needs.tokens.compactMap { UserID($0.description) }
            }
        case .link(let purchase):
            needs.users = [purchase.user]
            for fact in purchase.facts { needs.add(fact) }
            needs.claims = purchase.claimed
        case .grant(let order):
            needs.users = [order.user]
            needs.settlements = [order.key]
        case .revokeGrant(let revocation):
            needs.users = [revocation.user]
        case .install: break
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
        case .accountOpened(let user), .registered(let user, _), .granted(let user, _, _),
            .grantRevoked(let user, _):
            needs.users = [user]
        case .tokenClaimed(let token, let user):
            needs.users = [user]
            needs.claims = [token]
        case .merged(let fact): needs.add(fact)
        case .linked(let key, let user):
            needs.keys = [key]
            needs.users = [user]
        case .settled(let key, _): needs.settlements = [key]
        case .noticed(let id): needs.notifications = [id]
        case .catalogInstalled: break
        }
        return needs
    }
}
