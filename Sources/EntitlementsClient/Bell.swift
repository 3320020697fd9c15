import Glibc

/// Wakes a thread that waits in `poll`: a pair of connected sockets, rung at one end.
final class Bell: Sendable {
    private let near: Int32
    private let far: Int32

    init() throws(ClientError) {
        var ends: [Int32] = [-1, -1]
        let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        // SAFETY: socketpair writes two descriptors, for which there is room.
        guard socketpair(AF_UNIX, Int32(flags), 0, &ends) == 0 else {
            throw .unreachable("this process has no descriptor left")
        }
        near = ends[0]
        far = ends[1]
    }

    deinit {
        close(near)
        close(far)
    }

    /// What `poll` waits for.
    var descriptor: Int32 { near }

    /// Wakes the thread; rings while it is awake come to one.
    func ring() {
        var byte: UInt8 = 1
        // SAFETY: one byte is read; a full buffer means that it was rung before.
        _ = send(far, &byte, 1, Int32(MSG_NOSIGNAL))
    }

    /// Waits for a ring, and leaves it there.
    func wait() {
        var entry = pollfd(fd: near, events: Int16(POLLIN), revents: 0)
        // SAFETY: poll writes only to the one entry it was given.
        poll(&entry, 1, -1)
    }

    /// Takes the rings so far.
    func clear() {
        var bytes = [UInt8](repeating: 0, count: 64)
        // SAFETY: at most `bytes.count` bytes are written.
        while recv(near, &bytes, bytes.count, 0) == bytes.count {}
    }
}
