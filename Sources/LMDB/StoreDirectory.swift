import Glibc

/// The guards that stand before opening: what LMDB would answer with a signal is refused here.
enum StoreDirectory {
    /// Makes `directory` when it is missing, and refuses a place where LMDB cannot work.
    static func prepare(_ directory: String) throws(LMDBFailure) -> [StoreWarning] {
        try create(directory)
        for path in [directory, directory + "/data.mdb", directory + "/lock.mdb"] {
            try refuseWritable(path)
        }
        var warnings: [StoreWarning] = []
        switch try FilesystemKind.of(directory) {
        case .local: break
        case .overlay: warnings.append(.overlayFilesystem)
        case .refused(let name): throw .unsupportedFilesystem(name)
        }
        // SAFETY: access(2) reads the path only.
        guard access(directory, R_OK | W_OK | X_OK) == 0 else {
            throw .ofLastCall(directory)
        }
        let free = freeBytes(of: directory)
        guard free >= Limits.freeSpaceBytesMin else { throw .noSpaceFloor(freeBytes: free) }
        return warnings
    }

    /// Refuses what the group or everybody can write; what is not there yet is made for this user.
    private static func refuseWritable(_ path: String) throws(LMDBFailure) {
        var status = stat()
        // SAFETY: stat reads the path and fills the structure.
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw .ofLastCall(path)
        }
        guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw .writableByOthers(path: path, mode: status.st_mode & 0o7777)
        }
    }

    /// What an ordinary user could still write to the file system of `path`; 0 when unknown.
    static func freeBytes(of path: String) -> Int {
        var answer = statvfs()
        // SAFETY: statvfs fills the structure it is given.
        guard statvfs(path, &answer) == 0 else { return 0 }
        let (bytes, overflow) = answer.f_bavail.multipliedReportingOverflow(by: answer.f_frsize)
        return overflow ? Int.max : Int(clamping: bytes)
    }

    /// Makes sure that the name `path` is on the disk.
    static func flush(directoryOf path: String) throws(LMDBFailure) {
        let parent = directory(of: path)
        // SAFETY: plain system calls on a descriptor that this function owns.
        let descriptor = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .ofLastCall("open \(parent)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .other(code: errno, "flush \(parent)") }
    }

    /// The directory in which `path` lies.
    static func directory(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }

    /// Gives lock.mdb its blocks before LMDB maps it.
    ///
    /// LMDB grows it with ftruncate and writes it through the map; on a full disk that is SIGBUS.
    /// The file is kept on shutdown for the same reason.
    static func preallocateLock(
        _ directory: String,
        readersMax: Int
    ) throws(LMDBFailure) {
        let path = "\(directory)/lock.mdb"
        // SAFETY: plain descriptors, closed before LMDB opens its own: closing one later would drop
        // LMDB's locks, and `DirectoryClaim` keeps a second environment from coming here.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .ofLastCall("open \(path)") }
        defer { close(descriptor) }
        let needed = Limits.lockHeaderBytesMax + readersMax * Limits.readerSlotBytes
        let pages = (needed + 4095) / 4096
        let code = posix_fallocate(descriptor, 0, pages * 4096)
        if code != 0 { throw LMDBFailure(code: code, attempt: "preallocate \(path)") }
    }

    /// Makes the directory and its missing parents, for this user alone whatever the umask says.
    private static func create(_ directory: String) throws(LMDBFailure) {
        var status = stat()
        // SAFETY: stat, mkdir and chmod read the path and fill the structure.
        if stat(directory, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else {
                throw .denied(errno: ENOTDIR, path: directory)
            }
            return
        }
        guard errno == ENOENT else { throw refusal(directory) }
        if let slash = directory.lastIndex(of: "/"), slash != directory.startIndex {
            try create(String(directory[..<slash]))
        }
        if directory.hasSuffix("/") { return }
        if mkdir(directory, 0o700) != 0, errno != EEXIST { throw refusal(directory) }
        guard chmod(directory, 0o700) == 0 else { throw refusal(directory) }
    }

    /// A path at which no directory can be made is a mistake of the configuration.
    private static func refusal(_ directory: String) -> LMDBFailure {
        let failure = LMDBFailure.ofLastCall(directory)
        guard case .other(let code, _) = failure else { return failure }
        return .denied(errno: code, path: directory)
    }
}
