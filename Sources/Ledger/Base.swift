import Entitlements
import Glibc
import Journal
import LMDB
import Synchronization

/// Where the history that is kept begins.
package struct HistoryBorder: Sendable, Hashable {
    /// The last entry of the journal that the base stands for.
    package let seq: UInt64
    /// Its moment, by the clock.
    package let at: Moment
}

extension AppliedState {
    /// What begins behind it; nil where it is at the beginning.
    fileprivate var border: HistoryBorder? { seq > 0 ? HistoryBorder(seq: seq, at: now) : nil }
}

/// The views as they were at an earlier position: what stands for the entries that were pruned.
///
///     base/data.mdb        LMDB, the tables of the views
///     base-copy/data.mdb   stands for it where the journal's copies stand for its segments
///
/// Laws of the base:
///  - B1. Base and journal together make the views: the base reflects every entry up to its
///    position, and the journal has every entry after it.
///  - B2. It goes on as the views do, by absorbing entries, some in one transaction: a crash leaves
///    it at some position, and B1 holds there. Nothing is ever half done.
///  - B3. A segment is removed only after the base has gone past its last entry, on the disk.
///  - B4. It has the journal's names: an erasure that rewrites the one rewrites the other, at once.
///
/// Who looks at it keeps others from changing it meanwhile.
final class Base: Sendable {
    /// The rows, and how far they are.
    ///
    /// SAFETY: reached through the lock of `Base` alone.
    struct Rows: @unchecked Sendable {
        let views: Views
        let snapshot: Snapshot
        var state: AppliedState
        var sweep = Sweep()
    }

    private let directory: String
    let mapSizeBytes: Int
    private let inside: Mutex<Rows?>
    /// Where it is, for those who must not wait until a copy is made.
    private let edge: Mutex<HistoryBorder?>

    /// The base of the ledger in `directory`, if it has one; settles what a crash left half done.
    init(directory: String, mapSizeBytes: Int) throws {
        self.directory = directory
        self.mapSizeBytes = mapSizeBytes
        try Self.settle(directory)
        let path = Self.path(directory)
        // SAFETY: access reads the path only.
        let isThere = access(path + "/data.mdb", F_OK) == 0
        let rows = isThere ? try Self.open(path, mapSizeBytes) : nil
        inside = Mutex(rows)
        edge = Mutex(rows?.state.border)
    }

    static func path(_ directory: String) -> String { directory + "/base" }
    static func copyPath(_ directory: String) -> String { directory + "/base-copy" }

    /// Where a copy is made.
    var copyPath: String { Self.copyPath(directory) }

    /// The position of the base, 0 where nothing was pruned.
    var seq: UInt64 { border?.seq ?? 0 }

    /// Where the history that is kept begins; nil where nothing was pruned.
    var border: HistoryBorder? { edge.withLock { $0 } }

    /// Lends the rows as they are; nil where there are none.
    func look<Found: Sendable>(
        _ body: (Rows) throws -> Found
    ) throws -> Found? {
        try inside.withLock { rows in
            guard let rows, rows.state.seq > 0 else { return nil }
            try rows.snapshot.renew()
            defer { rows.snapshot.rest() }
            return try body(rows)
        }
    }

    /// Goes on by some of the entries up to `seq`; answers where it is then.
    func advance(
        through seq: UInt64,
        _ journal: JournalReader,
        under source: Policy.Source
    ) throws -> UInt64 {
        try inside.withLock { inside in
            var rows = try inside ?? Self.open(Self.path(directory), mapSizeBytes)
            defer {
                inside = rows
                edge.withLock { [border = rows.state.border] in $0 = border }
            }
            let entries = try Self.entries(after: rows.state.seq, through: seq, journal)
            if !entries.isEmpty { try rows.absorb(entries, under: source) }
            return rows.state.seq
        }
    }

    /// Whole groups, and no more than one that installed a catalog: it is kept with its position.
    private static func entries(
        after first: UInt64,
        through last: UInt64,
        _ journal: JournalReader
    ) throws -> ReplayEntries {
        var entries: ReplayEntries = []
        var seq = first
        while seq < last, entries.count < LedgerLimits.replayEntriesMax {
            guard let (group, more) = try journal.group(of: seq + 1) else {
                throw LedgerFailure.damaged("journal: entry \(seq + 1) behind the base is missing")
            }
            entries += more.map { ($0, group.number) }
            seq = group.lastSeq
            if more.contains(where: { $0.kind == EntryKind.install.rawValue }) { break }
        }
        return entries
    }

    /// Puts the copy in the place of the base, if it is to hold.
    func settle() throws {
        try inside.withLock { inside in
            // SAFETY: access reads the path only.
            guard access(Self.copyPath(directory), F_OK) == 0 else { return }
            close(&inside)
            try Self.settle(directory)
            inside = try Self.open(Self.path(directory), mapSizeBytes)
        }
    }

    /// Begins the views anew where somebody took them away: a ledger that was pruned cannot make
    /// them of its journal alone.
    func restoreViews() throws {
        // SAFETY: access reads the path only.
        guard access(directory + "/data.mdb", F_OK) != 0 else { return }
        do {
            try Environment.inspect(directory: Self.path(directory))
            _ = try look { rows in
                for table in TableName.allCases { try rows.walk(table) { _ in } }
                try rows.views.copy(to: directory + "/data.mdb")
            }
        } catch {
            throw Self.named(error)
        }
    }

