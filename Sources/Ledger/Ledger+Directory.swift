import Glibc
import Journal
import LMDB

// What lies in a data directory beside tables and journal.

extension Ledger {
    /// LMDB takes an empty file for a new one.
    ///
    /// Beside a journal with entries it was cut.
    static func refuseEmptiedViews(_ options: Options) throws {
        let directory = options.directory
        var status = stat()
        guard stat(directory + "/data.mdb", &status) == 0, status.st_size == 0 else { return }
        guard access(directory + "/journal", F_OK) == 0 else { return }
        var isEmpty = true
        try options.journal.reading(appliedGroup: 0)
            .read(after: nil) { _, _ in
                isEmpty = false
                return false
            }
        guard isEmpty else {
            throw LedgerFailure.damaged("data.mdb is empty and the journal is not")
        }
    }

    /// Where the new file stands until it is verified.
    static func workshop(in directory: String) -> String { directory + "/compacting" }

    /// Makes a directory for this user alone, whatever the umask says.
    static func makeDirectory(_ path: String) throws(LedgerFailure) {
        // SAFETY: plain system calls that read the path.
        guard mkdir(path, 0o700) == 0, chmod(path, 0o700) == 0 else {
            throw LedgerFailure.isFull(errno)
                ? .storageFull : .failed("\(path): errno \(errno)")
        }
    }

    /// Removes what a compaction or a verification left that did not come to its end.
    package static func clearCompaction(in directory: String) {
        let workshop = workshop(in: directory)
        Environment.clearScratch(in: workshop)
        let data = ["data.mdb", "data.mdb.partial", "data.sums", "data.sums.partial", "lock.mdb"]
        // SAFETY: plain system calls that read paths.
        for name in data { _ = unlink("\(workshop)/\(name)") }
        _ = rmdir(workshop)
        Environment.clearScratch(in: directory)
    }

    static func byteCount(of path: String) throws(LedgerFailure) -> Int {
        var status = stat()
        // SAFETY: stat fills the structure it is given.
        guard stat(path, &status) == 0 else { throw .failed("\(path): errno \(errno)") }
        return Int(status.st_size)
    }
}
