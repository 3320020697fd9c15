import Entitlements
import Journal

/// One entry of the journal that bears on a user.
package struct HistoryStep: Sendable {
    /// Its place.
    package let seq: UInt64
    /// When it was decided, by the clock: before the moment of an earlier step where the clock was
    /// set back between them.
    package let at: Moment
    /// Why the user's status changed, if it did.
    package let cause: Cause
    /// What happened.
    package let events: [Event]
}

/// A user and their purchases as they were, rebuilt from the journal step by step.
package struct Past: Sendable {
    /// Whose.
    package let user: UserID
    /// Where it begins; nil where everything is known.
    package let border: HistoryBorder?
    private var desk: Desk

    /// Before everything; `numbering` is today's, which only ever grew.
    init(user: UserID, numbering: Numbering) {
        self.user = user
        border = nil
        desk = Desk(numbering: numbering)
        desk.accounts.lay(nil, at: user)
    }

    /// As the base has it: with everything that `steps` will need, which tell of `purchases`.
    init(
        user: UserID,
        numbering: Numbering,
        steps: some Sequence<HistoryStep>,
        purchases: Set<SubscriptionKey>,
        _ base: Base.Rows
    ) throws {
        self.user = user
        border = HistoryBorder(seq: base.state.seq, at: base.state.now)
        desk = Desk(numbering: numbering)
        let owned = try base.snapshot.account(of: user)?.subscriptions ?? []
        let source = PartOfBase(base: base.snapshot, purchases: purchases.union(owned))
        var needs = Needs()
        needs.users = [user]
        needs.keys = owned
        try desk.lay(needs, from: source)
        for event in steps.lazy.flatMap(\.events) { try desk.lay(event.needs, from: source) }
    }

    /// Where what is known begins, if the user was there before; asked before the first step.
    package var oldest: Moment? { account == nil ? nil : border?.at }

    /// The account as it was; nil before it began.
    package var account: Account? { desk.accounts[user] }

    /// Numbers of products and plans, as they are now or grew meanwhile.
    package var numbering: Numbering { desk.numbering }

    /// A subscription as it was.
    package func subscription(of key: SubscriptionKey) -> Subscription? {
        desk.subscriptions.isLaid(key) ? desk.subscriptions[key] : nil
    }

    /// Goes on by one step.
    package mutating func absorb(_ step: HistoryStep) throws(LedgerFailure) {
        do {
            for event in step.events {
                try desk.absorb(event, at: step.at, seq: step.seq, from: EmptySource())
            }
        } catch {
            throw LedgerFailure(error)
        }
        desk.forgetTouched()
    }
}

extension LedgerReader {
    /// Everything in the journal that bears on `user`, oldest first: the entries about their
    /// account, and those about the purchases that are or were theirs.
    ///
    /// - Parameters:
    ///   - user: whose.
    ///   - purchases: theirs too, where an account lists not all of them.
    /// - Returns: the steps, and the past before the first of them.
    /// - Throws: `.damaged` where an entry cannot be read, `.gone` where it was pruned.
    package func history(
        of user: UserID,
        with purchases: Set<SubscriptionKey> = []
    ) throws(LedgerFailure) -> (past: Past, steps: [HistoryStep]) {
        do {
            if base.seq == 0 {
                do {
                    let (steps, _) = try steps(of: user, with: purchases, after: 0)
                    return (Past(user: user, numbering: try numbering()), steps)
                } catch is HistoryGone where base.seq > 0 {
                    // Pruned for the first time under our hands.
                }
            }
            // What was read of the base holds until the last step: nobody changes it meanwhile.
            let found = try base.look { rows in
                let (steps, purchases) = try steps(
                    of: user,
                    with: purchases,
                    after: rows.state.seq
                )
                let past = try Past(
                    user: user,
                    numbering: try numbering(),
                    steps: steps,
                    purchases: purchases,
                    rows
                )
                return (past: past, steps: steps)
            }
            guard let found else { throw HistoryGone() }
            return found
        } catch {
            throw met(error)
        }
    }

