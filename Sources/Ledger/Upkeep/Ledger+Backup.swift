import CLinux
import Glibc
import Journal
import LMDB
import Synchronization

/// A backup that was made.
package struct BackupReport: Sendable {
    /// The journal position of the views in it, and the last of its journal.
    package let seq: UInt64
    /// The bytes of its files.
    package let bytes: Int
}

/// Why there is no backup.
package enum BackupFailure: Error, Hashable, Sendable {
    /// The path exists already.
    case exists
    /// The parent directory cannot be written.
    case unwritable(errno: Int32)
    /// The copied views differ from a replay of the journal.
    ///
    /// The copy was removed.
    case unverified(String)
    /// The ledger or the disk failed.
    case ledger(LedgerFailure)
}

extension Ledger {
    /// Copies one consistent state into the new directory `path`: the views as of one commit, the
    /// journal up to that position, and the base if there is one.
    ///
    /// The backup is written under another name, flushed and verified by replay, and only then
    /// renamed, so a directory at `path` is always complete. The writer continues meanwhile, but
    /// LMDB cannot reuse the pages of the copied view. `onFile` is called with each file, data.mdb
    /// first, before the renaming.
    package func backup(
        to path: String,
        onFile: (String) throws(BackupFailure) -> Void
    ) throws(BackupFailure) -> BackupReport {
        // SAFETY: plain system calls that read paths.
        var status = stat()
        guard lstat(path, &status) != 0 else { throw .exists }
        let partial = "\(path).partial-\(getpid())-\(UInt32.random(in: 1...UInt32.max))"
        guard mkdir(partial, 0o700) == 0, chmod(partial, 0o700) == 0 else {
            throw LedgerFailure.isFull(errno) ? .ledger(.storageFull) : .unwritable(errno: errno)
        }
        do throws(BackupFailure) {
            let report = try fill(partial, onFile)
            try Self.flush(directory: partial)
            guard lstat(path, &status) != 0 else { throw .exists }
            guard rename(partial, path) == 0 else { throw .unwritable(errno: errno) }
            let slash = path.lastIndex(of: "/") ?? path.startIndex
            try Self.flush(directory: slash == path.startIndex ? "/" : String(path[..<slash]))
            return report
        } catch {
            Self.clear(partial)
            throw error
        }
    }

    private func fill(
        _ partial: String,
        _ onFile: (String) throws(BackupFailure) -> Void
    ) throws(BackupFailure) -> BackupReport {
        let copied: (paths: [String], seq: UInt64)
        let found: VerificationReport
        do throws(any Error) {
            // Store the memtable, so that the backup has everything that was answered so far.
            try checkpointer.settle()
            copied = try copy(to: partial)
            var options = Options(directory: partial)
            options.mapSizeBytes = 0
            found = try Self.verify(options)
            // LMDB allocates the pages of a transaction, and malloc would keep that memory.
            linux_give_memory_back()
        } catch {
            throw .ledger(faults.met(error))
        }
        // Where older rules made some of the tables, so it is here too: the copy is as good.
        if let difference = found.damage {
            _ = faults.met(LedgerFailure.damaged("a backup: \(difference)"))
            throw .unverified(difference)
        }
        var bytes = 0
        for path in copied.paths {
            var status = stat()
            // SAFETY: stat fills the structure it is given.
            guard stat(path, &status) == 0 else { throw .unwritable(errno: errno) }
            bytes += Int(status.st_size)
            try onFile(path)
        }
        return BackupReport(seq: copied.seq, bytes: bytes)
    }

    /// Copies views and journal, under the lock that prevents segments from being replaced.
    private func copy(to partial: String) throws -> (paths: [String], seq: UInt64) {
        try erasures.segments.withLock { _ in
            try views.copy(to: partial + "/data.mdb")
            let state = try Self.stateOfViews(in: partial)
            let journal = try journal.export(
                throughGroup: state.group,
                to: partial + "/journal"
            )
            let base = try base.copy(to: partial)
            // The first start on the copy finishes the erasures that are unfinished here.
            if erasures.isMarked { try ErasureBook(directory: partial).announce() }
            return ([partial + "/data.mdb"] + journal.paths + base, state.seq)
        }
    }

    /// The position of the views in a directory that no other process uses.
    private static func stateOfViews(in directory: String) throws -> AppliedState {
        let environment = try Environment.open(
            directory: directory,
            options: .init(mapSizeBytes: 0, isReadOnly: true)
        )
        defer { environment.close() }
        let views = try Views(reading: environment)
        return try environment.read { try views.appliedState($0) }
    }

    private static func flush(directory: String) throws(BackupFailure) {
        // SAFETY: plain system calls on a descriptor that this function owns.
        let descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unwritable(errno: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .unwritable(errno: errno) }
    }

    /// Removes an unfinished backup: its files, its journal directory and the directory itself.
    private static func clear(_ partial: String) {
        for directory in [partial + "/journal", Base.path(partial), partial] {
            // SAFETY: the stream is owned here and closed once; entries are copied before the next.
            guard let stream = opendir(directory) else { continue }
            var names: [String] = []
            while let entry = readdir(stream) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != ".", name != ".." { names.append(name) }
            }
            closedir(stream)
            for name in names { _ = unlink("\(directory)/\(name)") }
            _ = rmdir(directory)
        }
    }
}
