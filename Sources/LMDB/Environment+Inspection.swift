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
            let oldest = views.map(\.commit).min() ?? info.me_last_txnid
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

    /// The views that are held at the moment, by this process and by others.
    package func heldViews() throws(LMDBFailure) -> [HeldView] {
        try use { handle throws(LMDBFailure) in Self.views(of: handle) }
    }

    /// Walks every page of data.mdb in `directory` without LMDB, and throws what is wrong with it:
    /// with the tree, with the order of its keys, or with a page that is not what data.sums says.
    ///
    /// For `verify`, before anything is opened. Reads the whole tree: seconds per gigabyte.
    package static func inspect(directory: String) throws(LMDBFailure) {
        let path = "\(directory)/data.mdb"
        guard let walked = try PageInventory.walk(path) else { return }
        // Compares every page that has a sum, and says which one is not what was written.
        guard let known = try PageInventory.take(path, comparedBytesMax: .max) else { return }
        let count = max(walked.contents.sums.count, known.contents.sums.count)
        for number in 0..<count {
            let found = number < walked.contents.sums.count ? walked.contents.sums[number] : 0
            let kept = number < known.contents.sums.count ? known.contents.sums[number] : 0
            guard found == kept else {
                throw .damaged("\(path): the sum of page \(number) is not in data.sums")
            }
        }
    }

    /// Whether data.mdb in `directory` has lost everything: it is empty, and data.sums says that it
    /// had pages.
    package static func isEmptied(directory: String) -> Bool {
        var status = stat()
        // SAFETY: plain system calls that read the paths; the structure is filled.
        guard stat("\(directory)/data.mdb", &status) == 0, status.st_size == 0 else { return false }
        return access(SumsFile.path(besides: "\(directory)/data.mdb"), F_OK) == 0
    }

    /// What the active readers look at.
    ///
    /// LMDB prints the table as lines of "pid thread commit"; a reader without a view prints "-".
    private static func views(of handle: OpaquePointer) -> [HeldView] {
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
                guard columns.count == 3, let process = Int32(columns[0]),
                    let commit = Int(columns[2])
                else { return nil }
                return HeldView(process: process, commit: commit)
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