    /// The steps behind `border`, and the purchases whose facts are among them.
    private func steps(
        of user: UserID,
        with purchases: Set<SubscriptionKey>,
        after border: UInt64
    ) throws -> (steps: [HistoryStep], purchases: Set<SubscriptionKey>) {
        guard let account = try account(of: user) else { return ([], []) }
        var walk = HistoryWalk(user: user, journal: try journalReader(), border: border)
        try walk.follow(ChainLink.subject(of: user), from: account.lastSeq)
        // Facts that came before a purchase was theirs stand in the purchase's own chain.
        let keys = walk.keysNamed.union(account.subscriptions).union(purchases)
        var followed: Set<SubscriptionKey> = []
        while let key = keys.subtracting(followed).first {
            followed.insert(key)
            guard let last = try subscription(of: key)?.lastSeq else { continue }
            try walk.follow(ChainLink.subject(of: key), from: last)
        }
        return (walk.steps.values.sorted { $0.seq < $1.seq }, followed)
    }
}

/// What of the base bears on one user: of the others' purchases the steps do not tell, so that what
/// the base says of them would stay as it was.
private struct PartOfBase: RecordSource {
    let base: Snapshot
    let purchases: Set<SubscriptionKey>

    func account(of user: UserID) throws -> Account? { try base.account(of: user) }

    func subscription(of key: SubscriptionKey) throws -> Subscription? {
        purchases.contains(key) ? try base.subscription(of: key) : nil
    }

    func user(of token: Token) throws -> UserID? { try base.user(of: token) }

    func unclaimed(with token: Token) throws -> [Unclaimed] {
        try base.unclaimed(with: token).filter { purchases.contains($0.key) }
    }

    func sighting(of notification: NotificationID) throws -> Sighting? {
        try base.sighting(of: notification)
    }

    func settlement(under key: IdempotencyKey) throws -> Settlement? {
        try base.settlement(under: key)
    }

    func reservation(_ id: UInt64) throws -> Reservation? { try base.reservation(id) }
    func pack(of key: PackKey) throws -> Pack? { try base.pack(of: key) }
    func tombstone(under mark: NameMark) throws -> Tombstone? { try base.tombstone(under: mark) }
    func traces(of user: UserID) throws -> PersonTraces { PersonTraces() }
}

/// Walks chains of the journal backwards.
private struct HistoryWalk {
    let user: UserID
    let journal: JournalReader
    /// What stands up to here the base has.
    let border: UInt64
    private(set) var steps: [UInt64: HistoryStep] = [:]
    private(set) var keysNamed: Set<SubscriptionKey> = []
    private var links: [UInt64: EntryLinks] = [:]

    init(user: UserID, journal: JournalReader, border: UInt64) {
        self.user = user
        self.journal = journal
        self.border = border
    }

    mutating func follow(_ subject: UInt64, from last: UInt64) throws {
        var seq = last
        while seq > border {
            try read(seq)
            guard let found = links[seq]?.previous(of: subject) else {
                throw LedgerFailure.damaged("the journal's entry \(seq) has no such chain")
            }
            seq = found
        }
    }

    private mutating func read(_ seq: UInt64) throws {
        guard steps[seq] == nil else { return }
        guard let entry = try journal.entry(seq: seq) else { throw HistoryGone() }
        let content = try EntryBody.content(of: entry)
        // An entry that loaded rows tells of many people.
        let events = content.events.filter { event in
            if case .loaded(let row) = event { row.bears(on: user) } else { true }
        }
        steps[seq] = HistoryStep(
            seq: seq,
            at: content.now,
            cause: content.cause(for: user),
            events: events
        )
        links[seq] = EntryLinks(entry)
        for event in events { keysNamed.formUnion(event.needs.keys) }
    }
}

/// Whose history an entry is a part of, and where each goes on before.
struct EntryLinks {
    /// Pairs: a subject (`ChainLink`), and the position before.
    private let pairs: [UInt64]

    init(_ entry: JournalEntry) { pairs = entry.links }

    var subjects: Set<UInt64> { Set(places.map { pairs[$0] }) }

    /// The position before, 0 where there is none; nil where it is no part of that history.
    func previous(of subject: UInt64) -> UInt64? {
        places.first { pairs[$0] == subject }.map { pairs[$0 + 1] }
    }

    private var places: StrideTo<Int> { stride(from: 0, to: pairs.count - 1, by: 2) }
}

/// An entry that was pruned, or that names nobody any more.
struct HistoryGone: Error {}

/// A catalog that was in force, from a moment on.
package struct InstalledCatalog: Hashable, Sendable {
    /// Where the journal installed it.
    package let seq: UInt64
    /// From when.
    package let from: Moment
    /// Which one.
    package let stamp: CatalogStamp
}
