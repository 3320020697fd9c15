import Glibc

/// Tells the service manager how far the daemon is, by sd_notify's protocol: one datagram of
/// `NAME=value` lines to the socket that `$NOTIFY_SOCKET` names.
///
/// Best effort, as sd_notify(3) is: without such a socket nothing is told, and nothing waits.
struct ServiceNotice: Sendable {
    private let path: String?

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
    func stopping() { send("STOPPING=1") }

    private func send(_ text: String) {
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
        let line = Array(text.utf8)
        _ = withUnsafePointer(to: &address) { address in
            // SAFETY: every sockaddr_un begins as a sockaddr does; the size tells the kernel.
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                line.withUnsafeBytes {
                    sendto(
                        descriptor,
                        $0.baseAddress,
                        $0.count,
                        Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT),
                        address,
                        size
                    )
                }
            }
        }
    }
}
