import Glibc

/// A connected Unix stream socket that never blocks; whoever wants to wait asks `wait`.
struct UnixSocket: ~Copyable {
    /// What one attempt to move bytes came to.
    enum Transfer: Equatable {
        /// So many bytes moved.
        case moved(Int)
        /// Nothing moves until the socket is ready again.
        case wouldBlock
        /// The other end is gone.
        case ended
    }

    let descriptor: Int32

    private init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Connects to the socket at `path`, or says why it could not by `deadline`.
    ///
    /// A full backlog answers EAGAIN at once on a Unix socket, so that alone is tried again.
    static func connected(
        to path: String,
        until deadline: Deadline
    ) throws(ClientError) -> UnixSocket {
        var pause = ClientLimits.pauseMillisecondsFirst
        while true {
            switch try attempt(path) {
            case .connected(let socket): return socket
            case .refused(let failure):
                guard failure == EAGAIN || failure == EINTR, !deadline.hasPassed else {
                    throw refusal(failure, path: path)
                }
            }
            usleep(UInt32(ClientLimits.jittered(pause) * 1_000))
            pause = ClientLimits.longerPause(pause)
        }
    }

    /// Tries once to connect to the socket at `path`; `isPassing` in the error says that the daemon
    /// may be about to start, or has a full backlog.
    static func connected(to path: String) throws(ClientError) -> UnixSocket {
        switch try attempt(path) {
        case .connected(let socket): return socket
        case .refused(let failure):
            var error = refusal(failure, path: path)
            let passing = [EAGAIN, EINTR, ECONNREFUSED, ECONNRESET, ENOENT]
            error.isPassing = passing.contains(failure)
            throw error
        }
    }

    private enum Attempt: ~Copyable {
        case connected(UnixSocket)
        case refused(Int32)
    }

    private static func attempt(_ path: String) throws(ClientError) -> Attempt {
        guard (1...ClientLimits.socketPathBytesMax).contains(path.utf8.count) else {
            throw .unreachable(
                "a socket path has 1 to \(ClientLimits.socketPathBytesMax) bytes",
                retryable: false
            )
        }
        let candidate = try unconnected()
        let failure = candidate.connect(to: path)
        if failure != 0 { return .refused(failure) }
        return .connected(candidate)
    }

    /// Sends what the socket takes of `bytes`, which must not be empty.
    func send(_ bytes: ArraySlice<UInt8>) -> Transfer {
        // SAFETY: the buffer is only read during the call; MSG_NOSIGNAL keeps SIGPIPE away.
        let count = bytes.withUnsafeBytes { buffer in
            Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
        }
        return transfer(count)
    }

    /// Reads what is there, at most `ClientLimits.readBytesMax`, to the end of `buffer`.
    func receive(into buffer: inout [UInt8]) -> Transfer {
        var result = Transfer.ended
        // SAFETY: recv writes at most `room.count` bytes, and says how many.
        let chunk = [UInt8](unsafeUninitializedCapacity: ClientLimits.readBytesMax) { room, count in
            let received = recv(descriptor, room.baseAddress, room.count, 0)
            result = transfer(received)
            count = max(received, 0)
        }
        buffer.append(contentsOf: chunk)
        return received(result)
    }

    /// Waits until the socket is ready for `events`; false when `deadline` passed before.
    func wait(for events: Int32, until deadline: Deadline) -> Bool {
        while true {
            var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let milliseconds = deadline.millisecondsLeft
            let count = poll(&entry, 1, milliseconds)
            if count > 0 { return true }
            if count == 0, milliseconds == 0 { return false }
            if count < 0, errno != EINTR { return true }
        }
    }

    /// What waiting for input came to.
    enum Readiness: Equatable {
        /// There is something to read, or the other end is gone.
        case ready
        /// A byte came at the other descriptor.
        case rung
        /// The deadline passed.
        case late
    }

    /// Waits for input here, or for a byte at the descriptor `bell`, which may be -1.
    func waitForInput(until deadline: Deadline, interruptedBy bell: Int32) -> Readiness {
        Self.waitForInput(at: descriptor, until: deadline, interruptedBy: bell)
    }

    /// The same at any `descriptor`.
    static func waitForInput(
        at descriptor: Int32,
        until deadline: Deadline,
        interruptedBy bell: Int32
    ) -> Readiness {
        while true {
            var entries = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
            ]
            let milliseconds = deadline.millisecondsLeft
            // SAFETY: poll writes only to the two entries it was given, and passes over -1.
            let count = poll(&entries, 2, milliseconds)
            if count > 0 { return entries[1].revents != 0 ? .rung : .ready }
            if count == 0, milliseconds == 0 { return .late }
            if count < 0, errno != EINTR { return .ready }
        }
    }

    private func received(_ transfer: Transfer) -> Transfer {
        transfer == .moved(0) ? .ended : transfer
    }

    private func transfer(_ count: Int) -> Transfer {
        if count >= 0 { return .moved(count) }
        return errno == EAGAIN || errno == EINTR ? .wouldBlock : .ended
    }

    private static func unconnected() throws(ClientError) -> UnixSocket {
        let flags = SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | flags), 0)
        guard descriptor >= 0 else {
            throw .unreachable("no socket could be made: \(String(cString: strerror(errno)))")
        }
        return UnixSocket(owning: descriptor)
    }

    /// 0, or the errno of the attempt.
    private func connect(to path: String) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // SAFETY: the caller has checked the length; the field was zeroed, so NUL follows.
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        // SAFETY: a sockaddr_un is read as the sockaddr it begins with, within its own size.
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, size)
            }
        }
        return result == 0 ? 0 : errno
    }

    private static func refusal(_ failure: Int32, path: String) -> ClientError {
        // SAFETY: strerror returns a string that is valid until the next call on this thread.
        let cause = String(cString: strerror(failure))
        guard failure != EACCES, failure != EPERM else {
            return .denied("no access to \(path): \(cause)")
        }
        return .unreachable("nobody answers at \(path): \(cause)")
    }
}
