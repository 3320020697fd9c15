import LMDB

/// The result of a compaction.
package struct CompactionReport: Sendable {
    /// The journal position that the views reflect.
    package let seq: UInt64
    /// The bytes of data.mdb.
    package let bytesBefore: Int
    package let bytesAfter: Int
}

/// Why a compaction left the views unchanged.
package enum CompactionFailure: Error, Sendable {
    /// The directory needs a start of the daemon first, which finishes what is unfinished.
    case unfinished(String)
    /// The copy differs from a replay of the journal.
    case differs([String])
    /// The directory or the disk failed.
    case ledger(LedgerFailure)
}

/// The steps of a compaction; tests copy the directory at each step, to simulate a crash.
package enum CompactionStep: Sendable {
    case copied, verified, replaced
}

extension Ledger {
    /// Writes data.mdb anew, row by row, so that it contains no bytes of deleted rows.
    ///
    /// The daemon must be stopped. The copy is made in a directory beside data.mdb, flushed,
    /// compared with the journal, and then replaces data.mdb with one rename. The next start
    /// removes the remains of a crash.
    package static func compact(
        _ options: Options,
        onStep: (CompactionStep) -> Void = { _ in }
    ) throws(CompactionFailure) -> CompactionReport {
        do throws(any Error) {
            let lock = try DirectoryLock(directory: options.directory)
            defer { withExtendedLifetime(lock) {} }
            try refuseEmptiedViews(options)
            if ErasureBook(directory: options.directory).isMarked {
                throw CompactionFailure.unfinished("an erasure is not finished")
            }
            let before = try byteCount(of: options.directory + "/data.mdb")
            return try replaceViews(options, before, onStep) { try copyViews(options, to: $0) }
        } catch let failure as CompactionFailure {
            throw failure
        } catch {
            throw .ledger(LedgerFailure(error))
        }
    }

    /// Calls `make` to write new views to a path, and replaces the old views with them if they
    /// agree with the journal.
    ///
    /// `keep` is called before the old views are replaced. The caller holds the directory's lock.
    static func replaceViews(
        _ options: Options,
        _ bytesBefore: Int,
        _ onStep: (CompactionStep) -> Void,
        keep: () throws -> Void = {},
        _ make: (String) throws -> Void
    ) throws -> CompactionReport {
        clearCompaction(in: options.directory)
        defer { clearCompaction(in: options.directory) }
        let workshop = workshop(in: options.directory)
        try makeDirectory(workshop)
        try make(workshop + "/data.mdb")
        onStep(.copied)
        let found = try verify(options, viewsIn: workshop, scratch: workshop)
        if found.differencesCount > 0 { throw CompactionFailure.differs(found.differences) }
        guard found.applied == found.lastSeq else {
            throw CompactionFailure.unfinished("the views are behind the journal")
        }
        onStep(.verified)
        let after = try byteCount(of: workshop + "/data.mdb")
        try keep()
        try Environment.replaceData(in: options.directory, with: workshop + "/data.mdb")
        onStep(.replaced)
        return CompactionReport(seq: found.applied, bytesBefore: bytesBefore, bytesAfter: after)
    }

    private static func copyViews(_ options: Options, to path: String) throws {
        try Environment.inspect(directory: options.directory)
        let environment = try Environment.open(
            directory: options.directory,
            options: .init(mapSizeBytes: options.mapSizeBytes, isReadOnly: true)
        )
        defer { environment.close() }
        try Views(reading: environment).copy(to: path)
    }
}
