import Entitlements
import Glibc
import Journal
import LMDB
import Synchronization

extension AppliedState {
    /// The border of a history that is kept from this position on; nil at position 0.
    fileprivate var border: HistoryBorder? { seq > 0 ? HistoryBorder(seq: seq, at: now) : nil }
}

/// The base snapshot: the views as of an earlier position.
///
/// It replaces the pruned journal entries.
///
///     base/data.mdb        LMDB, the tables of the views
///     base-copy/data.mdb   stands for it where the journal's copies stand for its segments
///
/// Laws of the base:
///  - B1. The views can be rebuilt from base and journal: the base reflects every entry up to its
///    position, and the journal has every entry after it.
///  - B2. Like the views, the base advances by absorbing entries, several in one transaction. After
///    a crash it is at the position of the last transaction, and B1 holds there.
///  - B3. A segment is removed only after the base on disk has passed the segment's last entry.
///  - B4. Base and journal hold the same names: an erasure rewrites both in one atomic step.
///
/// A reader of the base holds its lock, so the base does not change during the reading.
final class Base: PrunedHistory {
    private struct Content {
        /// Nil if nothing was pruned, and while the files are not open.
        var rows: Rows?
        /// Whether there are files that were closed and could not be opened again.
        var mustReopen = false
    }

    private let directory: String
    /// The journal's location.
    ///
    /// Whether a copy of the base is valid depends on the journal's copies.
    private let journal: any JournalLocation
    let mapSizeBytes: Int
    private let limits: CheckpointLimits
    private let inside: Mutex<Content>
    /// The border, for callers that must not wait while a copy of the base is made.
    private let edge: Mutex<HistoryBorder?>

