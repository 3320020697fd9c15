import Entitlements
import Glibc
import Synchronization

// Looking for everything about a person takes a look at every purchase, pack, reservation and
// alarm. It is done beside the writer, piece by piece; what changes meanwhile the writer notes, so
// that every row is seen as it was when its piece was read, or is noted later. What was found may
// be wrong by then, and is looked at again when the erasure is decided; what was not found is not
// there.

/// A search for the rows about some persons, beside the writer: one look at each row, however many
/// persons there are.
package final class PersonSearch: Sendable {
    /// The tables in which rows about a person are not kept by user.
    static let tables = TableName.allCases.filter { $0.row.isSearched }

    let users: [UserID]
    private let views: Views
    private let memtable: Memtable
    private let searches: SearchBook
    private let faults: FaultBook
    private let state = Mutex(State())

    private struct State {
        /// What the persons were called when the search began; nil: no search, or none that counts.
        var names: NameIndex?
        var isComplete = false
        var keys: [UserID: [TableName: Set<[UInt8]>]] = [:]
        /// The purchases whose kin is looked for, by whom it concerns; nil until they are known.
        var purchases: [SubscriptionKey: Set<UserID>]?
        /// Whether some purchase goes on under another id.
        var hasKin = false

        mutating func add(_ key: [UInt8], of table: TableName, about users: Set<UserID>) {
            for user in users { keys[user, default: [:]][table, default: []].insert(key) }
        }

        /// Whose purchases are those that a row names as its own under another id.
        func persons(withKin kin: Set<SubscriptionKey>) -> Set<UserID> {
            guard let purchases else { return [] }
            return kin.reduce(into: []) { $0.formUnion(purchases[$1] ?? []) }
        }

        /// Whose purchase it is for whose user a row of `unclaimed` waits.
        func persons(waitingIn key: [UInt8]) -> Set<UserID> {
            guard let purchases, let waiting = try? UnclaimedRow.key(of: key) else { return [] }
            return purchases[waiting.key] ?? []
        }

        /// Names the purchases found so far as those whose kin is looked for.
        mutating func takePurchases() {
            var found: [SubscriptionKey: Set<UserID>] = [:]
            for (user, keys) in keys {
                for bytes in keys[.subscriptions] ?? [] {
                    guard let key = try? SubscriptionRow.key(of: bytes) else { continue }
                    found[key, default: []].insert(user)
                }
            }
            purchases = found
        }
    }

    init(
        of users: [UserID],
        _ views: Views,
        _ memtable: Memtable,
        _ searches: SearchBook,
        _ faults: FaultBook
    ) {
        self.users = users
        self.views = views
        self.memtable = memtable
        self.searches = searches
        self.faults = faults
    }

    deinit { searches.end(self) }

    /// Looks through the tables, so many rows at a time; blocks as long as that takes.
    ///
    /// - Parameters:
    ///   - pieceRows: rows that are looked at in one view.
    ///   - isEnding: asked between two pieces; once it is true, nothing is found.
    /// - Throws: where the tables cannot be read.
    package func run(
        pieceRows: Int = LedgerLimits.searchPieceRows,
        isEnding: () -> Bool = { false }
    ) throws(LedgerFailure) {
        do throws(any Error) {
            let snapshot = try Snapshot(views, memtable)
            defer { snapshot.rest() }
            try snapshot.renew()
            let names = NameIndex(try users.compactMap { try snapshot.account(of: $0) })
            snapshot.rest()
            guard !names.isEmpty else { return }
            state.withLock { $0.names = names }
            // From here on the writer notes; what it published before is in the views of below.
            searches.begin(self)
            for table in Self.tables {
                let isRead = try look(through: table, in: snapshot, pieceRows, isEnding) {
                    let match = names.match(in: table, $0, $1)
                    if !match.kin.isEmpty { state.withLock { $0.hasKin = true } }
                    return match.users
                }
                guard isRead else { return }
            }
            guard try lookForKin(in: snapshot, pieceRows, isEnding),
                try lookForWaiting(in: snapshot, pieceRows, isEnding)
            else { return }
            state.withLock { $0.isComplete = true }
        } catch {
            throw faults.met(error)
        }
    }

    /// Finds the purchases of others that name one of the persons' as what they were or became:
    /// one purchase may name another that does not name it back (`Subscription.kin`).
    private func lookForKin(
        in snapshot: Snapshot,
        _ pieceRows: Int,
        _ isEnding: () -> Bool
    ) throws -> Bool {
        // From here on the writer notes kin, too.
        let hasKin = state.withLock { state in
            state.takePurchases()
            return state.hasKin
        }
        guard hasKin else { return true }
        return try look(through: .subscriptions, in: snapshot, pieceRows, isEnding) {
            guard let kin = SubscriptionRow.persons(in: $0, $1)?.kin, !kin.isEmpty else {
                return []
            }
            return state.withLock { $0.persons(withKin: kin) }
        }
    }

    /// Finds the rows in which the persons' purchases wait for the users of tokens: a purchase
    /// forgets tokens, those of many transactions ago, whose rows are still there.
    private func lookForWaiting(
        in snapshot: Snapshot,
        _ pieceRows: Int,
        _ isEnding: () -> Bool
    ) throws -> Bool {
        try look(through: .unclaimed, in: snapshot, pieceRows, isEnding) { key, _ in
            state.withLock { $0.persons(waitingIn: Array(key)) }
        }
    }

    /// Piece by piece: a view that is held keeps old pages and rows.
    ///
    /// Answers false where it was told to end.
    private func look(
        through table: TableName,
        in snapshot: Snapshot,
        _ pieceRows: Int,
        _ isEnding: () -> Bool,
        for persons: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Set<UserID>
    ) throws -> Bool {
        var last: [UInt8]?
        repeat {
            if isEnding() { return false }
            var found: [(key: [UInt8], users: Set<UserID>)] = []
            let start = last ?? []
            var count = 0
            last = nil
            try snapshot.renew()
            defer { snapshot.rest() }
            try snapshot.walk(table, from: start) { key, sealed in
                if count == pieceRows {
                    last = Array(key)
                    return false
                }
                count += 1
                let users = persons(key, sealed)
                if !users.isEmpty { found.append((Array(key), users)) }
                return true
            }
            guard !found.isEmpty else { continue }
            state.withLock { [found] state in
                for (key, users) in found { state.add(key, of: table, about: users) }
            }
        } while last != nil
        return true
    }

    /// Takes what concerns the persons of what has just been published.
    fileprivate func note(_ changes: RowChanges) {
        guard let names = state.withLock({ $0.names }) else { return }
        for row in changes.rows where row.table == .unclaimed && row.sealed != nil {
            state.withLock { state in
                let users = state.persons(waitingIn: row.key)
                if !users.isEmpty { state.add(row.key, of: .unclaimed, about: users) }
            }
        }
        for row in changes.rows where Self.tables.contains(row.table) {
            guard let sealed = row.sealed else { continue }
            let match = row.key.withUnsafeBytes { key in
                sealed.withUnsafeBytes { names.match(in: row.table, key, $0) }
            }
            guard !match.users.isEmpty || !match.kin.isEmpty else { continue }
            state.withLock { state in
                if !match.kin.isEmpty { state.hasKin = true }
                let users = match.users.union(state.persons(withKin: match.kin))
                state.add(row.key, of: row.table, about: users)
            }
        }
    }

    /// What may be about `account`; nil where that is not known.
    fileprivate func finding(about account: Account) -> PersonFinding? {
        state.withLock { state in
            // With another token, or another account that went into theirs, other rows are about
            // the person.
            guard state.isComplete, let names = state.names,
                names.tokens(of: account.user) == account.tokens,
                names.formers(of: account.user) == Set(account.formers)
            else { return nil }
            let purchases = (state.purchases ?? [:]).filter { $0.value.contains(account.user) }
            return PersonFinding(
                keys: state.keys[account.user] ?? [:],
                purchases: Set(purchases.keys)
            )
        }
    }
}

