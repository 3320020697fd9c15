import Glibc

extension Environment {
    /// Puts the data file at `path` in the place of the one in `directory`; on the disk after.
    ///
    /// Under a `DirectoryLock` only. lock.mdb goes first: it counts the commits of the old file.
    /// A process that has it open to read would take it for the new file's, so this is refused
    /// with `.busy`. A crash before, between or after leaves the old file or the new one.
    package static func replaceData(
        in directory: String,
        with path: String
    ) throws(LMDBFailure) {
        // Nobody in this process either.
        let claim = try DirectoryClaim.take(directory)
        defer { claim.release() }
        let lockPath = "\(directory)/lock.mdb"
        // SAFETY: plain system calls on a descriptor that is closed here, once; that drops no lock
        // of another environment, because of the claim.
        let descriptor = Glibc.open(lockPath, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 || errno == ENOENT else { throw .ofLastCall("open \(lockPath)") }
        defer { if descriptor >= 0 { Glibc.close(descriptor) } }
        if descriptor >= 0 {
            try shutOut(descriptor, lockPath)
            guard unlink(lockPath) == 0 else { throw .ofLastCall("remove \(lockPath)") }
            try StoreDirectory.flush(directoryOf: lockPath)
        }
        try replaceFile(at: "\(directory)/data.mdb", with: path)
    }

    /// Puts the data file at `source`, and its sums, in the place of those at `path`, which nobody
    /// has open; on the disk after.
    ///
    /// A crash between leaves a data file without sums; the next opening makes them.
    package static func replaceFile(
        at path: String,
        with source: String
    ) throws(LMDBFailure) {
        let made = SumsFile.path(besides: source)
        try hand([source, made], toOwnerOf: path)
        let sums = SumsFile.path(besides: path)
        guard unlink(sums) == 0 || errno == ENOENT else { throw .ofLastCall("remove \(sums)") }
        try StoreDirectory.flush(directoryOf: path)
        guard rename(source, path) == 0 else { throw .ofLastCall("rename \(source)") }
        try StoreDirectory.flush(directoryOf: path)
        guard rename(made, sums) == 0 || errno == ENOENT else {
            throw .ofLastCall("rename \(made)")
        }
        try StoreDirectory.flush(directoryOf: path)
    }

    /// Gives files to whom the one at `path` belongs: root may compact what another user serves.
    private static func hand(
        _ files: [String],
        toOwnerOf path: String
    ) throws(LMDBFailure) {
        var owned = stat()
        // SAFETY: plain system calls, which fill the structure.
        guard geteuid() == 0, stat(path, &owned) == 0 else { return }
        for file in files where chown(file, owned.st_uid, owned.st_gid) != 0 && errno != ENOENT {
            throw .ofLastCall("chown \(file)")
        }
    }

    /// Takes LMDB's own lock, which everybody shares who has the environment open.
    private static func shutOut(_ descriptor: Int32, _ path: String) throws(LMDBFailure) {
        var lock = flock(
            l_type: Int16(F_WRLCK),
            l_whence: Int16(SEEK_SET),
            l_start: 0,
            l_len: 0,
            l_pid: 0
        )
        // SAFETY: fcntl reads the structure; the second call fills it.
        if fcntl(descriptor, F_SETLK, &lock) == 0 { return }
        guard errno == EACCES || errno == EAGAIN else { throw .ofLastCall("lock \(path)") }
        _ = fcntl(descriptor, F_GETLK, &lock)
        throw .busy(pid: lock.l_pid > 0 ? lock.l_pid : nil)
    }
}