    /// Copies the base into the data directory `other`; answers the files.
    func copy(to other: String) throws -> [String] {
        let path = Self.path(other)
        return try look { rows in
            // SAFETY: plain system calls that read the path.
            guard mkdir(path, 0o700) == 0, chmod(path, 0o700) == 0 else {
                throw LedgerFailure.failed("create \(path): errno \(errno)")
            }
            try rows.views.copy(to: path + "/data.mdb")
            return [path + "/data.mdb"]
        } ?? []
    }

    /// Waits until the names of the files are on the disk.
    func flush() throws {
        try ErasureBook.flush(Self.path(directory))
        try ErasureBook.flush(directory)
    }

    /// What an ordinary user could still write beside it; 0 when unknown.
    var freeBytes: Int {
        var answer = statvfs()
        // SAFETY: statvfs fills the structure it is given.
        guard statvfs(directory, &answer) == 0 else { return 0 }
        let (bytes, overflow) = answer.f_bavail.multipliedReportingOverflow(by: answer.f_frsize)
        return overflow ? Int.max : Int(clamping: bytes)
    }

    /// Lets go of the files.
    func close() { inside.withLock { close(&$0) } }

    private func close(_ inside: inout Rows?) {
        guard let environment = inside?.views.environment else { return }
        inside = nil
        precondition(environment.close(), "nobody looks at rows without the lock")
    }

    private static func open(_ path: String, _ mapSizeBytes: Int) throws -> Rows {
        do {
            let environment = try Environment.open(
                directory: path,
                options: .init(mapSizeBytes: mapSizeBytes)
            )
            return try rows(try Views(environment))
        } catch {
            throw named(error)
        }
    }

    /// The rows of `views`, which nobody changes past them.
    static func rows(_ views: Views) throws -> Rows {
        let state =
            views.absent.contains(.meta)
            ? AppliedState() : try views.environment.read { try views.appliedState($0) }
        let snapshot = try Snapshot(views, Memtable(LedgerPulse(), seq: state.seq))
        return Rows(views: views, snapshot: snapshot, state: state)
    }

    /// What is wrong with the base, said so.
    static func named(_ error: any Error) -> LedgerFailure {
        let failure = LedgerFailure(error)
        guard case .damaged(let what) = failure else { return failure }
        return .damaged("base: \(what)")
    }

    /// Gives the copy the base's name where it holds, or takes it away.
    private static func settle(_ directory: String) throws {
        let copy = copyPath(directory)
        // SAFETY: plain system calls that read paths.
        guard access(copy, F_OK) == 0 else { return }
        if Journal.isBeingReplaced(in: directory + "/journal"),
            access(copy + "/data.mdb", F_OK) == 0
        {
            try Environment.replaceFile(
                at: path(directory) + "/data.mdb",
                with: copy + "/data.mdb"
            )
        }
        unlink(copy + "/data.sums")
        unlink(copy + "/data.mdb")
        unlink(copy + "/lock.mdb")
        rmdir(copy)
        try ErasureBook.flush(directory)
    }

    /// Where the base of `directory` is to be read while nobody writes; nil where there is none.
    static func readPath(_ directory: String) -> String? {
        let copy = copyPath(directory)
        // SAFETY: access reads the path only.
        if Journal.isBeingReplaced(in: directory + "/journal"),
            access(copy + "/data.mdb", F_OK) == 0
        {
            return copy
        }
        return access(path(directory) + "/data.mdb", F_OK) == 0 ? path(directory) : nil
    }
}

extension Base.Rows {
    /// Goes on by `entries`, whole groups, in one transaction.
    mutating func absorb(_ entries: ReplayEntries, under source: Policy.Source) throws {
        var desk = state.desk
        var changes = RowChanges()
        try snapshot.renew()
        defer { snapshot.rest() }
        let next = try state.absorbing(entries, on: &desk, from: snapshot)
        try changes.take(
            desk,
            next,
            after: state,
            under: Policy(source, numbering: next.numbering),
            from: snapshot
        )
        try views.store(changes) { try sweep.step(views, behind: changes.stored, $0) }
        state = next
    }

    /// The part of the file in use.
    func usedBytes() throws -> Int {
        let info = try views.environment.info()
        return info.pageBytes * (info.lastPage + 1)
    }

    /// Hands every row of `table` to `visit`, decoded; throws where one is not what was stored.
    func walk(_ table: TableName, _ visit: (Row) throws -> Void) throws {
        try snapshot.walk(table) { key, sealed in
            guard let value = Seal.opened(sealed, key) else { throw Damage(table: table) }
            try visit(try Row(table: table, key: Array(key), value: Array(value)))
            return true
        }
    }
}

extension Views {
    /// Stores what changed in one transaction, and does in it what comes `after`.
    func store(
        _ changes: RowChanges,
        after: (borrowing WriteTransaction) throws -> Void = { _ in }
    ) throws {
        try environment.write { transaction in
            for row in changes.rows {
                if let sealed = row.sealed {
                    try transaction.put(sealed, for: row.key, in: table(row.table))
                } else {
                    _ = try transaction.delete(row.key, in: table(row.table))
                }
            }
            try after(transaction)
        }
    }
}
