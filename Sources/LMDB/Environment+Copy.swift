import Glibc

extension Environment {
    /// Writes what `tables` hold, as of one commit, to a new file at `path`, mode 0600.
    ///
    /// Row by row, not page by page: pages that are no longer in use, and gaps in pages, hold bytes
    /// of rows that were deleted, and nothing of them is in the copy. It is flushed, walked page by
    /// page and only then given its name, so that a file under that name is whole; the sums of its
    /// pages stand beside it by then. It is a long reader: the pages of its view stay in use
    /// meanwhile.
    ///
    /// - Parameters:
    ///   - tables: every table of the environment, under its name.
    ///   - path: where nothing is yet.
    /// - Throws: `.diskFull`, `.damaged` where a page is not what was written, or what was wrong;
    ///   nothing is left of the copy then.
    package func copy(_ tables: [String: Table], to path: String) throws(LMDBFailure) {
        let partial = path + ".partial"
        // SAFETY: plain system calls on paths.
        guard access(path, F_OK) != 0 else { throw .other(code: EEXIST, "\(path) exists") }
        _ = unlink(partial)
        do throws(LMDBFailure) {
            try write(tables, to: partial)
            try FreshStore.publish(partial, as: path)
        } catch {
            _ = unlink(partial)
            _ = unlink(SumsFile.path(besides: path))
            throw error
        }
    }

    private func append(
        _ tables: [String: Table],
        of transaction: borrowing ReadTransaction,
        to fresh: borrowing FreshStore
    ) throws {
        guard try transaction.tableCount() == tables.count else {
            throw LMDBFailure.damaged("there are other tables than those that are copied")
        }
        for (name, table) in tables.sorted(by: { $0.key < $1.key }) {
            try transaction.withCursor(in: table) { try fresh.append(all: $0, in: name) }
        }
    }

    private func write(_ tables: [String: Table], to path: String) throws(LMDBFailure) {
        let mapBytes = try info().mapBytes + Limits.copySlackBytes
        do {
            let fresh = try FreshStore(path: path, mapBytes: mapBytes, tablesMax: tables.count)
            // Within the view, whose pages nobody writes.
            try read { transaction in
                try comparingAllPages {
                    try append(tables, of: transaction, to: fresh)
                }
            }
        } catch let failure as LMDBFailure {
            throw failure
        } catch {
            throw .other(code: 0, "\(error)")
        }
    }
}
