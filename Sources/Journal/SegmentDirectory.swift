import Glibc

/// The names in a journal's directory.
///
///     00000000000000000001.segment         groups from 1 on
///     copy-00000000000000000001.segment    stands for the segment where `copies-hold` is there;
///                                          else it is being written
///     copies-hold                          see `SegmentDirectory+Copies`
///     proof                                the last group that was flushed: see `JournalProof`
struct SegmentDirectory {
    static let suffix = ".segment"
    static let digits = 20

    let path: String
    /// Whether copies were found to stand for their segments.
    let usesCopies: Bool

    init(path: String) {
        self.path = path
        // SAFETY: access reads the path only.
        usesCopies = access("\(path)/\(Self.markName)", F_OK) == 0
    }

    /// Makes the directory for this user alone, whatever the umask says, when it is missing;
    /// refuses one that others can write, or a segment in it.
    static func create(_ path: String) throws(JournalFailure) -> SegmentDirectory {
        // SAFETY: mkdir and chmod read the path only.
        if mkdir(path, 0o700) == 0 {
            guard chmod(path, 0o700) == 0 else { throw .ofLastCall(path) }
            let trimmed = path.hasSuffix("/") ? String(path.dropLast()) : path
            let parent = trimmed.lastIndex(of: "/").map { String(trimmed[...$0]) } ?? "."
            try flush(parent)
        } else if errno != EEXIST {
            throw .ofLastCall("create \(path)")
        }
        let directory = SegmentDirectory(path: path)
        try refuseWritable(path)
        for group in try directory.segments() {
            try refuseWritable(directory.path(firstGroup: group))
        }
        return directory
    }

    /// Refuses what the group or everybody can write.
    private static func refuseWritable(_ path: String) throws(JournalFailure) {
        var status = stat()
        // SAFETY: stat reads the path and fills the structure.
        guard stat(path, &status) == 0 else { throw .ofLastCall(path) }
        guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw .writableByOthers(path: path, mode: status.st_mode & 0o7777)
        }
    }

    static func name(firstGroup: UInt64) -> String {
        let text = String(firstGroup)
        return String(repeating: "0", count: digits - text.count) + text + suffix
    }

    func path(firstGroup: UInt64) -> String { "\(path)/\(Self.name(firstGroup: firstGroup))" }

    /// The first group numbers of the segments, ascending; none without the directory.
    func segments() throws(JournalFailure) -> [UInt64] {
        // SAFETY: the stream is owned here, read by one thread, closed once; readdir's entry is
        // copied before the next call.
        guard let stream = opendir(path) else {
            if errno == ENOENT { return [] }
            throw .ofLastCall("open \(path)")
        }
        defer { closedir(stream) }
        var segments: [UInt64] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let number = Self.number(of: name) { segments.append(number) }
            errno = 0
        }
        guard errno == 0 else { throw .ofLastCall("list \(path)") }
        return segments.sorted()
    }

    /// Gives a file another name, and waits until the disk knows.
    func move(_ old: String, to new: String) throws(JournalFailure) {
        // SAFETY: rename reads the paths only.
        guard rename(old, new) == 0 else { throw .ofLastCall("rename \(old)") }
        try flush()
    }

    /// Removes a file; not being there is fine.
    func remove(_ path: String) throws(JournalFailure) {
        // SAFETY: unlink reads the path only.
        if unlink(path) != 0, errno != ENOENT { throw .ofLastCall("remove \(path)") }
    }

    /// Waits until the names are on the disk.
    func flush() throws(JournalFailure) { try Self.flush(path) }

    /// What an ordinary user could still write here; 0 when unknown.
    func freeBytes() -> Int {
        var answer = statvfs()
        // SAFETY: statvfs fills the structure it is given.
        guard statvfs(path, &answer) == 0 else { return 0 }
        let (bytes, overflow) = answer.f_bavail.multipliedReportingOverflow(by: answer.f_frsize)
        return overflow ? Int.max : Int(clamping: bytes)
    }

    private static func flush(_ path: String) throws(JournalFailure) {
        // SAFETY: plain system calls on a descriptor that this function owns.
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .ofLastCall("open \(path)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .ofLastCall("flush \(path)") }
    }

    private static func number(of name: String) -> UInt64? {
        guard name.hasSuffix(suffix), name.utf8.count == digits + suffix.utf8.count else {
            return nil
        }
        let text = name.dropLast(suffix.count)
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt64(text)
    }
}
