import CLinux
import Glibc

/// A listening Unix socket and its file, created safely.
///
/// A lock file beside the socket decides who may change it, so that two daemons that start at the
/// same time cannot unlink each other's socket. Under the lock, an existing socket that answers
/// belongs to a running daemon; one that does not answer is removed; anything else is left alone.
/// The new socket listens under another name before it is renamed into place, so clients never find
/// one that does not answer.
package final class SocketFile: Sendable {
    /// The listening socket.
    package let descriptor: Int32
    /// The path of the socket.
    package let path: String
    private let lock: Int32
    private let device: dev_t
    private let inode: ino_t

    /// Creates the socket at `path`, with `mode` as its permission bits.
    package init(path: String, mode: UInt32) throws(SocketFailure) {
        guard (1...SocketLimits.pathBytesMax).contains(path.utf8.count) else {
            throw .pathLength(path: path, bytes: path.utf8.count)
        }
        let lock = try Self.lock(path)
        do throws(SocketFailure) {
            try Self.removeStale(path)
            let listener = try Self.listen(path, mode: mode)
            var status = stat()
            guard lstat(path, &status) == 0 else {
                let code = errno
                Glibc.close(listener)
                throw .system(action: "find", path: path, errno: code)
            }
            (descriptor, device, inode) = (listener, status.st_dev, status.st_ino)
        } catch {
            Glibc.close(lock)
            throw error
        }
        self.lock = lock
        self.path = path
    }

    /// Removes the file if it is still that of this socket, so that nobody connects any more.
    package func withdraw() {
        var status = stat()
        if lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode {
            unlink(path)
        }
    }

    /// Stops listening and gives up the lock.
    ///
    /// The lock file stays: removing it could let two daemons hold two locks. Called once, when no
    /// thread uses the descriptor any more.
    package func close() {
        withdraw()
        Glibc.close(descriptor)
        // A child process that has not begun its program yet has copies of both.
        flock(lock, LOCK_UN)
        Glibc.close(lock)
    }

    /// Throws `.alreadyRunning` where a daemon has the socket at `path`; takes and makes nothing.
    package static func expectFree(_ path: String) throws(SocketFailure) {
        // Why it cannot be opened is said by whoever takes it.
        let lock = open(path + ".lock", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard lock >= 0 else { return }
        defer { Glibc.close(lock) }
        guard flock(lock, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            throw .alreadyRunning(path: path)
        }
    }

    private static func lock(_ path: String) throws(SocketFailure) -> Int32 {
        let lockPath = path + ".lock"
        let lock = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw .system(action: "open", path: lockPath, errno: errno) }
        var tries = 0
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            // Somebody may only be looking (`expectFree`).
            if code == EWOULDBLOCK, tries < SocketLimits.lockTriesMax {
                tries += 1
                usleep(10_000)
                continue
            }
            Glibc.close(lock)
            if code == EWOULDBLOCK { throw .alreadyRunning(path: path) }
            throw .system(action: "lock", path: lockPath, errno: code)
        }
        // The holder's process id, for people; no program reads it.
        let line = "\(getpid())\n"
        ftruncate(lock, 0)
        _ = line.withCString { pwrite(lock, $0, strlen($0), 0) }
        return lock
    }

    private static func removeStale(_ path: String) throws(SocketFailure) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw .system(action: "look at", path: path, errno: errno)
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
        let probe = linux_unix_socket()
        guard probe >= 0 else { throw .system(action: "try", path: path, errno: -probe) }
        defer { Glibc.close(probe) }
        let code = withAddress(of: path) { connect(probe, $0, $1) == 0 ? 0 : errno }
        switch code {
        case ECONNREFUSED:
            guard unlink(path) == 0 || errno == ENOENT else {
                throw .system(action: "remove", path: path, errno: errno)
            }
        case ENOENT: break
        // EAGAIN: the socket's queue is full, so a daemon listens.
        case 0, EAGAIN: throw .alreadyRunning(path: path)
        default: throw .system(action: "try", path: path, errno: code)
        }
    }

    private static func listen(_ path: String, mode: UInt32) throws(SocketFailure) -> Int32 {
        let temporary = temporaryPath(beside: path)
        var status = stat()
        if lstat(temporary, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: temporary) }
            unlink(temporary)
        }
        let listener = linux_unix_socket()
        guard listener >= 0 else {
            throw .system(action: "make a socket for", path: path, errno: -listener)
        }
        let failed: (action: String, code: Int32)?
        if withAddress(of: temporary, { bind(listener, $0, $1) }) != 0 {
            failed = ("bind", errno)
        } else if chmod(temporary, mode_t(mode)) != 0 {
            failed = ("set the mode of", errno)
        } else if Glibc.listen(listener, SocketLimits.backlog) != 0 {
            failed = ("listen at", errno)
        } else if rename(temporary, path) != 0 {
            failed = ("rename to", errno)
        } else {
            failed = nil
        }
        guard let failed else { return listener }
        if failed.action != "bind" { unlink(temporary) }
        Glibc.close(listener)
        throw .system(action: failed.action, path: path, errno: failed.code)
    }

    /// A name in the same directory that fits wherever `path` fits.
    private static func temporaryPath(beside path: String) -> String {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = slash.map { String(path[...$0]) } ?? ""
        let named = directory + ".\(getpid())~"
        if named.utf8.count <= SocketLimits.pathBytesMax, named != path { return named }
        return path.dropLast() + (path.hasSuffix("~") ? "#" : "~")
    }

    private static func withAddress<Result>(
        of path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { address in
            // SAFETY: every sockaddr_un begins as a sockaddr does; the length tells the kernel.
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                body(address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