/// What a search found about a person.
struct PersonFinding {
    /// The keys of the rows.
    let keys: [TableName: Set<[UInt8]>]
    /// The purchases whose kin, and what waits for them, is among them.
    let purchases: Set<SubscriptionKey>
}

/// What some persons are called in rows that are not kept by user.
private struct NameIndex: Sendable {
    private var tokensOfUser: [UserID: [Token]] = [:]
    private var userOfToken: [Token: UserID] = [:]
    /// Into whose account others went, by those.
    private var userOfFormer: [UserID: UserID] = [:]

    init(_ accounts: [Account]) {
        for account in accounts {
            tokensOfUser[account.user] = account.tokens
            for token in account.tokens { userOfToken[token] = account.user }
            for former in account.formers { userOfFormer[former] = account.user }
        }
    }

    var isEmpty: Bool { tokensOfUser.isEmpty }

    /// The tokens that the user had; nil where there was no such account.
    func tokens(of user: UserID) -> [Token]? { tokensOfUser[user] }

    /// The accounts that went into the user's.
    func formers(of user: UserID) -> Set<UserID> {
        Set(userOfFormer.filter { $0.value == user }.keys)
    }

    /// Whom of the persons a row may be about, and which purchases it names as its own under
    /// another id.
    func match(
        in table: TableName,
        _ key: UnsafeRawBufferPointer,
        _ sealed: UnsafeRawBufferPointer
    ) -> (users: Set<UserID>, kin: Set<SubscriptionKey>) {
        guard let named = table.row.persons(in: key, sealed) else {
            return (persons(spelledIn: key, sealed), [])
        }
        let users = known(named.users + named.tokens.compactMap { userOfToken[$0] })
        return (users, named.kin)
    }

