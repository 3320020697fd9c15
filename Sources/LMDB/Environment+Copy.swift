import CLMDB
import Glibc

extension Environment {
    /// Writes a consistent copy of data.mdb to `path`, which must not exist, mode 0600.
    ///
    /// The copy is flushed, walked page by page and only then given its name, so that a file under
    /// that name is whole. It is a long reader: the pages of its view stay in use meanwhile.
    package func copy(to path: String) throws(LMDBFailure) {
        let partial = path + ".partial"
        // SAFETY: plain system calls on paths and on descriptors that this function owns.
        guard access(path, F_OK) != 0 else { throw .other(code: EEXIST, "\(path) exists") }
        _ = unlink(partial)
        do throws(LMDBFailure) {
            try writeCopy(to: partial)
            guard let file = try PageFile(partial) else { throw .damaged("\(partial) is empty") }
            let meta = try StoreFile.newestMeta(of: file)
            var walk = TreeWalk(file: file, meta: meta)
            try walk.run()
            guard rename(partial, path) == 0 else { throw .ofLastCall("rename to \(path)") }
            try Self.flushDirectory(of: path)
        } catch {
            _ = unlink(partial)
            throw error
        }
    }

    /// LMDB neither flushes its copy nor keeps others from reading it; both are done here.
    private func writeCopy(to path: String) throws(LMDBFailure) {
        // SAFETY: plain system calls on a descriptor that this function owns.
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .ofLastCall("open \(path)") }
        defer { Glibc.close(descriptor) }
        try use { handle throws(LMDBFailure) in
            // A short write on a full disk is EIO here, as in a commit; the store is not touched.
            let code = mdb_env_copyfd2(handle, descriptor, 0)
            if code == EIO, StoreDirectory.freeBytes(of: path) < Limits.freeSpaceBytesMin {
                throw .diskFull
            }
            if code == EIO { throw .other(code: EIO, "copy to \(path)") }
            try LMDBFailure.check(code, "copy to \(path)")
        }
        guard fsync(descriptor) == 0 else { throw .other(code: errno, "flush \(path)") }
    }

    private static func flushDirectory(of path: String) throws(LMDBFailure) {
        let slash = path.lastIndex(of: "/")
        let parent = slash.map { String(path[...$0]) } ?? "."
        // SAFETY: plain system calls on a descriptor that this function owns.
        let descriptor = Glibc.open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .ofLastCall("open \(parent)") }
        defer { Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .other(code: errno, "flush \(parent)") }
    }
}
