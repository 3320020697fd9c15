import Foundation
import Glibc

/// A blocking client that sends exactly the bytes it is given.
///
/// Use it on a thread of its own.
package final class RawClient {
    private let descriptor: Int32
    private var isOpen = true

    /// Connects.
    package init(port: Int, host: String = "127.0.0.1", receiveSeconds: Int = 8) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        var timeout = timeval(tv_sec: receiveSeconds, tv_usec: 0)
        setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &timeout,
            socklen_t(MemoryLayout<timeval>.size)
        )
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit {
        close()
    }

    /// Closes, if it is not closed.
    package func close() {
        if isOpen { Glibc.close(descriptor) }
        isOpen = false
    }

    /// False when the other side has gone.
    @discardableResult
    package func send(_ text: String) -> Bool {
        send(Array(text.utf8))
    }

    /// False when the other side has gone.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Whether something can be read, the end included.
    package var hasInput: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// Closes so that the other side is told at once that nobody reads.
    package func reset() {
        var lingering = linger(l_onoff: 1, l_linger: 0)
        let bytes = socklen_t(MemoryLayout<linger>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &lingering, bytes)
        close()
    }

    /// Says that no more comes.
    package func endInput() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// What comes until the other side ends, or until `isEnough`; "<timeout>" after a silence.
    package func receive(until isEnough: (String) -> Bool = { _ in false }) -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while !isEnough(String(decoding: bytes, as: UTF8.self)) {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count == 0 { break }
            if count < 0 {
                return String(decoding: bytes, as: UTF8.self)
                    + (errno == ECONNRESET ? "<reset>" : "<timeout>")
            }
            bytes.append(contentsOf: chunk[..<count])
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Sends `text` at once and gives what comes back until the other side ends.
package func exchange(
    _ port: Int,
    _ text: String,
    host: String = "127.0.0.1"
) async throws -> String {
    try await onThread {
        let client = try RawClient(port: port, host: host)
        client.send(text)
        return client.receive()
    }
}

/// The status of the first answer; nil where there is none.
package func status(_ answer: String) -> Int? {
    guard answer.hasPrefix("HTTP/1.1 ") else { return nil }
    return Int(answer.dropFirst(9).prefix(3))
}
