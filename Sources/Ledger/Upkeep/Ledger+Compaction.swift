import LMDB

/// What was made of the views.
package struct CompactionReport: Sendable {
    /// The journal position that they reflect.
    package let seq: UInt64
    /// The bytes of data.mdb.
    package let bytesBefore: Int
    package let bytesAfter: Int
}

/// Why the views are as they were.
package enum CompactionFailure: Error, Sendable {
    /// The directory was not left in good order: a start has something to finish first.
    case unfinished(String)
    /// The copy is not what the journal makes.
    case differs([String])
    /// The directory or the disk.
    case ledger(LedgerFailure)
}

/// What a compaction does, step by step; tests copy the directory there, as a crash would.
package enum CompactionStep: Sendable {
    case copied, verified, replaced
}

extension Ledger {
    /// Writes data.mdb anew, row by row, so that no byte of what was deleted stays in it.
    ///
    /// With the daemon stopped. A copy is made in a directory beside it, flushed, compared with the
    /// journal, and then takes its place with one rename; a start removes what a crash left.
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

    /// Puts new views, which `make` writes to the path that it is given, in the place of the old
    /// ones, once they are what the journal makes.
    ///
    /// `keep` is called before the old ones go. Under a lock that the caller holds.
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
