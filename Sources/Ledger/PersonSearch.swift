import Entitlements
import Glibc
import Synchronization

// Looking for everything about a person takes a look at every purchase, pack, reservation and
// alarm. It is done beside the writer, piece by piece; what changes meanwhile the writer notes, so
// that every row is seen as it was when its piece was read, or is noted later. What was found may
// be wrong by then, and is looked at again when the erasure is decided; what was not found is not
// there.

/// A search for the rows about one person, beside the writer.
package final class PersonSearch: Sendable {
    /// The tables in which rows about a person are not kept by user.
    static let tables: [TableName] = [.subscriptions, .reservations, .packs, .alarms]

    let user: UserID
    private let ledger: Ledger
    private let state = Mutex(State())

    private struct State {
        /// What the person was called when the search began; nil: no search, or none that counts.
        var names: PersonNames?
        var isComplete = false
        var keys: [TableName: Set<[UInt8]>] = [:]
    }

    fileprivate init(of user: UserID, in ledger: Ledger) {
        self.user = user
        self.ledger = ledger
    }

    deinit { ledger.searches.end(self) }

    /// Looks through the tables, so many rows at a time; for a worker.
    package func run(
        pieceRows: Int = LedgerLimits.searchPieceRows
    ) throws(LedgerFailure) {
        do throws(any Error) {
            let snapshot = try Snapshot(ledger.views, ledger.memtable)
            defer { snapshot.rest() }
            try snapshot.renew()
            guard let account = try snapshot.account(of: user) else { return }
            snapshot.rest()
            let names = PersonNames(account)
            state.withLock { $0.names = names }
            // From here on the writer notes; what it published before is in the views of below.
            ledger.searches.begin(self)
            for table in Self.tables {
                try look(through: table, for: names, in: snapshot, pieceRows)
            }
            state.withLock { $0.isComplete = true }
        } catch {
            throw ledger.faults.met(error)
        }
    }

    /// Piece by piece: a view that is held keeps old pages and rows.
    private func look(
        through table: TableName,
        for names: PersonNames,
        in snapshot: Snapshot,
        _ pieceRows: Int
    ) throws {
        var last: [UInt8]?
        repeat {
            var found: [[UInt8]] = []
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
                if names.stand(in: table, key, sealed) { found.append(Array(key)) }
                return true
            }
            add(found, of: table)
        } while last != nil
    }

    private func add(_ keys: [[UInt8]], of table: TableName) {
        guard !keys.isEmpty else { return }
        state.withLock { $0.keys[table, default: []].formUnion(keys) }
    }

    /// Takes what concerns the person of what has just been published.
    fileprivate func note(_ changes: RowChanges) {
        guard let names = state.withLock({ $0.names }) else { return }
        for row in changes.rows where Self.tables.contains(row.table) {
            guard let sealed = row.sealed else { continue }
            let isFound = row.key.withUnsafeBytes { key in
                sealed.withUnsafeBytes { names.stand(in: row.table, key, $0) }
            }
            if isFound { add([row.key], of: row.table) }
        }
    }

    /// The keys of everything that may be about `account`; nil where that is not known.
    fileprivate func finding(about account: Account) -> [TableName: Set<[UInt8]>]? {
        state.withLock { state in
            // With another token, other rows are about the person.
            state.isComplete && state.names == PersonNames(account) ? state.keys : nil
        }
    }
}

/// What a person is called in rows that are not kept by user.
struct PersonNames: Hashable, Sendable {
    private let user: [UInt8]
    private let all: [[UInt8]]

    init(_ account: Account) {
        user = account.user.bytes
        all = [account.user.bytes] + account.tokens.map(\.storedBytes)
    }

    /// Whether a row may be about the person.
    func stand(
        in table: TableName,
        _ key: UnsafeRawBufferPointer,
        _ sealed: UnsafeRawBufferPointer
    ) -> Bool {
        switch table {
        case .alarms: key.count == 8 + user.count && key.dropFirst(8).elementsEqual(user)
        case .subscriptions: all.contains { sealed.holds($0) }
        default: sealed.holds(user)
        }
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
        // Whoever publishes and does not see the search is seen by it.
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
    func finding(about account: Account) -> [TableName: Set<[UInt8]>]? {
        for search in searches where search.user == account.user {
            if let found = search.finding(about: account) { return found }
        }
        return nil
    }

    private var searches: [PersonSearch] { entries.withLock { $0.compactMap(\.search) } }
}

extension Ledger {
    /// A search for the rows about `user`, which the writer uses while somebody has it.
    package func search(for user: UserID) -> PersonSearch { PersonSearch(of: user, in: self) }
}
