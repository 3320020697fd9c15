import Glibc

/// A small file system of its own, or nil, said loudly, where nothing can be mounted.
package final class SmallDisk {
    private let scratch: Scratch

    package var path: String { scratch.path }

    package init?(bytes: Int) throws {
        scratch = try Scratch()
        guard mount("tmpfs", scratch.path, "tmpfs", 0, "size=\(bytes)") == 0 else {
            print(
                "SKIPPED: a full disk needs a tmpfs, and mounting one needs root (errno \(errno))"
            )
            return nil
        }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }

    /// Takes all that is free but `bytes`.
    package func fill(leaving bytes: Int = 0) throws {
        let descriptor = open(path + "/ballast", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw Scratch.Failure(call: "open ballast", code: errno) }
        let block = [UInt8](repeating: 1, count: 4096)
        while write(descriptor, block, block.count) == block.count {}
        var status = stat()
        fstat(descriptor, &status)
        ftruncate(descriptor, max(0, status.st_size - bytes))
        close(descriptor)
    }

    package func empty() { unlink(path + "/ballast") }
}
