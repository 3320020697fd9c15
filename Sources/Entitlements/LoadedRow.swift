/// A row of a view that an admin loads, as a dump wrote it.
///
/// Journal positions of the other ledger do not come along: the entry that loads a row is the first
/// of its chain here.
package enum LoadedRow: Hashable, Sendable {
    /// An account; the numbers in its front are places in `names`, because every ledger gives
    /// products and plans numbers of its own.
    case account(Account, names: [String])
    /// The fold of all facts about a subscription, and its owner.
    case subscription(Subscription)
    /// Whose a token is.
    case token(Token, UserID)
    /// A subscription that waits for the user of its token.
    case unclaimed(Unclaimed)
    /// A notification that was here.
    case notification(NotificationID, Sighting)
    /// A first answer.
    case settlement(IdempotencyKey, Settlement)
    /// A reservation.
    case reservation(UInt64, Reservation)
    /// A reservation that ends with its connection.
    case lease(UInt64, Lease)
    /// What a credit pack has done.
    case pack(PackKey, Pack)
    /// When an app transaction was shown.
    case appTransaction(AppTransactionMark, Moment)
    /// What is kept of an account that went into another.
    case merger(UserID, MergedAccount)
}

extension LoadedRow {
    /// What must lie on the desk to lay this row there, and once it lies there.
    var needs: Needs {
        var needs = Needs()
        switch self {
        case .account(let account, _):
            needs.users = [account.user]
            needs.reservations = account.purse.holds.map(\.id)
            needs.packs = account.purse.forgiven.map(\.pack)
        case .subscription(let subscription):
            needs.keys = [subscription.key]
            needs.users = subscription.users
            needs.tokens = subscription.tokensKnown.sorted()
            needs.packs = subscription.transactions.flatMap { PackKey.of($0, subscription.key) }
        case .token(let token, _): needs.tokens = [token]
        case .notification(let id, _): needs.notifications = [id]
        case .settlement(let key, _): needs.settlements = [key]
        case .reservation(let id, _): needs.reservations = [id]
        case .pack(let key, _): needs.packs = [key]
        case .appTransaction(let mark, _): needs.appTransactions = [mark]
        case .merger(let user, let merger): needs.users = [user, merger.into]
        case .unclaimed, .lease: break
        }
        return needs
    }

    /// The names in the row's place that may be those of erased persons.
    var names: [PersonName] {
        switch self {
        case .account(let account, _): [.user(account.user)]
        case .subscription(let subscription): [.subscription(subscription.key)]
        case .token(let token, _): [.token(token)]
        case .settlement(let key, _): [.user(key.user)]
        case .reservation(_, let reservation): [.user(reservation.user)]
        case .lease(_, let lease): [.user(lease.user)]
        case .pack(let key, _): [.pack(key)]
        case .unclaimed(let waiting): [.token(waiting.token), .subscription(waiting.key)]
        case .merger(let user, _): [.user(user)]
        case .notification, .appTransaction: []
        }
    }

    /// The greatest id in it that was made from a position: those made later must be greater.
    var idMax: UInt64 { ids.filter { $0 <= Limits.positionMax }.max() ?? 0 }

    private var ids: [UInt64] {
        switch self {
        case .account(let account, _):
            account.answer.grants.map(\.id) + account.purse.holds.map(\.id)
                + account.firstAnswers.map(\.settlement.seq)
        case .settlement(_, let first): [first.seq]
        case .reservation(let id, _), .lease(let id, _): [id]
        case .subscription, .token, .unclaimed, .notification, .pack, .appTransaction, .merger: []
        }
    }

    /// Whether the row is about `user`, or about nobody in particular.
    package func bears(on user: UserID) -> Bool {
        switch self {
        case .account(let account, _): account.user == user
        case .token(_, let owner): owner == user
        case .lease(_, let lease): lease.user == user
        case .settlement(let key, _): key.user == user
        case .reservation(_, let reservation): reservation.user == user
        case .pack(_, let pack): pack.user == user
        case .subscription(let subscription):
            subscription.owner == user || subscription.link == user
                || subscription.sharers.contains(user)
        case .merger(let gone, let merger): gone == user || merger.into == user
        case .unclaimed, .notification, .appTransaction: false
        }
    }