    /// Opens the base of the ledger in `directory`, if it has one, and completes or removes a copy
    /// that a crash left.
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
        // LMDB would fill the empty file with a new database, as if nothing had been pruned.
        guard !Environment.isEmptied(directory: path) else {
            throw LedgerFailure.damaged("base: \(path)/data.mdb is empty")
        }
        let rows = isThere ? try Self.open(path, mapSizeBytes, limits) : nil
        inside = Mutex(Content(rows: rows))
        edge = Mutex(rows?.state.border)
    }

    static func path(_ directory: String) -> String { directory + "/base" }
    static func copyPath(_ directory: String) -> String { directory + "/base-copy" }

    /// The directory in which an erasure writes its copy of the base.
    var copyPath: String { Self.copyPath(directory) }

    /// Where the kept history begins; nil if nothing was pruned.
    var border: HistoryBorder? { edge.withLock { $0 } }

    /// Calls `body` with the present rows; nil if there are none.
    func look<Found: Sendable>(
        _ body: (Rows) throws -> Found
    ) throws -> Found? {
        try inside.withLock { inside in
            guard let rows = try rows(&inside), rows.state.seq > 0 else { return nil }
            try rows.snapshot.renew()
            defer { rows.snapshot.rest() }
            return try body(rows)
        }
    }

    func lookAtAll<Found: Sendable>(_ body: (Snapshot) throws -> Found) throws -> Found? {
        try look { try body($0.snapshot) }
    }

    /// Calls `body` with the stored rows and their border; nil if there are none.
    ///
    /// Changes that are absorbed but not stored are not included; `border` moves when they are
    /// stored.
    func lookAtStored<Found: Sendable>(
        _ body: (Snapshot, HistoryBorder) throws -> Found
    ) throws -> Found? {
        try inside.withLock { inside in
            guard let rows = try rows(&inside) else { return nil }
            try rows.stored.renew()
            defer { rows.stored.rest() }
            guard let border = try rows.storedBorder() else { return nil }
            // The rows may have been stored since `edge` was set: bring it up to date for the next
            // caller.
            edge.withLock { if ($0?.seq ?? 0) < border.seq { $0 = border } }
            return try body(rows.stored, border)
        }
    }

    /// Absorbs the next groups of `journal` up to `seq`, at most as many as fit in one transaction;
    /// returns the position that the base then has on disk.
    ///
    /// Readers of the base wait for one piece of entries at most.
    func advance(
        through seq: UInt64,
        of journal: any Journal,
        under source: Policy.Source
    ) throws -> UInt64 {
        let begun = try inside.withLock { inside in
            let rows = try rows(&inside) ?? open()
            inside.rows = rows
            return rows
        }
        do {
            var pieces = ReplayPieces()
            var isFull = false
            func absorb(_ piece: ReplayEntries) throws {
                isFull = try inside.withLock { inside in
                    try inside.rows?.absorb(piece, under: source)
                    return inside.rows?.isFull ?? true
                }
            }
            try journal.read(after: begun.state.seq, through: seq) { group, entries in
                for entry in entries {
                    if let piece = pieces.take(entry, in: group.number) { try absorb(piece) }
                }
                return !isFull
            }
            try absorb(pieces.rest())
            // What does not fit any more goes with the next stretch.
            while try inside.withLock({ try $0.rows?.passAlarms(under: source) ?? false }) {}
            try begun.store()
        } catch {
            // Drop the changes that were not stored; the next call absorbs them again.
            try inside.withLock { inside in inside.rows = try begun.reopened() }
            throw error
        }
        return inside.withLock { inside in
            edge.withLock { [border = inside.rows?.state.border] in $0 = border }
            return inside.rows?.state.seq ?? 0
        }
    }

    /// Puts the copy in place of the base if the copy is valid, otherwise removes it.
    ///
    /// The next one who needs the rows opens them: with too little space, nobody can, and the
    /// journal's replacement has to be completed nevertheless.
    func settle() throws {
        try inside.withLock { inside in
            // To remove a copy needs no closing.
            if hasValidCopy {
                close(&inside)
                inside.mustReopen = true
            }
            try Self.settle(directory, journal)
        }
    }

    private var hasValidCopy: Bool { Self.holds(Self.copyPath(directory), journal) }

    /// Whether the journal says that copies stand for what they are copies of.
    ///
    /// A copy of the base that is begun then would be taken for a valid one before it is complete.
    var isCopyTrusted: Bool { journal.hasUnfinishedRewrite }

    /// Creates the views from the base if `data.mdb` was removed: after a pruning, the journal
    /// alone cannot rebuild them.
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

    /// Copies the base into the data directory `other`; returns the paths of the files.
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

    /// Flushes the directory, so that the names of the files are on disk.
    func flush() throws {
        try ErasureBook.flush(Self.path(directory))
        try ErasureBook.flush(directory)
    }

    /// The free bytes of the file system for an ordinary user; 0 if unknown.
    var freeBytes: Int {
        var answer = statvfs()
        // SAFETY: statvfs fills the structure it is given.
        guard statvfs(directory, &answer) == 0 else { return 0 }
        return answer.bytes(in: answer.f_bavail)
    }

    /// Closes the files.
    func close() { inside.withLock { close(&$0) } }

    private func close(_ inside: inout Content) {
        inside.mustReopen = false
        guard let environment = inside.rows?.views.environment else { return }
        inside.rows = nil
        precondition(environment.close(), "nobody looks at rows without the lock")
    }

    /// The rows; nil if nothing was pruned.
    ///
    /// - Throws: if the files are there and cannot be opened: a base that is not open must not be
    ///   taken for none, or an erasure would leave the person in it.
    private func rows(_ inside: inout Content) throws -> Rows? {
        if inside.mustReopen {
            inside.rows = try open()
            inside.mustReopen = false
        }
        return inside.rows
    }

    private func open() throws -> Rows {
        try Self.open(Self.path(directory), mapSizeBytes, limits)
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
            // The base replaces the pruned history, whose ticks nobody can ask for: keep none.
            return try Rows(try Views(environment), limits: limits) { .max }
        } catch {
            throw named(error)
        }
    }

    /// The failure, with a message that names the base as the damaged part.
    static func named(_ error: any Error) -> LedgerFailure {
        let failure = LedgerFailure(error)
        guard case .damaged(let what) = failure else { return failure }
        return .damaged("base: \(what)")
    }

    /// Renames the copy to the base if it is valid, otherwise removes it.
    private static func settle(
        _ directory: String,
        _ journal: any JournalLocation
    ) throws {
        let copy = copyPath(directory)
        // SAFETY: plain system calls that read paths.
        guard access(copy, F_OK) == 0 else { return }
        if holds(copy, journal) {
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

    /// Whether the copy of the base is there and valid.
    private static func holds(_ copy: String, _ journal: any JournalLocation) -> Bool {
        // SAFETY: access reads the path only.
        journal.hasUnfinishedRewrite && access(copy + "/data.mdb", F_OK) == 0
    }

    /// The path from which to read the base of `directory` while nobody writes; nil if there is
    /// none.
    static func readPath(_ directory: String, _ journal: any JournalLocation) -> String? {
        let copy = copyPath(directory)
        if holds(copy, journal) { return copy }
        // SAFETY: access reads the path only.
        return access(path(directory) + "/data.mdb", F_OK) == 0 ? path(directory) : nil
    }
}
