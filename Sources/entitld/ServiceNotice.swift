import Glibc

/// Tells the service manager how far the daemon is, by sd_notify's protocol: one datagram of
/// `NAME=value` lines to the socket that `$NOTIFY_SOCKET` names.
///
/// Best effort, as sd_notify(3) is: without such a socket nothing is told, and nothing waits. Where
/// the manager has not read what others have sent it, a line waits for room, but not for ever.
struct ServiceNotice: Sendable {
    private let path: String?

    /// How long a line waits for room.
    ///
    /// A manager that waits for READY=1 without a limit of time would wait for ever if it was lost;
    /// and one that reads nothing must not keep the daemon from serving.
    private static let waitSecondsMax = 5

    /// To the socket that the environment names; `@` stands for an abstract one.
    init(environment: [String: String]) {
        path = environment["NOTIFY_SOCKET"]
            .flatMap { path in
                path.hasPrefix("/") || path.hasPrefix("@") ? path : nil
            }
    }

    /// The doors are open, or a reload is over.
    func ready() { send("READY=1") }

    /// A reload begins; `ready` ends it.
    func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let microseconds = time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
        send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
    }

    /// The doors close.
    ///
    /// The end of the process says so too, and is not put off for it.
    func stopping() { send("STOPPING=1", isAwaited: false) }

    private func send(_ text: String, isAwaited: Bool = true) {
        guard let path else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        let isAbstract = path.hasPrefix("@")
        if isAbstract { name[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        // An abstract name ends where the length says, a path with a zero.
        let nameBytes = isAbstract ? name.count : name.count + 1
        let size = socklen_t(MemoryLayout<sa_family_t>.size + nameBytes)
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var timeout = timeval(tv_sec: Self.waitSecondsMax, tv_usec: 0)
        let timeoutSize = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, timeoutSize)
        let line = Array(text.utf8)
        let flags = Int32(MSG_NOSIGNAL) | (isAwaited ? 0 : Int32(MSG_DONTWAIT))
        withUnsafePointer(to: &address) { address in
            // SAFETY: every sockaddr_un begins as a sockaddr does; the size tells the kernel.
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                line.withUnsafeBytes { line in
                    let (bytes, count) = (line.baseAddress, line.count)
                    var sent = -1
                    repeat {
                        sent = sendto(descriptor, bytes, count, flags, address, size)
                    } while sent < 0 && errno == EINTR
                }
            }
        }
    }
}
