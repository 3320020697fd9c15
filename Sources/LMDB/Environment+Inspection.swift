import CLMDB
import Glibc

extension Environment {
    /// The measures of the moment.
    package func info() throws(LMDBFailure) -> EnvironmentInfo {
        try use { handle throws(LMDBFailure) in
            var info = MDB_envinfo()
            var stat = MDB_stat()
            // SAFETY: the environment is open while `use` runs; both structures are filled.
            try LMDBFailure.check(mdb_env_info(handle, &info), "info")
            try LMDBFailure.check(mdb_env_stat(handle, &stat), "stat")
            let views = Self.views(of: handle)
            let oldest = views.min() ?? info.me_last_txnid
            return EnvironmentInfo(
                mapBytes: info.me_mapsize,
                pageBytes: Int(stat.ms_psize),
                lastPage: info.me_last_pgno,
                lastCommit: info.me_last_txnid,
                readersActive: views.count,
                readersMax: Int(info.me_maxreaders),
                oldestReaderLag: max(0, info.me_last_txnid - oldest)
            )
        }
    }

    /// Reads every page of data.mdb in `directory` without LMDB, and throws what is wrong with it:
    /// also where a look-up would go astray.
    ///
    /// For `verify`, before anything is opened. Reads the whole tree: seconds per gigabyte.
    package static func inspect(directory: String) throws(LMDBFailure) {
        try TreeAudit.check("\(directory)/data.mdb")
    }

    /// The commits that the active readers look at.
    ///
    /// LMDB prints the table as lines of "pid thread commit"; a reader without a view prints "-".
    private static func views(of handle: OpaquePointer) -> [Int] {
        var text: [UInt8] = []
        // SAFETY: the callback runs during the call only, while `text` is lent to it.
        withUnsafeMutablePointer(to: &text) { pointer in
            _ = mdb_reader_list(
                handle,
                { line, context in
                    guard let line, let context else { return 0 }
                    let text = context.assumingMemoryBound(to: [UInt8].self)
                    guard text.pointee.count < Limits.readerListBytesMax else { return -1 }
                    text.pointee.append(contentsOf: String(cString: line).utf8)
                    return 0
                },
                pointer
            )
        }
        return String(decoding: text, as: UTF8.self).split(separator: "\n")
            .compactMap { line in
                let columns = line.split(separator: " ")
                return columns.count == 3 ? Int(columns[2]) : nil
            }
    }
}

/// What LMDB calls when it finds its own pages contradicting each other; it would abort after.
///
/// Exit 65 (damaged data) instead of a signal: a supervisor must not restart into the same page.
func stopForDamage(_ environment: OpaquePointer?, _ message: UnsafePointer<CChar>?) {
    let text = message.map { String(cString: $0) } ?? "unknown"
    let line = Array(
        "entitld: data.mdb is damaged (\(text)); restore a backup or rebuild it\n".utf8
    )
    // SAFETY: the array outlives the call; nothing may run after a contradiction in shared pages.
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    _exit(65)
}
