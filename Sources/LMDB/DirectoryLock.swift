import Glibc

/// The daemon's lock on its storage directory: flock on the directory itself and on `entitld.lock`,
/// which names the holder.
///
/// The kernel lets go of both when the process ends, however it ends; the file stays. Whoever
/// removes it, taking it for a stale one, lets no second daemon in: a directory cannot be made anew
/// under what is in it.
package struct DirectoryLock: ~Copyable, Sendable {
    /// The file's name in the directory.
    package static let fileName = "entitld.lock"

    private let descriptors: [Int32]

    /// Takes the lock, or throws `.busy` with the process that has it.
    package init(directory: String) throws(LMDBFailure) {
        _ = try StoreDirectory.prepare(directory)
        let path = "\(directory)/\(Self.fileName)"
        let place = try Self.locked(directory, O_RDONLY | O_DIRECTORY, LOCK_EX, namedIn: path)
        do throws(LMDBFailure) {
            let file = try Self.locked(path, O_RDWR | O_CREAT | O_NOFOLLOW, LOCK_EX, namedIn: path)
            Self.write(getpid(), to: file)
            descriptors = [file, place]
        } catch {
            close(place)
            throw error
        }
    }

    /// Takes the lock to read only, so that no daemon starts meanwhile; changes nothing.
    ///
    /// Where the file is missing no daemon has run.
    package init(reading directory: String) throws(LMDBFailure) {
        let path = "\(directory)/\(Self.fileName)"
        let place = try Self.locked(directory, O_RDONLY | O_DIRECTORY, LOCK_SH, namedIn: path)
        do throws(LMDBFailure) {
            descriptors = [
                try Self.locked(path, O_RDONLY | O_NOFOLLOW, LOCK_SH, namedIn: path), place,
            ]
        } catch .other(ENOENT, _) {
            descriptors = [place]
        } catch {
            close(place)
            throw error
        }
    }

    /// Opens and locks what is at `path`, or says why not; the holder's number is in the file.
    private static func locked(
        _ path: String,
        _ flags: Int32,
        _ kind: Int32,
        namedIn file: String
    ) throws(LMDBFailure) -> Int32 {
        // SAFETY: plain system calls on a descriptor that the caller owns from here on.
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .ofLastCall("open \(path)") }
        guard flock(descriptor, kind | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            if code == EWOULDBLOCK { throw .busy(pid: holder(file)) }
            throw LMDBFailure(code: code, attempt: "lock \(path)")
        }
        return descriptor
    }

    deinit {
        for descriptor in descriptors {
            // A child process that was made a moment ago, and has not begun its program yet, has a
            // copy of the descriptor, and closing ours would leave the lock to it.
            // SAFETY: the descriptors are owned by this value and closed once.
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
    }

    /// Best effort: the number is for people; the lock is the kernel's.
    private static func write(_ pid: Int32, to descriptor: Int32) {
        let text = Array("\(pid)\n".utf8)
        // SAFETY: the array outlives the call.
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    private static func holder(_ path: String) -> Int32? {
        // SAFETY: plain system calls on a descriptor that ends here.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var text = [UInt8](repeating: 0, count: 16)
        // SAFETY: the array outlives the call and says its size.
        let count = text.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { return nil }
        return Int32(String(decoding: text[..<count].prefix { $0 != 0x0A }, as: UTF8.self))
    }
}
