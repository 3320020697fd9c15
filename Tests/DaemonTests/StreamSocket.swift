import Foundation
import Glibc
import JSON
import Synchronization

/// A blocking socket on which any bytes can be sent.
final class StreamSocket {
    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    deinit { close(descriptor) }

    /// Connects to a port of this host.
    static func local(port: UInt16) throws -> StreamSocket {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return try connected(AF_INET, &address)
    }

    /// A port of this host that nobody listens on, and that is not lent to a connection before it
    /// is listened on: Linux lends those from 32768.
    static func freePort() throws -> UInt16 {
        for _ in 0..<1000 {
            let port = UInt16.random(in: 20_000..<32_000)
            if isFree(port), given.withLock({ $0.insert(port).inserted }) { return port }
        }
        throw DaemonProblem("no free port: errno \(errno)")
    }

    /// What `freePort` answered in this process.
    private static let given = Mutex<Set<UInt16>>([])

    private static func isFree(_ port: UInt16) -> Bool {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(AF_INET, kind, 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: &address) { pointer in
            // SAFETY: the address is read as the sockaddr it begins with, within its own size.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0
            }
        }
    }

    /// Connects to the socket file at `path`.
    static func unix(_ path: String) throws -> StreamSocket {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // SAFETY: the field was zeroed and is longer than any path of these tests.
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return try connected(AF_UNIX, &address)
    }

    private static func connected<Address>(
        _ family: Int32,
        _ address: inout Address
    ) throws -> StreamSocket {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = StreamSocket(Glibc.socket(family, kind, 0))
        let size = socklen_t(MemoryLayout<Address>.size)
        // SAFETY: the address is read as the sockaddr it begins with, within its own size.
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket.descriptor, $0, size)
            }
        }
        guard result == 0 else { throw DaemonProblem("connect: errno \(errno)") }
        return socket
    }

    /// Sends all of `bytes`, or what the other end still takes.
    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // SAFETY: the buffer is only read during the call.
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends `text` as one frame.
    func sendFrame(_ text: String) {
        let bytes = Array(text.utf8)
        send(Self.length(bytes.count) + bytes)
    }

    /// A frame's four bytes of length.
    static func length(_ count: Int) -> [UInt8] {
        let count = UInt32(count)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
    }

    /// The next frame; nil at the end of the connection, or where none comes.
    func receiveFrame() -> String? {
        guard let head = receive(4) else { return nil }
        let count = head.reduce(0) { $0 << 8 | Int($1) }
        return receive(count).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The next frame as JSON.
    func receiveReply() throws -> JSONValue {
        guard let text = receiveFrame() else { throw DaemonProblem("no reply") }
        return try JSONValue.parse(Array(text.utf8))
    }

    /// Whether there is something to read, or the end, before so long has passed.
    func hasAnswer(withinMilliseconds limit: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, limit) == 1
    }

    /// Everything until the other end closes.
    func receiveAll() -> [UInt8] {
        var all: [UInt8] = []
        while let more = some(65_536) { all += more }
        return all
    }

    private func receive(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard let more = some(count - bytes.count) else { return nil }
            bytes += more
        }
        return bytes
    }

    private func some(_ count: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: count)
        let received = recv(descriptor, &buffer, count, 0)
        return received > 0 ? Array(buffer[..<received]) : nil
    }
}

/// A port of this host on which connections are made, and counted, and nobody answers.
final class SilentPort {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        descriptor = Glibc.socket(AF_INET, Int32(kind), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            // SAFETY: the address is used as the sockaddr it begins with, within its own size.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isListening else { throw DaemonProblem("no silent port: errno \(errno)") }
    }

    deinit { close(descriptor) }

    var url: String { "http://127.0.0.1:\(port)/" }

    /// How many came since the last time.
    var visits: Int {
        var count = 0
        while true {
            let visitor = accept(descriptor, nil, nil)
            guard visitor >= 0 else { return count }
            close(visitor)
            count += 1
        }
    }
}
