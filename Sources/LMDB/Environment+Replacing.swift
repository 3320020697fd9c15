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

    /// Gives files to whom the one at `path` belongs, or its directory: root may compact what
    /// another user serves.
    ///
    /// That user may put anything at these paths meanwhile, so no link is followed.
    private static func hand(
        _ files: [String],
        toOwnerOf path: String
    ) throws(LMDBFailure) {
        guard geteuid() == 0 else { return }
        var owned = stat()
        // SAFETY: plain system calls, which fill the structures, on a descriptor that is closed
        // here, once; nobody in this process has these files open.
        guard lstat(path, &owned) == 0 || stat(StoreDirectory.directory(of: path), &owned) == 0
        else { throw .ofLastCall("stat \(path)") }
        for file in files {
            let descriptor = Glibc.open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else {
                if errno == ENOENT { continue }
                throw .ofLastCall("open \(file)")
            }
            defer { Glibc.close(descriptor) }
            var found = stat()
            guard fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG,
                found.st_nlink == 1
            else { throw .denied(errno: EPERM, path: file) }
            guard fchown(descriptor, owned.st_uid, owned.st_gid) == 0 else {
                throw .ofLastCall("chown \(file)")
            }
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