    /// What the desk has in the row's place.
    func place(on desk: Desk) -> Place {
        switch self {
        case .account(let account, let names):
            guard let kept = desk.accounts[account.user] else {
                // It went into another one.
                return desk.merges[account.user] == nil ? .empty : .taken
            }
            let numbers = names.map { desk.numbering.existingNumber(of: $0) }
            guard !numbers.contains(nil) else { return .taken }
            var loaded = account.numbered(by: numbers.compactMap { $0 })
            loaded.lastSeq = kept.lastSeq
            loaded.chain = kept.chain
            return loaded == kept ? .same : .taken
        case .subscription(var subscription):
            guard let kept = desk.subscriptions[subscription.key] else { return .empty }
            subscription.lastSeq = kept.lastSeq
            subscription.since = kept.since
            return subscription == kept ? .same : .taken
        case .token(let token, let user): return Place(desk.tokens[token], user)
        case .notification(let id, let first):
            return Place(desk.notifications[id]?.apart, first.apart)
        case .settlement(let key, let first):
            return Place(desk.firstAnswer(under: key, beside: first), first)
        case .reservation(let id, let loaded): return Place(desk.reservations[id], loaded)
        case .pack(let key, let loaded): return Place(desk.packs[key], loaded)
        case .appTransaction(let mark, let shown): return Place(desk.appTransactions[mark], shown)
        case .merger(let user, let loaded):
            // An account that is here has not gone.
            guard desk.accounts[user] == nil else { return .taken }
            guard let kept = desk.merges[user] else { return .empty }
            let isSame =
                kept.into == loaded.into && kept.leftFreeCredits == loaded.leftFreeCredits
            return isSame ? .same : .taken
        case .unclaimed, .lease: return .empty
        }
    }

    /// What stands where a row is to be loaded.
    enum Place {
        case empty
        case same
        case taken

        init<Value: Equatable>(_ kept: Value?, _ loaded: Value) {
            self = kept == nil ? .empty : kept == loaded ? .same : .taken
        }
    }
}

extension Command {
    /// First match wins: a row that is here with other content, or was and its person was erased or
    /// its account went into another; loaded, what is here left out.
    func ruling(on desk: Desk, loading rows: [LoadedRow]) -> Ruling {
        var events: [Event] = []
        for (index, row) in rows.enumerated() {
            switch row.place(on: desk) {
            case .empty where row.names.contains(where: { desk.isAway($0) }), .taken:
                return Ruling(.loadRefused(index: index))
            case .empty: events.append(.loaded(row))
            case .same: break
            }
        }
        return Ruling(.loaded(count: rows.count), events)
    }

    /// The id of what this command makes: its position, above every id that was loaded.
    func freshID(on desk: Desk) -> UInt64 { desk.idFloor + seq }
}

extension Account {
    /// The account with these parts, as they were dumped; its front's credits follow from the
    /// purse.
    package init(
        user: UserID,
        opened: Moment,
        flags: AccountFlags,
        purse: Purse,
        subscriptions: [SubscriptionKey],
        tokens: [Token],
        slots: [Slot],
        grants: [Grant],
        firstAnswers: [FirstAnswer] = [],
        formers: [UserID] = []
    ) {
        self.init(user: user, opened: opened)
        self.purse = purse
        self.subscriptions = subscriptions
        self.tokens = tokens
        answer.flags = flags
        (answer.credits, answer.balances) = purse.front
        answer.slots = slots
        noteDated()
        answer.grants = grants
        self.firstAnswers = firstAnswers
        self.formers = formers
    }

    /// The account with `numbers[n]` in the place of every number n.
    func numbered(by numbers: [UInt32]) -> Account {
        var account = self
        for index in account.answer.slots.indices {
            account.answer.slots[index].product = numbers[Int(account.answer.slots[index].product)]
        }
        for index in account.answer.grants.indices {
            account.answer.grants[index].plan = numbers[Int(account.answer.grants[index].plan)]
        }
        return account
    }
}

extension LoadedRow {
    /// The row with its lists in the order of the names in them, which are other names once an
    /// erased person has pseudonyms.
    package var inOrder: LoadedRow {
        switch self {
        case .account(let account, let names): .account(account.inOrder, names: names)
        case .subscription(let subscription): .subscription(subscription.inOrder)
        case .token, .unclaimed, .notification, .settlement, .reservation, .lease, .pack,
            .appTransaction, .merger:
            self
        }
    }
}

extension Account {
    fileprivate var inOrder: Account {
        var account = self
        let places = subscriptions.indices.sorted { subscriptions[$0] < subscriptions[$1] }
        account.subscriptions = places.map { subscriptions[$0] }
        account.answer.slots = places.enumerated()
            .flatMap { place, before in
                answer.slots.filter { $0.ordinal == before }
                    .map { slot in
                        var slot = slot
                        slot.ordinal = UInt16(place)
                        return slot
                    }
            }
        account.tokens.sort()
        return account
    }
}

extension Subscription {
    fileprivate var inOrder: Subscription {
        var subscription = self
        let places = transactions.indices.sorted {
            transactions[$0].isKeptBefore(transactions[$1])
        }
        subscription.transactions = places.map { transactions[$0] }
        subscription.traces = places.map { traces[$0] }
        subscription.claims.sort { $0.isBefore($1) }
        subscription.tokens.sort()
        subscription.successors.sort()
        subscription.revocations.sort { $0.isBefore($1) }
        subscription.named.sort { $0.isBefore($1) }
        return subscription
    }
}
