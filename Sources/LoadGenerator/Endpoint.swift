import Glibc

/// Where a server listens: the path of a Unix socket, or `127.0.0.1:8080`.
package struct Endpoint: Sendable {
    private enum Place: Sendable {
        case path(String)
        case loopback(address: UInt32, port: UInt16)
    }

    private let place: Place

    /// The endpoint that a command line names: what does not end in a port is a path.
    package init?(_ text: String) {
        if let colon = text.lastIndex(of: ":"), let port = UInt16(text[colon...].dropFirst()) {
            let numbers = text[..<colon].split(separator: ".", omittingEmptySubsequences: false)
                .compactMap { UInt8($0) }
            guard numbers.count == 4 else { return nil }
            place = .loopback(address: numbers.reduce(0) { $0 << 8 | UInt32($1) }, port: port)
        } else {
            guard (1...LoadLimits.socketPathBytesMax).contains(text.utf8.count) else { return nil }
            place = .path(text)
        }
    }

    /// A connected socket.
    ///
    /// It blocks; the loop's own calls do not.
    func connect() throws(LoadFailure) -> Int32 {
        switch place {
        case .path(let path): try connect(path: path)
        case .loopback(let address, let port): try connect(address, port)
        }
    }

    private func connect(path: String) throws(LoadFailure) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { room in
            room.copyBytes(from: Array(path.utf8).prefix(room.count - 1))
        }
        return try connect(&address, AF_UNIX, to: path)
    }

    private func connect(_ host: UInt32, _ port: UInt16) throws(LoadFailure) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = host.bigEndian
        let descriptor = try connect(&address, AF_INET, to: "port \(port)")
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        return descriptor
    }

    private func connect<Address>(
        _ address: inout Address,
        _ family: Int32,
        to name: String
    ) throws(LoadFailure) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw LoadFailure("no socket: errno \(errno)") }
        // SAFETY: the kernel reads the address during the call, and no more than its size.
        let code = withUnsafeBytes(of: &address) { bytes in
            Glibc.connect(
                descriptor,
                bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(bytes.count)
            )
        }
        guard code == 0 else {
            let reason = errno
            close(descriptor)
            throw LoadFailure("nobody answers at \(name): errno \(reason)")
        }
        return descriptor
    }
}