    private func known(_ users: [UserID]) -> Set<UserID> {
        Set(users.map { userOfFormer[$0] ?? $0 }.filter { tokensOfUser[$0] != nil })
    }

    /// The same of a row that cannot be read: whoever is decided about meets the damage.
    private func persons(
        spelledIn key: UnsafeRawBufferPointer,
        _ sealed: UnsafeRawBufferPointer
    ) -> Set<UserID> {
        var found: Set<UserID> = []
        for (user, tokens) in tokensOfUser {
            let formers = formers(of: user).map(\.bytes)
            let names = [user.bytes] + formers + tokens.map(\.storedBytes)
            if names.contains(where: { key.holds($0) || sealed.holds($0) }) { found.insert(user) }
        }
        return found
    }
}

/// The searches that are under way, for the writer.
final class SearchBook: Sendable {
    private struct Entry {
        weak var search: PersonSearch?
        let id: ObjectIdentifier
    }

    private let count = Atomic<Int>(0)
    private let entries = Mutex<[Entry]>([])

    fileprivate func begin(_ search: PersonSearch) {
        entries.withLock { entries in
            entries.append(Entry(search: search, id: ObjectIdentifier(search)))
            count.store(entries.count, ordering: .sequentiallyConsistent)
        }
        // A publisher that does not see the search is seen by the search.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
    }

    fileprivate func end(_ search: PersonSearch) {
        let id = ObjectIdentifier(search)
        entries.withLock { entries in
            entries.removeAll { $0.id == id }
            count.store(entries.count, ordering: .sequentiallyConsistent)
        }
    }

    /// Told by the writer what it has published; before the next command is decided.
    func note(_ changes: RowChanges) {
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        guard count.load(ordering: .sequentiallyConsistent) > 0 else { return }
        for search in searches { search.note(changes) }
    }

    /// What the searches found that may be about `account`; nil where there was none.
    func finding(about account: Account) -> PersonFinding? {
        for search in searches {
            if let found = search.finding(about: account) { return found }
        }
        return nil
    }

    private var searches: [PersonSearch] { entries.withLock { $0.compactMap(\.search) } }
}
