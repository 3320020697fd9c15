import Glibc

/// The daemon's lock on its storage directory: flock on `entitld.lock`, which names the holder.
///
/// The kernel lets go of it when the process ends, however it ends; the file stays.
package struct DirectoryLock: ~Copyable, Sendable {
    /// The file's name in the directory.
    package static let fileName = "entitld.lock"

    private let descriptor: Int32

    /// Takes the lock, or throws `.busy` with the process that has it.
    package init(directory: String) throws(LMDBFailure) {
        _ = try StoreDirectory.prepare(directory)
        let path = "\(directory)/\(Self.fileName)"
        // SAFETY: plain system calls on a descriptor that this value owns.
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { throw .ofLastCall("open \(path)") }
        try Self.lock(opened, LOCK_EX, path)
        descriptor = opened
        Self.write(getpid(), to: opened)
    }

    /// Takes the lock to read only, so that no daemon starts meanwhile; changes nothing.
    ///
    /// Where the file is missing no daemon has run, and the directory itself is locked against
    /// nobody.
    package init(reading directory: String) throws(LMDBFailure) {
        let path = "\(directory)/\(Self.fileName)"
        // SAFETY: plain system calls on a descriptor that this value owns.
        var opened = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if opened < 0, errno == ENOENT { opened = open(directory, O_RDONLY | O_CLOEXEC) }
        guard opened >= 0 else { throw .ofLastCall("open \(path)") }
        try Self.lock(opened, LOCK_SH, path)
        descriptor = opened
    }

    /// Locks, or closes the descriptor and says why not.
    private static func lock(
        _ descriptor: Int32,
        _ kind: Int32,
        _ path: String
    ) throws(LMDBFailure) {
        guard flock(descriptor, kind | LOCK_NB) == 0 else {
            let code = errno
            let holder = holder(descriptor)
            close(descriptor)
            if code == EWOULDBLOCK { throw .busy(pid: holder) }
            throw LMDBFailure(code: code, attempt: "lock \(path)")
        }
    }

    deinit {
        // SAFETY: the descriptor is owned by this value and closed once; closing ends the lock.
        close(descriptor)
    }

    /// Best effort: the number is for people; the lock is the kernel's.
    private static func write(_ pid: Int32, to descriptor: Int32) {
        let text = Array("\(pid)\n".utf8)
        // SAFETY: the array outlives the call.
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    private static func holder(_ descriptor: Int32) -> Int32? {
        var text = [UInt8](repeating: 0, count: 16)
        // SAFETY: the array outlives the call and says its size.
        let count = text.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { return nil }
        return Int32(String(decoding: text[..<count].prefix { $0 != 0x0A }, as: UTF8.self))
    }
}
