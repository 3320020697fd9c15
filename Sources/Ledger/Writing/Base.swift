import Entitlements
import Glibc
import Journal
import LMDB
import Synchronization

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
final class Base: PrunedHistory {
    private let directory: String
    /// Where the journal is, whose copies say whether one of the base holds.
    private let journal: any JournalLocation
    let mapSizeBytes: Int
    private let limits: CheckpointLimits
    private let inside: Mutex<Rows?>
    /// Where it is, for those who must not wait until a copy is made.
    private let edge: Mutex<HistoryBorder?>

    /// The base of the ledger in `directory`, if it has one; settles what a crash left half done.
    init(
        directory: String,
        mapSizeBytes: Int,
        limits: CheckpointLimits = CheckpointLimits(),
        journal: any JournalLocation
    ) throws {
        self.directory = directory
        self.journal = journal
        self.mapSizeBytes = mapSizeBytes
        self.limits = limits
        try Self.settle(directory, journal)
        let path = Self.path(directory)
        // SAFETY: access reads the path only.
        let isThere = access(path + "/data.mdb", F_OK) == 0
        // A new one would say that nothing was pruned.
        guard !Environment.isEmptied(directory: path) else {
            throw LedgerFailure.damaged("base: \(path)/data.mdb is empty")
        }
        let rows = isThere ? try Self.open(path, mapSizeBytes, limits) : nil
        inside = Mutex(rows)
        edge = Mutex(rows?.state.border)
    }

    static func path(_ directory: String) -> String { directory + "/base" }
    static func copyPath(_ directory: String) -> String { directory + "/base-copy" }

    /// Where a copy is made.
    var copyPath: String { Self.copyPath(directory) }

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

    func lookAtAll<Found: Sendable>(_ body: (Snapshot) throws -> Found) throws -> Found? {
        try look { try body($0.snapshot) }
    }

    /// Lends the rows as they are stored, and the border that they stand for; nil where there are
    /// none.
    ///
    /// What is being absorbed is not among them: `border` tells of it when it is stored.
    func lookAtStored<Found: Sendable>(
        _ body: (Snapshot, HistoryBorder) throws -> Found
    ) throws -> Found? {
        try inside.withLock { rows in
            guard let rows else { return nil }
            try rows.stored.renew()
            defer { rows.stored.rest() }
            guard let border = try rows.storedBorder() else { return nil }
            // It was stored a moment ago, and who asks next is to know.
            edge.withLock { if ($0?.seq ?? 0) < border.seq { $0 = border } }
            return try body(rows.stored, border)
        }
    }

    /// Goes on by the next groups of `journal` up to `seq`, as many as one transaction takes;
    /// answers where it is then, on the disk.
    ///
    /// Who looks at it meanwhile waits for one piece at most.
    func advance(
        through seq: UInt64,
        of journal: any Journal,
        under source: Policy.Source
    ) throws -> UInt64 {
        let begun = try inside.withLock { inside in
            let rows = try inside ?? Self.open(Self.path(directory), mapSizeBytes, limits)
            inside = rows
            return rows
        }
        do {
            var pieces = ReplayPieces()
            var isFull = false
            func absorb(_ piece: ReplayEntries) throws {
                isFull = try inside.withLock { inside in
                    try inside?.absorb(piece, under: source)
                    return inside?.isFull ?? true
                }
            }
            try journal.read(after: begun.state.seq, through: seq) { group, entries in
                for entry in entries {
                    if let piece = pieces.take(entry, in: group.number) { try absorb(piece) }
                }
                return !isFull
            }
            try absorb(pieces.rest())
            try begun.store()
        } catch {
            // What was absorbed and is not stored is absorbed again.
            try inside.withLock { inside in inside = try begun.reopened() }
            throw error
        }
        return inside.withLock { inside in
            edge.withLock { [border = inside?.state.border] in $0 = border }
            return inside?.state.seq ?? 0
        }
    }

    /// Puts the copy in the place of the base, if it is to hold.
    func settle() throws {
        try inside.withLock { inside in
            // SAFETY: access reads the path only.
            guard access(Self.copyPath(directory), F_OK) == 0 else { return }
            close(&inside)
            try Self.settle(directory, journal)
            inside = try Self.open(Self.path(directory), mapSizeBytes, limits)
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
                for table in TableName.allCases { try rows.check(table) }
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

    private static func open(
        _ path: String,
        _ mapSizeBytes: Int,
        _ limits: CheckpointLimits
    ) throws -> Rows {
        do {
            let environment = try Environment.open(
                directory: path,
                options: .init(mapSizeBytes: mapSizeBytes)
            )
            // It stands for the history that is gone: nobody asks for its ticks.
            return try Rows(try Views(environment), limits: limits) { .max }
        } catch {
            throw named(error)
        }
    }

    /// What is wrong with the base, said so.
    static func named(_ error: any Error) -> LedgerFailure {
        let failure = LedgerFailure(error)
        guard case .damaged(let what) = failure else { return failure }
        return .damaged("base: \(what)")
    }

    /// Gives the copy the base's name where it holds, or takes it away.
    private static func settle(
        _ directory: String,
        _ journal: any JournalLocation
    ) throws {
        let copy = copyPath(directory)
        // SAFETY: plain system calls that read paths.
        guard access(copy, F_OK) == 0 else { return }
        if journal.hasUnfinishedRewrite, access(copy + "/data.mdb", F_OK) == 0 {
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
    static func readPath(_ directory: String, _ journal: any JournalLocation) -> String? {
        let copy = copyPath(directory)
        // SAFETY: access reads the path only.
        if journal.hasUnfinishedRewrite, access(copy + "/data.mdb", F_OK) == 0 { return copy }
        return access(path(directory) + "/data.mdb", F_OK) == 0 ? path(directory) : nil
    }
}
